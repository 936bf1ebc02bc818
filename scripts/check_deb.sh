#!/usr/bin/env bash
# check_deb.sh FILE.deb: unpacks a package and tries what is in it, without installing it.
set -euo pipefail
package=${1:?FILE.deb is missing}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-deb --info "$package"
dpkg-deb --extract "$package" "$folder"
root=$folder/usr

fail() {
  echo "check_deb.sh: $*" >&2
  exit 1
}
for file in bin/wordsway share/man/man1/wordsway.1.gz share/man/man1/wordsway-words.1.gz \
  share/bash-completion/completions/wordsway share/zsh/vendor-completions/_wordsway \
  share/fish/vendor_completions.d/wordsway.fish share/doc/wordsway/copyright share/wordsway/models/builtin/config.json \
  share/wordsway/models/builtin-decoder/config.json; do
  [[ -s $root/$file ]] || fail "$package has no $file"
done
[[ $("$root/bin/wordsway" --version | head -1) == "wordsway $(dpkg-deb --field "$package" Version | sed 's/-.*//')" ]] ||
  fail "the program says another version than the package"
# The models of the package and not those of the source tree.
"$root/bin/wordsway" list models --format csv | grep -qF "$root/share/wordsway/models/builtin" ||
  fail "the program does not find its models"
"$root/bin/wordsway" words "the film was not good" --format csv | grep -q '^.*not' || fail "words does not work"
"$root/bin/wordsway" answers >/dev/null || fail "answers does not work"
# zlib is in our libraries on purpose (docs/decisions/0015-levels.md): the same objects are in wheels.
lintian --fail-on error --suppress-tags embedded-library "$package" || fail "lintian finds errors"
du -h "$package"
