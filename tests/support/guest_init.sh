# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the guest of guest.sh does: its first process. The argument is guest.sh's DIR, which is read-only here.
dir=$1
here=$(dirname "$(realpath "$0")")
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
say() { echo "guest: $*" > /dev/console; }
trap 'say "ended"; sleep 1; exit 1' ERR
set -eE

mount -t tmpfs -o mode=755 run /run
mkdir -p /dev/pts /dev/shm /run/sshd
mount -t devpts pts /dev/pts
mount -t tmpfs -o mode=1777 shm /dev/shm
mount -t tmpfs -o mode=700 home /root # what the owner's shell does at its begin takes an emulated processor seconds
hostname guest
ip link set lo up
address=10.0.2.15 # to which QEMU forwards
ip address add $address/24 dev eth0
ip link set eth0 up

mkdir -m 700 -p /run/keys
cp "$dir/host_key" /run/keys/ && chmod 600 /run/keys/host_key
cp "$dir/user_key.pub" /run/keys/users && chmod 600 /run/keys/users
/usr/sbin/sshd -f /dev/null -h /run/keys/host_key -o AuthorizedKeysFile=/run/keys/users -o PasswordAuthentication=no \
    -o PermitRootLogin=yes -o StrictModes=no -o UsePAM=no
if [ "${SERVICES:-yes}" = yes ]; then
    BIND=$address bash "$here/mail_servers.sh" start /run/mail > /run/mail.log 2>&1 || { say "mail servers: $(tail -n 3 /run/mail.log /run/mail/*.log /run/mail/postfix.start)"; false; }
    cat > /run/exporter.sh <<X
setsid prometheus-node-exporter --web.listen-address=$address:9100 >> /run/exporter.log 2>&1 < /dev/null &
echo \$! > /run/exporter.pid
X
    . /run/exporter.sh
fi

say ready
while :; do
    wait -n || true
    sleep 1
done
