#!/usr/bin/env bash
# page.sh [--optional] [PYTEST OPTIONS]: looks at the page of `wordsway serve` in Chromium (tests/page), with Selenium
# in a virtual environment of its own (build/page), and checks the types of its scripts. Screenshots go to
# build/page-shots. With
# --optional, where Chromium or the packages from PyPI are missing, one line says so and nothing fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

optional=no
if [[ ${1:-} == --optional ]]; then
  optional=yes
  shift
fi
environment=build/page
log=build/page.log

give_up() {
  echo "The page was not looked at: $1." >&2
  [[ $optional == yes ]] && exit 0
  exit 1
}

scripts/page_types.sh || [[ $? == 77 ]]
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || give_up "there is no Chromium (Debian: apt install chromium)"
command -v chromedriver >/dev/null || give_up "there is no chromedriver (Debian: apt install chromium-driver)"
mkdir -p build
if ! "$environment/bin/python" -c 'import pytest, selenium' 2>/dev/null; then
  "${PYTHON:-python3}" -m venv "$environment" >"$log" 2>&1 || give_up "there is no Python with venv (Debian: python3-venv)"
  "$environment/bin/pip" install -q --disable-pip-version-check pytest 'selenium>=4.20' >>"$log" 2>&1 || give_up "PyPI cannot be reached"
fi
WORDSWAY_PROGRAM=$PWD/build/release/bin/wordsway "$environment/bin/python" -m pytest -q -p no:cacheprovider tests/page "$@"
