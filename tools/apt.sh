#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian/Ubuntu packages of the named groups, if any are missing. Asks nothing.
#
#   tools/apt.sh build test
#
# With everything there it takes some 20 ms: one dpkg-query, no network.
# `tools/apt.sh --missing library` only lists them, one line, nothing if all are there or if this is no Debian.
# PATCHFIELD_NO_APT=1 only reports what is missing, for people who install by other means.
set -euo pipefail
cd "$(dirname "$0")/.."

only_list=
[ "${1:-}" = --missing ] && only_list=1 && shift

packages_of() {
  case $1 in
    # What compiling needs, by pip too.
    library)
      echo g++ pkg-config
      echo libeigen3-dev libhwy-dev libtbb-dev libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev
      echo libsundials-dev libassimp-dev libboost-dev libpugixml-dev libyaml-cpp-dev
      ;;
    build)
      packages_of library
      echo cmake ninja-build ccache git ca-certificates librsvg2-bin
      tools/python.sh --packages
      ;;
    # What the Chromium of the viewer's tests loads; npm brings itself.
    test) echo libgtest-dev libnss3 libexpat1 ;;
    bench) echo libbenchmark-dev ;;
    # The formatter's version decides the layout of the code: 19, or the newest there is.
    lint) local v; v=$(tools/llvm.sh); echo "clang-format-$v clang-tidy-$v" ;;
    # compiler-rt (libFuzzer and the sanitizers) came with clang itself before 14.
    fuzz) local v; v=$(tools/llvm.sh); echo "clang-$v libclang-rt-$v-dev" ;;
    # Drake's wheel loads these. Ubuntu 24.04 renamed the last one; libglib2.0-0t64 still answers to the old name
    # in apt-get, but not in dpkg-query.
    peers) echo libx11-6 libsm6; [[ $(. /etc/os-release && echo "$ID $VERSION_ID") == "ubuntu 24.04" ]] \
      && echo libglib2.0-0t64 || echo libglib2.0-0 ;;
    *) echo "tools/apt.sh: unknown group '$1'; groups are library build test bench lint fuzz peers" >&2; return 1 ;;
  esac
}

have_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

export DEBIAN_FRONTEND=noninteractive
sudo=
[ "$(id -u)" -eq 0 ] || sudo="sudo DEBIAN_FRONTEND=noninteractive"

refresh_lists() {
  [ -n "${refreshed:-}" ] && return 0
  refreshed=1
  echo "apt: refreshing the package lists"
  [ -z "$sudo" ] || command -v sudo >/dev/null || fail "packages are missing and neither root nor sudo is at hand"
  $sudo apt-get update -qq || fail "the package lists could not be fetched"
}

fail() {
  cat >&2 <<MESSAGE

$1.
Check the network and the package sources of this machine, then run make again. By hand it is:
    apt-get update && apt-get install ${missing[*]:-<the packages above>}
MESSAGE
  exit 1
}

# Which clang there is can only be looked up with package lists, which a fresh image does not have.
if [[ " $* " =~ \ (lint|fuzz)\  ]] && have_apt && [ -z "${PATCHFIELD_NO_APT:-}" ] \
  && ! tools/llvm.sh --known >/dev/null; then
  refresh_lists
fi

wanted=()
for group in "$@"; do
  list=$(packages_of "$group")
  read -r -d '' -a words <<<"$list" || true
  wanted+=("${words[@]}")
done

if ! have_apt; then
  [ -n "$only_list" ] && exit 0
  echo "tools/apt.sh: this is not Debian or Ubuntu; please make sure that these are installed: ${wanted[*]}" >&2
  exit 0
fi

# "package:status" lines; packages that dpkg never heard of give no line, hence the set difference.
installed=" $(dpkg-query -W -f '${Package}:${db:Status-Abbrev}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/:ii *$//p' | tr '\n' ' ' || true) "
missing=()
for package in "${wanted[@]}"; do
  [[ $installed == *" $package "* ]] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ -n "$only_list" ]; then
  echo "${missing[*]}"
  exit 0
fi

if [ -n "${PATCHFIELD_NO_APT:-}" ]; then
  echo "apt: not installed (PATCHFIELD_NO_APT is set): ${missing[*]}"
  exit 0
fi

echo "apt: installing ${missing[*]}"
refresh_lists
# shellcheck disable=SC2086  # $sudo is two words or none
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/patchfield-apt.$$.log 2>&1 || {
  tail -n 20 /tmp/patchfield-apt.$$.log >&2
  rm -f /tmp/patchfield-apt.$$.log
  fail "apt-get could not install: ${missing[*]}"
}
rm -f /tmp/patchfield-apt.$$.log
