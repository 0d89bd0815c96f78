"""Everything shown of a case or a run page, as blocks of plain values."""
