#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Another computer: a virtual machine with a kernel of its own, which sees this machine's files (read-only, what it writes stays in its
# memory) and runs a private Postfix and Dovecot, node_exporter and sshd. Its ports are forwarded to loopback ports of this machine, and it reaches
# nothing else.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

usage() {
    cat <<'TEXT'
usage: tests/support/guest.sh check | start DIR | stop DIR | run DIR COMMAND

  check   exit 0 when a guest can be started here; otherwise 77 and the reason on standard output
  start   boots it below DIR and returns when its servers answer; DIR must be new or stopped
  stop    ends it, if it runs; DIR and its logs stay
  run     runs a shell command in the guest, over ssh

DIR/console.log is its console, DIR/ssh_config the configuration of ssh for the host name "guest". Variables: SMTP_PORT (22025), POP3_PORT
(22110), IMAP_PORT (22143), EXPORTER_PORT (22100), SSH_PORT (22022): of this machine's loopback; PROCESSORS (1); MEMORY (1024, MB);
GUEST_CACHE (/var/cache/loadstone-guest): where the kernel and its modules are kept; EXTRA_MODULES: more of them, for a cache of its own; QEMU_OPTIONS: more
of QEMU's; SERVICES (yes): no starts sshd alone.
ACCELERATOR (tcg: an emulated processor, which runs everywhere; kvm). start needs root, QEMU, openssh-server, prometheus-node-exporter,
Postfix and Dovecot; the first start loads a kernel and a busybox with apt.
TEXT
}

: "${SMTP_PORT:=22025}" "${POP3_PORT:=22110}" "${IMAP_PORT:=22143}" "${EXPORTER_PORT:=22100}" "${SSH_PORT:=22022}"
: "${EXTRA_MODULES:=}" "${QEMU_OPTIONS:=}" "${SERVICES:=yes}"
: "${PROCESSORS:=1}" "${MEMORY:=1024}" "${ACCELERATOR:=tcg}" "${GUEST_CACHE:=/var/cache/loadstone-guest}"
readonly kSkip=77 kBootSeconds=240

skip() { echo "$*"; exit $kSkip; }
die() { printf 'guest: %s\n' "$*" >&2; exit 1; }

check() {
    local program
    [ "$(id -u)" = 0 ] || skip "the guest needs root"
    local -a programs=(qemu-system-x86_64 apt-get dpkg-deb cpio /usr/sbin/sshd)
    [ "$SERVICES" = no ] || programs+=(prometheus-node-exporter postfix dovecot)
    for program in "${programs[@]}"; do
        command -v "$program" > /dev/null || skip "$program is not installed (packaging/setup.sh --with-test-servers --with-guest)"
    done
}

# The distribution's kernel and the modules that find the root file system.
make_kernel() {
    [ ! -e "$GUEST_CACHE/initrd" ] || return 0
    local package work=$GUEST_CACHE/work version module
    mkdir -p "$work/initrd"/{bin,proc,sys,dev,lower,upper,new}
    package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
    (cd "$work" && apt-get download "$package" busybox-static > download.log 2>&1) \
        || die "$package and busybox-static cannot be loaded: $(tail -n 1 "$work/download.log")"
    dpkg-deb -x "$work"/"$package"_*.deb "$work/package"
    dpkg-deb -x "$work"/busybox-static_*.deb "$work/busybox"
    version=$(ls "$work/package/lib/modules")
    depmod -b "$work/package" "$version"
    for module in virtio_pci virtio_net 9p 9pnet_virtio overlay $EXTRA_MODULES; do
        modprobe -d "$work/package" -S "$version" --show-depends "$module" | awk '/^insmod/ { print $2 }'
    done | awk '!seen[$0]++' > "$work/modules"
    while read -r module; do
        cp "$module" "$work/initrd/"
        echo "insmod /$(basename "$module")"
    done < "$work/modules" > "$work/initrd/modules.sh"
    cp "$work/busybox/bin/busybox" "$work/initrd/bin/"
    cat > "$work/initrd/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
. /modules.sh
mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=262144,cache=loose root /lower || echo "guest: no root file system"
mount -t tmpfs tmp /upper
mkdir /upper/files /upper/work
mount -t overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work root /new || echo "guest: no overlay"
for folder in proc sys dev; do mount --move /$folder /new/$folder; done
exec switch_root /new /bin/bash "$(sed 's/.*guest_init=\([^ ]*\).*/\1/' /new/proc/cmdline)"
INIT
    chmod +x "$work/initrd/init"
    cp "$work/package/boot/vmlinuz-$version" "$GUEST_CACHE/kernel"
    (cd "$work/initrd" && find . | cpio -o -H newc --quiet | gzip -1) > "$GUEST_CACHE/initrd.part"
    mv "$GUEST_CACHE/initrd.part" "$GUEST_CACHE/initrd"
    rm -rf "$work"
}

