"""The tables task: records extracted from a page, against ground truth (`1-tables`)."""
