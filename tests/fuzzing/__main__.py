"""``make fuzz``: each reader in turn for a minute, beginning with its corpus, which takes what is new.

``python -m tests.fuzzing --seconds 600 names`` fuzzes one reader for ten minutes. An input that breaks a
reader is kept in its corpus too, so that the tests fail until the reader is mended.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import atheris

from tests.fuzzing import corpus

_LONGEST = 400  # of an input, in bytes: what is longer finds little more and fills the repository
_PATIENCE = 20  # seconds that one input may take
_MOST = 300  # inputs that are kept of a reader


def _fuzz(reader: str, arguments: list[str]) -> None:
    """Hand the process to atheris, which ends it."""
    with atheris.instrument_imports(include=["ingest", "features", "service"]):
        from tests.fuzzing.readers import READERS  # atheris counts what it sees imported
    atheris.Setup(["fuzz", *arguments], READERS[reader])
    atheris.Fuzz()


def _run(reader: str, seconds: int) -> bool:
    """Fuzz in a process of its own, then keep what it came upon; whether nothing broke."""
    before = corpus.inputs(reader)
    with tempfile.TemporaryDirectory() as folder:
        reached, broken = Path(folder) / "reached", Path(folder) / "broken"
        reached.mkdir()
        broken.mkdir()
        for number, data in enumerate(before):
            (reached / f"{number}").write_bytes(data)
        limits = [f"-max_total_time={seconds}", f"-max_len={_LONGEST}", f"-timeout={_PATIENCE}"]
        places = [str(reached), f"-artifact_prefix={broken}/", "-verbosity=0"]
        command = [sys.executable, "-m", "tests.fuzzing", "--process", reader, *limits, *places]
        ended = subprocess.run(command, check=False)
        new = sorted({path.read_bytes() for path in reached.iterdir()}.difference(before), key=len)
        harm = {path.read_bytes() for path in broken.iterdir()}
    corpus.keep(reader, {*before, *new[: max(_MOST - len(before), 0)], *harm})
    counts = f"{len(before)} inputs before, {len(new)} reach new lines, {len(harm)} break it"
    sys.stdout.write(f"{reader}: {counts}\n")
    return ended.returncode == 0


def main() -> int:
    """Fuzz the readers that are named, or all."""
    if sys.argv[1:2] == ["--process"]:
        _fuzz(sys.argv[2], sys.argv[3:])
    from tests.fuzzing.readers import READERS  # after the process above has

    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description="Fuzz readers by coverage.")
    parser.add_argument("readers", nargs="*", choices=[[], *READERS], metavar="READER")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader; 60 where left out")
    options = parser.parse_args()
    sound = [_run(reader, options.seconds) for reader in options.readers or READERS]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
