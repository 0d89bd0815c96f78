"""Files a campaign publishes: results, pages, workbooks, rounds, adjudicated gold."""
