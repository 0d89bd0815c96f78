"""The relations task: who was where. The HIPE-2026 campaign from submissions to rankings, and its gold adjudicated (`docs/campaign.md`)."""
