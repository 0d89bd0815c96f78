"""Text: normal forms and edits, cells, nested paths, decoding of bytes, CSV tables, workbooks."""
