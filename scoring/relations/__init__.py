"""The relations task: who was where. The HIPE-2026 campaign from submissions to rankings, and its gold adjudicated (`3-relations`)."""