write_keys() {
    ssh-keygen -q -t ed25519 -N "" -f "$dir/user_key"
    ssh-keygen -q -t ed25519 -N "" -f "$dir/host_key"
    printf '[127.0.0.1]:%s %s\n' "$SSH_PORT" "$(cut -d' ' -f1,2 "$dir/host_key.pub")" > "$dir/known_hosts"
    cat > "$dir/ssh_config" <<C
Host guest
  HostName 127.0.0.1
  Port $SSH_PORT
  User root
  IdentityFile $dir/user_key
  IdentitiesOnly yes
  UserKnownHostsFile $dir/known_hosts
  StrictHostKeyChecking yes
  LogLevel ERROR
C
}

start() {
    dir=$1
    check
    mkdir -p "$dir" "$GUEST_CACHE"
    dir=$(realpath "$dir")
    [ ! -e "$dir/pid" ] || die "$dir is in use: stop it first"
    make_kernel
    rm -f "$dir"/*_key* "$dir/ready"
    write_keys
    cat > "$dir/init.sh" <<I
SERVICES=$SERVICES exec bash "$here/guest_init.sh" "$dir"
I
    local -a forward=() more=()
    read -r -a more <<< "$QEMU_OPTIONS"
    local pair
    for pair in "$SMTP_PORT:21025" "$POP3_PORT:21110" "$IMAP_PORT:21143" "$EXPORTER_PORT:9100" "$SSH_PORT:22"; do
        forward+=("hostfwd=tcp:127.0.0.1:${pair%:*}-:${pair#*:}")
    done
    qemu-system-x86_64 -M q35 -accel "$ACCELERATOR" -cpu max -smp "$PROCESSORS" -m "$MEMORY" -display none -no-reboot -daemonize \
        -pidfile "$dir/pid" -serial "file:$dir/console.log" -kernel "$GUEST_CACHE/kernel" -initrd "$GUEST_CACHE/initrd" \
        -append "console=ttyS0 quiet panic=-1 guest_init=$dir/init.sh" \
        -virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap \
        -netdev "user,id=net,restrict=on,$(IFS=,; echo "${forward[*]}")" -device virtio-net-pci,netdev=net \
        "${more[@]}" 2> "$dir/qemu.log" || die "$(tail -n 1 "$dir/qemu.log")"
    trap 'stop "$dir"' EXIT
    local second
    for ((second = 0; second < kBootSeconds; ++second)); do
        kill -0 "$(cat "$dir/pid")" 2> /dev/null || die "it ended: $(tail -n 3 "$dir/console.log")"
        if grep -q '^guest: ready' "$dir/console.log" && run "$dir" true 2> /dev/null; then
            trap - EXIT
            return
        fi
        sleep 1
    done
    die "not ready after $kBootSeconds s: $(tail -n 3 "$dir/console.log")"
}

stop() {
    dir=$1
    [ -e "$dir/pid" ] || return 0
    local pid second
    pid=$(cat "$dir/pid")
    kill "$pid" 2> /dev/null || true
    for ((second = 0; second < 20; ++second)); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 1
    done
    rm -f "$dir/pid"
}

run() { ssh -F "$1/ssh_config" -o ConnectTimeout=5 guest "${@:2}"; }

case ${1:-} in
    check) check ;;
    start) start "${2:?}" ;;
    stop) stop "${2:?}" ;;
    run) run "${2:?}" "${@:3}" ;;
    -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
