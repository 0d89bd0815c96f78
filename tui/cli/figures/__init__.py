"""Commands on figures: score, report, questions, the Overview as text."""
