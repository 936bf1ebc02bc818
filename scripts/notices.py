#!/usr/bin/env python3
"""notices.py: writes THIRD_PARTY_NOTICES.txt, the licences of what is compiled or linked into packages of wordsway.

Run it on Debian with the packages of `make build`, in an environment that has nanobind (build/python/bin/python). It
is run when a library is added or Debian changes; the file is kept in the repository, since a machine that builds a
package may have no /usr/share/doc.
"""
import importlib.metadata
import pathlib
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBIAN = {
    "libeigen3-dev": "Eigen, headers; of it only files under the MPL 2.0 are used, unchanged (source: https://eigen.tuxfamily.org)",
    "libfmt-dev": "fmt, compiled from its headers",
    "nlohmann-json3-dev": "JSON for Modern C++, headers",
    "libcli11-dev": "CLI11, headers, in the program",
    "libcpp-httplib-dev": "cpp-httplib, in the program",
    "libssl3": "OpenSSL, which Debian's cpp-httplib needs, in wheels",
    "libbrotli1": "Brotli, likewise",
    "librandom123-dev": "Random123, headers",
    "libxxhash-dev": "xxHash, headers",
    "libutf8proc-dev": "utf8proc, linked in",
    "zlib1g-dev": "zlib, linked in",
    "wordnet-base": "WordNet 3.0, of which the lexicon is made",
    "liblzma-dev": "liblzma of XZ Utils, linked in; only the library, which is in the public domain",
}
HEAD = """\
wordsway is under the MIT licence (LICENSE). Its packages contain parts of the libraries below, whose licences follow as Debian 12 gives them for
each source package; some parts of those packages that are named there are not in wordsway. The C++ and C libraries of the
system are not in the package.
"""


def section(title, text):
    return f"{'=' * 100}\n{title}\n{'=' * 100}\n\n{text.strip()}\n"


def debian(package, use):
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout
    return section(f"{use} ({package} {version})", pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text())


def main():
    nanobind = importlib.metadata.distribution("nanobind")
    licence = next(path for path in nanobind.files if path.name == "LICENSE")
    parts = [textwrap.fill(HEAD, 100) + "\n", *(debian(*item) for item in DEBIAN.items()),
             section(f"nanobind {nanobind.version}, headers, in the Python module", licence.read_text())]
    for title, name in {"Mozilla Public License 2.0, the licence of Eigen": "MPL-2.0", "Apache License 2.0, the licence of OpenSSL": "Apache-2.0"}.items():
        parts.append(section(title, pathlib.Path(f"/usr/share/common-licenses/{name}").read_text()))
    (ROOT / "THIRD_PARTY_NOTICES.txt").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
