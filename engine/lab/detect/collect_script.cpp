// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/lab_detect.h>

namespace loadstone {

const std::string& detectionScript()
{
    // Short files are read by the shell itself: a process for each of a thousand files of sysfs would take seconds. What is written
    // is what engine/lab/detect/ reads, and no more: no addresses, no user names, no keys.
    static const std::string script = R"script(#!/bin/sh
# Writes what Loadstone reads of a machine to standard output. Changes nothing.
# usage: sh SCRIPT [ROOT]     ROOT: a copied tree of another machine
LC_ALL=C; export LC_ALL
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin
live=yes
[ -n "${1:-}" ] && [ "$1" != / ] && live=no
cd "${1:-/}" || exit 1

may() { # a regular file that can be read
    [ -f "$1" ] || return 1
    [ -r "$1" ] && return 0
    printf 'denied %s\n' "$1"
    return 1
}
short() {
    for file do
        may "$file" || continue
        printf 'file %s\n' "$file"
        while IFS= read -r line || [ -n "$line" ]; do printf ' %s\n' "$line"; line=; done < "$file"
    done
}
long() {
    for file do
        may "$file" || continue
        printf 'file %s\n' "$file"
        sed 's/^/ /' < "$file"
    done
}
links() {
    for file do
        [ -L "$file" ] || continue
        target=$(readlink "$file") && printf 'link %s\n %s\n' "$file" "$target"
    done
}
output() { # NAME COMMAND...
    name=$1; shift
    command -v "$1" > /dev/null || { printf 'missing %s\n' "$1"; return; }
    printf 'output %s\n' "$name"
    if command -v timeout > /dev/null; then timeout 5 "$@"; else "$@"; fi < /dev/null | sed 's/^/ /'
}
{
echo 'loadstone-machine 1'
if [ $live = yes ]; then
    printf 'output at\n %s\n' "$(date -u '+%Y-%m-%d %H:%M:%S')"
    printf 'output uid\n %s\n' "$(id -u)"
    printf 'output architecture\n %s\n' "$(uname -m)"
fi

short proc/sys/kernel/hostname proc/sys/kernel/ostype proc/sys/kernel/osrelease proc/sys/kernel/arch
# Shells read byte by byte, and the kernel gives a number of /proc/sys to the first read alone.
long proc/sys/kernel/numa_balancing proc/sys/vm/swappiness
short proc/cmdline proc/1/cgroup run/systemd/container etc/debian_version
[ -e .dockerenv ] && printf 'file .dockerenv\n'
[ -e run/.containerenv ] && printf 'file run/.containerenv\n'
if [ -r proc/1/environ ]; then
    kind=$(tr '\0' '\n' < proc/1/environ | sed -n 's/^container=/ /p')
    [ -n "$kind" ] && printf 'output container\n%s\n' "$kind"
fi
long proc/cpuinfo proc/meminfo proc/mdstat proc/swaps proc/self/mountinfo etc/os-release etc/mdadm/mdadm.conf
short sys/hypervisor/type sys/kernel/security/lsm sys/kernel/mm/transparent_hugepage/enabled
short sys/devices/system/clocksource/clocksource0/current_clocksource sys/devices/system/clocksource/clocksource0/available_clocksource
[ -d sys/firmware/efi ] && printf 'file sys/firmware/efi\n'

cd_cpu=sys/devices/system/cpu
short $cd_cpu/online $cd_cpu/present $cd_cpu/smt/active $cd_cpu/cpufreq/boost $cd_cpu/intel_pstate/no_turbo $cd_cpu/vulnerabilities/*
for cpu in $cd_cpu/cpu[0-9]*; do
    short $cpu/topology/physical_package_id $cpu/topology/core_id $cpu/topology/die_id
    for cache in $cpu/cache/index[0-9]*; do
        short $cache/level $cache/type $cache/size $cache/shared_cpu_list
    done
done
short $cd_cpu/cpu0/cpufreq/scaling_governor $cd_cpu/cpu0/cpufreq/scaling_driver $cd_cpu/cpu0/cpufreq/cpuinfo_max_freq \
    $cd_cpu/cpu0/cpufreq/base_frequency
for node in sys/devices/system/node/node[0-9]*; do short $node/cpulist; done

short sys/class/dmi/id/*_vendor sys/class/dmi/id/*_name sys/class/dmi/id/*_version sys/class/dmi/id/bios_date \
    sys/class/dmi/id/chassis_type sys/class/dmi/id/product_serial
table=sys/firmware/dmi/tables/DMI
if may $table; then
    printf 'hex %s\n' $table
    od -An -v -tx1 $table
fi

for net in sys/class/net/*; do
    [ -e "$net/ifindex" ] || continue
    links "$net" "$net/device" "$net/device/driver" "$net/device/subsystem" "$net/master"
    short "$net/ifindex" "$net/type" "$net/operstate" "$net/address" "$net/mtu"
    [ -e "$net/device" ] && short "$net/device/numa_node" "$net/device/current_link_width" "$net/device/current_link_speed" \
        "$net/device/vendor" "$net/device/device"
    [ -d "$net/bridge" ] && printf 'file %s\n' "$net/bridge"
    { short "$net/speed" "$net/duplex" "$net/bonding/mode" "$net/bonding/slaves"; } 2> /dev/null
    for queue in "$net"/queues/rx-*; do [ -e "$queue" ] && printf 'file %s\n' "$queue"; done
    index=
    { read -r index < "$net/ifindex"; } 2> /dev/null
    udev=run/udev/data/n$index
    if [ -r "$udev" ]; then
        printf 'file %s\n' "$udev"
        sed -n 's/^E:ID_\(VENDOR\|MODEL\)_FROM_DATABASE/ &/p' "$udev"
    fi
    if [ $live = yes ] && [ -e "$net/device" ]; then
        output "ethtool ${net##*/}" ethtool "${net##*/}"
        output "ethtool -i ${net##*/}" ethtool -i "${net##*/}"
        output "ethtool -g ${net##*/}" ethtool -g "${net##*/}"
    fi
done

for host in sys/class/scsi_host/host* sys/class/fc_host/host* sys/class/nvme/nvme*; do
    [ -e "$host" ] || continue
    links "$host"
    short "$host/proc_name" "$host/model_name" "$host/board_name" "$host/version_fw" "$host/fw_version" "$host/version" \
        "$host/can_queue" "$host/port_name" "$host/port_state" "$host/speed" "$host/supported_speeds" "$host/symbolic_name" \
        "$host/model" "$host/serial" "$host/firmware_rev" "$host/transport" "$host/subsysnqn"
done

for block in sys/block/*; do
    case ${block##*/} in loop* | ram* | zram* | sr* | fd* | nbd*) continue ;; esac
    [ -e "$block/size" ] || continue
    links "$block" "$block/device" "$block/device/driver" "$block"/slaves/*
    short "$block/size" "$block/dev" "$block/removable" "$block/ro" "$block/serial" "$block/wwid" "$block/hidden"
    short "$block/queue/rotational" "$block/queue/scheduler" "$block/queue/nr_requests" "$block/queue/logical_block_size" \
        "$block/queue/physical_block_size" "$block/queue/read_ahead_kb" "$block/queue/write_cache"
    short "$block/device/model" "$block/device/vendor" "$block/device/rev" "$block/device/wwid" "$block/device/serial" \
        "$block/device/firmware_rev" "$block/device/queue_depth" "$block/device/transport" "$block/device/address" \
        "$block/device/sas_address" "$block/device/type"
    short "$block/dm/name" "$block/dm/uuid" "$block/md/level" "$block/md/raid_disks" "$block/md/chunk_size" \
        "$block/md/metadata_version" "$block/md/array_state" "$block/md/degraded" "$block/md/bitmap/location"
    short "$block"/md/dev-*/state
    for queue in "$block"/mq/*; do [ -d "$queue" ] && printf 'file %s\n' "$queue"; done
    for part in "$block"/"${block##*/}"*; do
        [ -e "$part/partition" ] || continue
        short "$part/size" "$part/dev" "$part/partition"
    done
    number=
    { read -r number < "$block/dev"; } 2> /dev/null
    udev=run/udev/data/b$number
    if [ -r "$udev" ]; then
        printf 'file %s\n' "$udev"
        sed -n 's/^E:ID_\(MODEL\|SERIAL_SHORT\|WWN\|BUS\|ATA_ROTATION_RATE_RPM\|ATA_WRITE_CACHE_ENABLED\|FS_LABEL\)=/ &/p' "$udev"
    fi
