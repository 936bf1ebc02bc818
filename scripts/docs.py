#!/usr/bin/env python3
"""The documentation as a site, and whether everything that it names is there.

    scripts/docs.py check                    every link and every `path/in/the/tree` of the pages leads to a file
    scripts/docs.py stage REFERENCE FOLDER   copies the pages as a site has them to FOLDER; REFERENCE is where
                                             wordsway_reference wrote the pages of the commands

Needs Python alone. `make docs` builds the site from FOLDER with mkdocs.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]*)(#[^)\s]*)?\)")
# By readers of docs/adding_a_map.md, adding_data.md and adding_a_question.md.
TO_BE_WRITTEN = {"src/wordsway/maps/raf_power.cpp", "src/wordsway/data/made_up/topics.cpp",
                 "src/wordsway/ask/questions/order.cpp"}
CITED = re.compile(r"`((?:app|bench|cmake|docs|examples|fuzz|models|python|scripts|src|tests|training)/[\w./-]*[\w/])`")


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [pathlib.Path(line) for line in listed.stdout.splitlines() if (ROOT / line).exists()]


def pages(files):
    """Pages for readers: not those of golden files, which say what a script wrote."""
    return [f for f in files if f.suffix == ".md" and f.parts[0] not in ("tests",)]


def without_code(text):
    return re.sub(r"(?ms)^```.*?^```|^(?: {4}|\t).*?$", "", text)


def heading_anchors(text):
    """As GitHub and mkdocs make them of plain headings."""
    anchors = set()
    for title in re.findall(r"(?m)^#+ (.*)$", text):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", title).lower())
        anchors.add(words.strip().replace(" ", "-"))
    return anchors


def is_there(path):
    """`src/x/y` may stand for y.h and y.cpp, and NAME for any name."""
    return (ROOT / path).exists() or "NAME" in path or path in TO_BE_WRITTEN or bool(list(ROOT.glob(path + ".*")))


def broken(page):
    text = without_code((ROOT / page).read_text())
    wrong = []
    for target, anchor in LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        path = (ROOT / page.parent / target) if target else ROOT / page
        if not path.exists():
            wrong.append(f"{page}: the link to {target} leads nowhere")
        elif anchor and path.suffix == ".md" and anchor[1:] not in heading_anchors(path.read_text()):
            wrong.append(f"{page}: {target or page} has no heading {anchor}")
    wrong += [f"{page}: {path} is not there" for path in CITED.findall(text) if not is_there(path)]
    return wrong


def check():
    wrong = [line for page in pages(tracked()) for line in broken(page)]
    print("\n".join(wrong) or "every link and every path of the pages leads to a file")
    return 1 if wrong else 0


def stage(reference, folder):
    files = tracked()
    shutil.rmtree(folder, ignore_errors=True)
    wanted = set(pages(files))
    for page in list(wanted):
        for target, _ in LINK.findall(without_code((ROOT / page).read_text())):
            path = (ROOT / page.parent / target).resolve()
            if target and "://" not in target and path.is_file():
                wanted.add(path.relative_to(ROOT))
    for page in wanted:
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / page, folder / page)
    shutil.copytree(reference / "commands", folder / "commands")
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments == ["check"]:
        sys.exit(check())
    if len(arguments) == 3 and arguments[0] == "stage":
        sys.exit(stage(pathlib.Path(arguments[1]), pathlib.Path(arguments[2])))
    sys.exit(__doc__)
