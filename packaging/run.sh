#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and runs the main job: with a display the workbench, opened on a first run
# against the embedded target; without one the same run headless, ending with its result table and its report.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: packaging/run.sh [--headless] [--plan PLAN] [--no-setup]

  --headless   run on the command line even where there is a display
  --plan PLAN  run this plan: a file, or the name of one in resources/plans (default: first-run)
  --no-setup   do not look for missing packages
TEXT
}

root=$(cd "$(dirname "$(realpath "$0")")/.." && pwd)
plan=first-run
headless=no setup=yes
while [ $# -gt 0 ]; do
    case $1 in
        --headless) headless=yes ;;
        --plan)
            [ $# -ge 2 ] || { usage >&2; exit 2; }
            plan=$2
            shift
            ;;
        --no-setup) setup=no ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then headless=yes; fi

with_ui=ON setup_options=() targets=(loadstone loadstone-workbench)
if [ $headless = yes ]; then with_ui=OFF setup_options=(--without-ui) targets=(loadstone); fi
if [ $setup = yes ]; then bash "$root/packaging/setup.sh" "${setup_options[@]}"; fi

# Ninja configures again by itself when a CMake file changed; only what it cannot see is looked at here. A tree that
# is configured with the workbench stays so.
build=$root/build/release
configured=$(sed -n 's/^LOADSTONE_BUILD_UI:BOOL=//p' "$build/CMakeCache.txt" 2> /dev/null || true)
if [ ! -e "$build/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$build/build.ninja" ] \
    || { [ $with_ui = ON ] && [ "$configured" != ON ]; }; then
    [ "$configured" = ON ] && with_ui=ON
    echo "run: configuring $build"
    mkdir -p "$root/build"
    (cd "$root" && cmake --preset release -DLOADSTONE_BUILD_UI=$with_ui > "$build.log" 2>&1) \
        || { tail -n 40 "$build.log" >&2; exit 1; }
fi
ninja -C "$build" "${targets[@]}"

if [ $headless = no ]; then exec "$build/bin/loadstone-workbench" --plan "$plan" --run; fi
reports=$root/build/reports
mkdir -p "$reports"
exec "$build/bin/loadstone" run "$plan" --report "$reports/$(basename "$plan" .toml)-$(date +%Y%m%d-%H%M%S).html"
