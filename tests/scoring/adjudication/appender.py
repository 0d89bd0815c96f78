"""Appends entries until it is killed, printing each id once it is confirmed. Arguments: folder, verifier, count."""

import signal
import sys
from pathlib import Path

from scoring.adjudication.decisions import LogEntry, new_id, timestamp
from scoring.adjudication.log.write import Log


def main(folder: Path, verifier: str, count: int) -> None:
    # Whoever starts the tests may have it ignored (nohup).
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    log = Log.open(folder, verifier)
    print("ready", flush=True)
    for number in range(count):
        new = LogEntry(id=new_id(), at=timestamp(), verifier=verifier, task="tables", case=f"t-{number}", verdict="same", note="ü " * 200)
        log.append(new)
        print(new.id, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
