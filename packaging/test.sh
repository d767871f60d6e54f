#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds and passes the test suite: everything under ASan and UBSan, what runs on threads
# under TSan, and a suite against real mail servers where those may be used. --full adds fuzzing, soak, benchmarks.
set -uo pipefail

usage() {
    cat <<'TEXT'
usage: packaging/test.sh [--full] [--no-setup] [--fuzz-seconds N]

The tests against real servers need root; started by another user, neither the servers are installed nor these run.

  --full            also each fuzz target (five minutes), the soak run and the benchmarks
  --no-setup        do not look for missing packages
  --fuzz-seconds N  the length of each fuzz target's run with --full (default 300)
TEXT
}

root=$(cd "$(dirname "$(realpath "$0")")/.." && pwd)
full=no setup=yes fuzz_seconds=300
while [ $# -gt 0 ]; do
    case $1 in
        --full) full=yes ;;
        --no-setup) setup=no ;;
        --fuzz-seconds)
            [ $# -ge 2 ] || { usage >&2; exit 2; }
            fuzz_seconds=$2
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
cd "$root" || exit 1
mkdir -p build
jobs=$(nproc)

# --- steps and their summary ------------------------------------------------------------------------------------

summary=()
failures=0
# step NAME COMMAND…: runs it, notes how it ended and how long it took. Later steps run all the same.
step() {
    local name=$1 began=$SECONDS ended=passed
    shift
    printf '\n=== %s\n' "$name"
    if ! "$@"; then
        ended=FAILED
        failures=$((failures + 1))
    fi
    summary+=("$(printf '%-44s %-8s %5d s' "$name" "$ended" $((SECONDS - began)))")
    [ $ended = passed ]
}

finish() {
    printf '\n=== summary\n'
    printf '%s\n' "${summary[@]}"
    printf '%-44s %-8s %5d s\n' total "$([ $failures = 0 ] && echo passed || echo FAILED)" $SECONDS
    [ $failures = 0 ]
    exit
}

# Real servers that a test was cut off from, by Ctrl+C, its time limit or a crash: they are daemons and would stay.
SERVERS_LIST=$(mktemp) # mail_servers.sh writes there what it starts
export SERVERS_LIST
stop_left_servers() {
    local folder
    while read -r folder; do
        if [ -d "$folder" ]; then bash tests/support/mail_servers.sh stop "$folder"; fi
    done < "$SERVERS_LIST"
    rm -f "$SERVERS_LIST"
}
trap 'for left in $(jobs -p); do kill "$left" 2> /dev/null; done; stop_left_servers' EXIT
trap 'exit 130' INT TERM HUP

# Always: a tree may have been configured with other options, or when a package was missing. It takes a second.
configure() {
    local preset=$1
    shift
    cmake --preset "$preset" "$@" > "build/$preset.log" 2>&1 || { tail -n 40 "build/$preset.log"; return 1; }
}
build() { # PRESET TARGET…
    local preset=$1
    shift
    ninja -C "build/$preset" -j "$jobs" "$@"
}
# TSan of GCC 12 and 13 cannot map its shadow where the kernel randomises addresses widely.
fixed_addresses=()
if setarch -R true 2> /dev/null; then fixed_addresses=(setarch -R); fi
tests() { # PRESET CTEST-OPTIONS…
    local preset=$1
    shift
    "${fixed_addresses[@]}" ctest --test-dir "build/$preset" --output-on-failure --no-tests=error "$@"
}

# --- what every run does ----------------------------------------------------------------------------------------

if [ $setup = yes ]; then
    options=()
    [ "$(id -u)" = 0 ] && options+=(--with-test-servers) # nobody else can start them
    [ $full = yes ] && options+=(--full)
    step "packages" bash packaging/setup.sh "${options[@]}" || finish
fi

# Warnings are errors with the compiler that the sources are kept clean with.
werror=OFF
case $(g++ -dumpversion) in 12*) werror=ON ;; esac

# What goes on beside the steps. The tests against real servers run one after the other and wait most of the time, as many
# others do; meanwhile the processors build. The tests go first, therefore builds beside them have the lowest priority.
beside() { # LOG COMMAND…: its process is in $!
    local log=$1
    shift
    "$@" > "$log" 2>&1 &
}
end_of() { # PROCESS LOG
    local status=0
    wait "$1" || status=$?
    cat "$2"
    return $status
}
# exec: a signal to them reaches ctest and ninja.
server_tests() { exec "${fixed_addresses[@]}" ctest --test-dir build/asan --output-on-failure --no-tests=error -L 'server'; }
build_tsan() { configure tsan && exec nice -n 19 ninja -C build/tsan -j "$jobs" threads_tests; }

servers=
if reason=$(bash tests/support/mail_servers.sh check); then
    step "asan: build of what real servers test" \
        eval "configure asan -DLOADSTONE_WERROR=$werror && build asan server_tests" || finish
    beside build/server-tests.log server_tests
    servers=$!
else
    summary+=("$(printf '%-44s skipped: %s' "real servers" "$reason")")
    step "asan: configuration" configure asan "-DLOADSTONE_WERROR=$werror" || finish
fi
step "asan: rest of the build" nice -n 19 ninja -C build/asan -j "$jobs" || finish
beside build/tsan-build.log build_tsan
tsan_build=$!
if [ -n "$servers" ]; then step "real servers: rest of their tests" end_of "$servers" build/server-tests.log; fi
step "asan: tests" tests asan -LE 'server' -j "$jobs"
step "tsan: rest of the build" end_of "$tsan_build" build/tsan-build.log \
    && step "tsan: tests" tests tsan -L threads -j "$jobs"

# --- what takes long --------------------------------------------------------------------------------------------

if [ $full = yes ]; then
    if step "fuzz: build" eval "configure fuzz && build fuzz fuzzers"; then
        for fuzzer in build/fuzz/bin/*_fuzz; do
            name=$(basename "$fuzzer")
            corpus=build/fuzz/corpus/$name
            mkdir -p "$corpus" "build/fuzz/findings"
            step "fuzz: $name" "$fuzzer" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=2048 \
                -artifact_prefix="build/fuzz/findings/$name-" -print_final_stats=1 -verbosity=0 \
                "$corpus" "tests/fuzz/corpus/${name%_fuzz}"
        done
    fi
    step "release: build" eval "configure release && build release" \
        && step "release: soak and benchmarks" tests release -C Long -L 'bench|soak'
fi
finish
