#!/usr/bin/env python3
"""check_wheel.py WHEEL TAG: looks at a release wheel, and gives it its platform tag.

auditwheel must find that the wheel needs nothing but what TAG (manylinux_2_36_x86_64) promises. Nothing is copied
into the wheel for that, as `auditwheel repair` would: it would move our libraries out of the folders in which the
loader looks for them. The wheel must also have the licences, both built-in models and every level, no MPI, and no
library that the loader would not find in it. Then it is compressed once more, by a slower search for the shortest
(advzip, of Debian's advancecomp), and must have at most 30 MB. Prints the new name.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

LIMIT = 30_000_000
NEEDED = [r"\.dist-info/licenses/LICENSE$", r"\.dist-info/licenses/THIRD_PARTY_NOTICES\.txt$", r"^wordsway/bin/wordsway$", r"^wordsway/_core\..*so$",
          r"^wordsway/share/wordsway/models/builtin/model\.safetensors$", r"^wordsway/share/wordsway/models/builtin-decoder/model\.safetensors$",
          r"^wordsway/lib/libwordsway\.so\.[0-9.]+$", r"^wordsway/lib/libwordsway_kernels\.so\.[0-9.]+$"]
LEVELS = {"x86_64": ["x86-64-v3", "x86-64-v4"], "aarch64": []}


def refuse(sentence):
    sys.exit(f"check_wheel.py: {sentence}")


def check_needs(archive, names):
    """auditwheel takes what lies in the wheel as found, wherever the loader looks. Here: every library of the wheel
    that something in it needs is named by the program or the module, in whose RUNPATH it lies, and none is there for
    nothing."""
    inside = {pathlib.PurePath(name).name for name in names if name.startswith("wordsway/lib/")}
    needed = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if name.startswith(("wordsway/lib/", "wordsway/bin/", "wordsway/_core.")) and not name.endswith(".pyi"):
                file = archive.extract(name, folder)
                listed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
                needed[name] = set(re.findall(r"\(NEEDED\).*\[(.*)\]", listed))
    named = set().union(*(needs for name, needs in needed.items() if not name.startswith("wordsway/lib/")))
    if named & inside != inside:
        refuse(f"the program and the module do not name {', '.join(sorted(inside - named))}: the loader would look elsewhere")


def main():
    wheel, tag = pathlib.Path(sys.argv[1]), sys.argv[2]
    architecture = re.fullmatch(r"manylinux_\d+_\d+_(\w+)", tag)[1]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for pattern in NEEDED + [rf"^wordsway/lib/glibc-hwcaps/{level}/libwordsway_kernels\.so\.[0-9.]+$" for level in LEVELS[architecture]]:
            if not any(re.search(pattern, name) for name in names):
                refuse(f"{wheel.name} has nothing like {pattern}")
        for name in names:
            if re.search(rb"libmpi|libfmt\.so|MPI_Init", archive.read(name)) and re.search(r"\.so|/bin/", name):
                refuse(f"{name} in {wheel.name} needs MPI or fmt")
        check_needs(archive, names)
    shown = " ".join(subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True, check=True).stdout.split())
    best = re.search(r'is consistent with the following platform tag: "(\w+)"', shown)
    version = lambda name: [int(part) for part in re.findall(r"\d+", name)[:2]]
    if not best or not best[1].startswith("manylinux") or version(best[1]) > version(tag):
        refuse(f"auditwheel does not give {wheel.name} the tag {tag}: {shown}")
    tagged = subprocess.run([sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheel], capture_output=True, text=True, check=True)
    wheel = wheel.parent / tagged.stdout.strip().splitlines()[-1]
    subprocess.run(["advzip", "--recompress", "--shrink-extra", "--quiet", wheel], check=True)
    if wheel.stat().st_size > LIMIT:
        refuse(f"{wheel.name} has {wheel.stat().st_size} bytes, and {LIMIT} are allowed")
    print(wheel)


if __name__ == "__main__":
    main()
