#!/usr/bin/env bash
# page_types.sh: checks the types of the page (JSDoc in app/page, contracts in app/page_types.d.ts) with TypeScript.
# Exits 77, with a line that says so, where there is no tsc (Debian: node-typescript).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v tsc >/dev/null; then
  echo "The types of the page were not checked: there is no tsc (Debian: apt install node-typescript)." >&2
  exit 77
fi
tsc --noEmit --checkJs --allowJs --strict --noUnusedLocals --target es2022 --module es2022 --lib es2022,dom,dom.iterable \
  app/page/*.js app/page_types.d.ts
