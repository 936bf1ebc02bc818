#!/usr/bin/env bash
# Builds the documentation as a site into build/site, with mkdocs-material from PyPI; links that lead nowhere are
# errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=build/docs-venv
python3 scripts/docs.py check
build/release/bin/wordsway_reference build/reference
python3 scripts/docs.py stage build/reference build/docs
[[ -x $venv/bin/mkdocs ]] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'mkdocs-material>=9,<10'; }
NO_MKDOCS_2_WARNING=1 "$venv/bin/mkdocs" build --quiet
echo "-> build/site/index.html"
