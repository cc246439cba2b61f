"""Which language records are read in, and how many of their words have an English one.

``python -m bench.languages SHARED`` reads, of each file of ``data/records``, some 2,000 records at even steps
(all of a small one), without their tags. By file:

- ``own``: the share whose titles, descriptions and subjects are read in the language of the museum;
- ``known``: of their words in small letters that are no small words of it, the share with a gloss.

Files in several languages are left out. Prints a table and writes bench/results/languages.json.
"""

import re
import sys
from pathlib import Path
from typing import Final

from bench.tables import publish
from features.text.glosses import english_parts
from features.text.language_codes import ENGLISH, stop_words
from features.text.spoken import spoken
from service.settings import load
from training.corpora import read_rows
from training.record_files import files, mapped, path_of

_RECORDS: Final = 2000
_OTHERS: Final = {"rijks": "nl", "nlnamaps": "nl", "inha_rothschild": "fr", "tekniska": "sv"}
_SEVERAL: Final = frozenset({"bl_books", "pennmss", "princoin"})
_WORD: Final = re.compile(r"[^\W\d_]+")


def main(shared: Path) -> None:
    """Measure and publish."""
    mappings, lines = load().mappings, list[dict[str, object]]()
    for file in files(shared):
        if file in _SEVERAL:
            continue
        language, rows = _OTHERS.get(file, ENGLISH), list(read_rows(path_of(shared, file)))
        records = [mapped(mappings, file, row) for row in rows[:: max(1, len(rows) // _RECORDS)]]
        texts = [[value.text for value in (*r.title, *r.description, *r.subject)] for r in records]
        own = [spoken(each) == language for each in texts if each]
        words = [word for each in texts for text in each for word in _WORD.findall(text) if word.islower()]
        content = [word for word in words if word not in stop_words(language)]
        known = [any(part.english for part in english_parts(word, language)) for word in content]
        line: dict[str, object] = {"file": file, "language": language, "records": len(own)}
        line["own"] = round(sum(own) / max(1, len(own)), 4)
        line["known"] = None if language == ENGLISH else round(sum(known) / max(1, len(known)), 3)
        lines.append(line)
    publish("languages", lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
