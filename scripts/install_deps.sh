#!/usr/bin/env bash
# install_deps.sh GROUP... [--optional GROUP...]: makes sure that the packages of these groups (scripts/packages.txt)
# are installed. Of the optional ones a remark says what is missing, and nothing stops.
#
# Silent, fast and offline when nothing is missing. On Debian and Ubuntu the missing ones are installed with apt-get
# (through sudo when not root); elsewhere they are named and the script stops, unless all tools and headers are found.
# WORDSWAY_SKIP_DEPS=1 skips the check.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
list=$here/packages.txt

usage() {
  echo "usage: $0 GROUP... [--optional GROUP...]   groups: $(awk '/^[a-z]/ {print $1}' "$list" | sort -u | paste -sd' ')" >&2
  exit 2
}

# Lines "package probe" of the wanted groups.
wanted() {
  awk -v groups="$*" 'BEGIN {split(groups, g, " "); for (i in g) want[g[i]] = 1} /^[a-z]/ && $1 in want {print $2, $3}' "$list"
}

# Those of the given packages that dpkg does not have, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "installed" {print $2}' || true)
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed" | sort -u)
}

# Is this command on the PATH, this library where the loader looks, this header where compilers and prefixes look, is
# there this file, is this character in some font?
found() {
  local kind=${1%%:*} name=${1#*:} prefix
  if [[ $kind == command ]]; then
    command -v "$name" >/dev/null
    return
  fi
  if [[ $kind == library ]]; then
    ldconfig -p 2>/dev/null | grep -qF "$name "
    return
  fi
  if [[ $kind == file ]]; then
    [[ -e $name || -e ${WORDSWAY_WORDNET_DIR:-/nowhere}/$(basename "$name") ]]
    return
  fi
  if [[ $kind == font ]]; then
    [[ -n $(fc-list ":charset=$name" 2>/dev/null) ]]
    return
  fi
  local -a places=(/usr/include /usr/local/include /opt/homebrew/include)
  IFS=';:' read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-};${CONDA_PREFIX:-}"
  for prefix in "${prefixes[@]}"; do [[ -n $prefix ]] && places+=("$prefix/include"); done
  for prefix in "${places[@]}"; do
    [[ -e $prefix/$name || -e $prefix/eigen3/$name ]] && return
  done
  [[ -n ${CPATH:-} ]] && echo "#include <$name>" | g++ -E -x c++ - >/dev/null 2>&1
}

install_with_apt() {
  local -a root=()
  if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing, and installing them needs root (there is no sudo). As root, run" >&2
      echo "  apt-get install $*" >&2
      exit 1
    fi
    root=(sudo)
  fi
  local -a apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q)
  echo "Installing: $*" >&2
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >&2; then
    echo "apt-get could not install: $*" >&2
    echo "Install them yourself and try again, or set WORDSWAY_SKIP_DEPS=1 if you have them from elsewhere." >&2
    exit 1
  fi
}

check_without_apt() {
  local package probe
  local -a absent=()
  while read -r package probe; do
    found "$probe" || absent+=("$package (${probe/:/ })")
  done
  ((${#absent[@]} == 0)) && return
  {
    echo "This system has no apt-get. Please install, under whatever names it has here:"
    printf '  %s\n' "${absent[@]}"
    echo "or set WORDSWAY_SKIP_DEPS=1 if they are somewhere that only CMake finds."
  } >&2
  exit 1
}

install_groups() {
  local -a packages missing
  if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    mapfile -t packages < <(wanted "$@" | cut -d' ' -f1)
    mapfile -t missing < <(missing_packages "${packages[@]}")
    ((${#missing[@]} == 0)) || install_with_apt "${missing[@]}"
  else
    check_without_apt < <(wanted "$@")
  fi
}

required=() optional=()
into=required
for group in "$@"; do
  if [[ $group == --optional ]]; then
    into=optional
  else
    grep -q "^$group " "$list" || usage
    declare -n groups=$into
    groups+=("$group")
  fi
done
((${#required[@]} + ${#optional[@]} > 0)) || usage
[[ ${WORDSWAY_SKIP_DEPS:-} == 1 ]] && exit 0
((${#required[@]} == 0)) || install_groups "${required[@]}"
for group in "${optional[@]}"; do
  (install_groups "$group") || echo "Going on without: $group." >&2
done