done

# Status paragraphs of packages: name, state and version alone.
if may var/lib/dpkg/status; then
    printf 'output packages\n'
    grep -E '^(Package|Status|Version):' var/lib/dpkg/status | sed 's/^/ /'
fi
if [ $live = yes ]; then
    command -v rpm > /dev/null && output rpm rpm -qa --qf '%{NAME} %{VERSION}-%{RELEASE}\n'
    command -v lspci > /dev/null && output lspci lspci -mm -D
    if [ -d sys/block/dm-0 ]; then
        output 'dmsetup table' dmsetup table
    fi
    while read -r id parent number root mount rest; do
        case $rest in *' - nfs'* | *' - cifs'* | *' - fuse'* | *' - autofs'*) continue ;; *' - '*' /dev/'*) ;; *) continue ;; esac
        folder=$(printf '%b' "$mount")
        numbers=$(timeout 5 stat -f -c '%S %b %f %a %s' -- "$folder") && printf 'output statfs %s\n %s\n' "$mount" "$numbers"
    done < proc/self/mountinfo
    for program in dovecot postconf exim opensmtpd stalwart stalwart-mail; do
        command -v $program > /dev/null || continue
        case $program in
        postconf) output 'version postfix' postconf -dh mail_version ;;
        exim) output 'version exim' exim -bV ;;
        opensmtpd) ;;
        *) output "version $program" $program --version ;;
        esac
    done
fi
echo end
} 2> /dev/null
)script";
    return script;
}

} // namespace loadstone
