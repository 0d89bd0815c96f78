"""Tables and sections, and the formats they are written in: CSV, JSON, Markdown, HTML, XLSX, TeX, SVG."""
