"""What is shown of a gold label and of a campaign, as blocks of plain values."""
