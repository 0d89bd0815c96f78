"""Results written out: tables of figures to CSV, JSON, Markdown, HTML and XLSX, and the report. Only `deposit` imports it."""
