"""The tables task: records of a page against ground truth. Folders in the order data flows: inputs, matching, measures,
decisions, execution, cases, verdicts and figures, display; `task` is the face."""
