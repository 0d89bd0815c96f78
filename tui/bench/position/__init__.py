"""Where a verifier stopped: saved, restored, named."""
