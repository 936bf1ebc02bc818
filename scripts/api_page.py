#!/usr/bin/env python3
"""Writes docs/api.md from the headers that src/wordsway/wordsway.h lists.

    scripts/api_page.py           writes the page
    scripts/api_page.py --check   exits with 1 when the page is not what the headers say

A header's page is its opening comment and what it declares, comments included; bodies of inline functions, private
parts and includes are left out.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
PAGE = ROOT / "docs" / "api.md"
HEADING = """# The library

Everything below comes with `#include <wordsway/wordsway.h>`, in namespace `wordsway`. The page is written from the
headers by `scripts/api_page.py`; a test checks that it is up to date. Each header can also be included alone.
Link with `wordsway::wordsway`, or with one of its parts: `wordsway::core` (maps, searches, learning),
`wordsway::engine` (transformers), `wordsway::model` (tokenizers, texts, audits), `wordsway::study` (studies and journals).
`examples/find_package` is a complete program.
"""


def listed_headers(umbrella):
    """(title, [headers]) for each group of the umbrella header."""
    groups = []
    for line in umbrella.split("#pragma once")[1].splitlines():
        if line.startswith("// "):
            groups.append((line[3:], []))
        elif found := re.match(r'#include "(.+)"', line):
            groups[-1][1].append(found[1])
    return groups


def opening_comment(text):
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[3:])
    return "\n".join(lines)


def declarations(text):
    """The inside of the namespace without private parts and without inline bodies."""
    inside = text.split("namespace wordsway {\n", 1)[1].rsplit("}  // namespace wordsway", 1)[0]
    kept, private = [], False
    for line in inside.splitlines():
        if line.strip() in ("private:", "protected:"):
            private = True
        if line.startswith("};") or line.strip() == "public:":
            private = False
        if not private:
            kept.append(line)
    body = "\n".join(kept)
    body = re.sub(r"(\)(?: const)?(?: override)?(?: noexcept)?) \{ [^\n{}]*(?:\{[^\n]*\})?[^\n{}]* \}", r"\1;", body)
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def page():
    parts = [HEADING]
    for title, headers in listed_headers((SOURCES / "wordsway/wordsway.h").read_text(encoding="utf-8")):
        parts.append(f"## {title}\n")
        for header in headers:
            text = (SOURCES / header).read_text(encoding="utf-8")
            parts.append(f"### `{header}`\n\n```text\n{opening_comment(text)}\n```\n\n```cpp\n{declarations(text)}\n```\n")
    return "\n".join(parts)


def main(arguments):
    if arguments == ["--check"]:
        if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page():
            print("docs/api.md is not what the headers say; run scripts/api_page.py")
            return 1
        return 0
    if arguments:
        sys.exit(__doc__)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
