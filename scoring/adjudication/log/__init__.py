"""The log on disk: read, written, exported. A line of it is `adjudication.log_entry`."""
