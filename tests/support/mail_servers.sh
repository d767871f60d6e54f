#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A private Postfix (SMTP) that delivers over LMTP to a private Dovecot (LMTP, POP3, IMAP), both below one folder and on
# loopback ports of their own. Any user name exists and has the same password.
set -euo pipefail
# shellcheck source=packaging/mail_server_rules.sh
source "$(dirname "$(realpath "$0")")/../../packaging/mail_server_rules.sh"

usage() {
    cat <<'TEXT'
usage: tests/support/mail_servers.sh check | start DIR | stop DIR | counts DIR

  check   exit 0 when the servers can be run here; otherwise 77 and the reason on standard output
  start   configures and starts both below DIR and returns when both answer; DIR must be new or stopped
  stop    stops both, if they run; DIR and its logs stay
  counts  what the logs say, one "name number" a line: accepted (messages taken in by Postfix), delivered
          (recipients that Dovecot took from Postfix), deferred, bounced, saved (messages that Dovecot stored),
          retrieved and deleted (messages over POP3), fetched and expunged (bodies and messages over IMAP, by sessions that ended)

Logs: DIR/postfix.log and DIR/dovecot.log. Variables: SMTP_PORT (21025), POP3_PORT (21110), IMAP_PORT (21143),
LMTP_PORT (21024), BIND (127.0.0.1), DOMAIN (load.test), PASSWORD (secret), FSYNC (optimized; never: as on a battery-backed disk),
LMTP_DELAY (0: seconds between two deliveries to Dovecot, one message each; throttles Postfix),
RUN_AS (nobody: the user that Dovecot runs as and that owns the mail), SERVERS_LIST (a file to which start adds DIR,
for whoever has to stop what others left).
LOGINS=every: all mechanisms that Dovecot 2.3 has, over SMTP too, STARTTLS, and TLS from the first byte on SMTPS_PORT (21465),
POP3S_PORT (21995) and IMAPS_PORT (21993). DIR/tls/ca.pem vouches for mail.DOMAIN and, over POP3 and IMAP, for
expired.DOMAIN, whose certificate has expired; DIR/token logs everybody in by OAuth.
USER_NAMES=address: Dovecot 2.3 logs nobody in who does not say the whole address, and Postfix hands it such.
FOLDER_PREFIX and FOLDER_SEPARATOR ("" and "/"): of the names of everybody's folders. KEPT_FOLDER (""): one that Dovecot 2.3 refuses to delete.
QUOTA (0: none): KB that a mailbox of Dovecot 2.3 may hold. LOGIN_FIRST=yes, with LOGINS=every: Postfix takes mail after a login only.
start and stop need root, and a machine without a mail server of its own.
TEXT
}

: "${SMTP_PORT:=21025}" "${POP3_PORT:=21110}" "${IMAP_PORT:=21143}" "${LMTP_PORT:=21024}" "${BIND:=127.0.0.1}" "${DOMAIN:=load.test}"
: "${SMTPS_PORT:=21465}" "${POP3S_PORT:=21995}" "${IMAPS_PORT:=21993}"
: "${USER_NAMES:=name}"
: "${FOLDER_PREFIX:=}" "${FOLDER_SEPARATOR:=/}" "${KEPT_FOLDER:=}"
: "${QUOTA:=0}" "${LOGIN_FIRST:=no}"
: "${PASSWORD:=secret}" "${FSYNC:=optimized}" "${LMTP_DELAY:=0}" "${LOGINS:=simple}"
readonly kSkip=77 kStartSeconds=20

skip() { echo "$*"; exit $kSkip; }
die() { printf 'mail servers: %s\n' "$*" >&2; exit 1; }

check() {
    local reason
    [ "$(id -u)" = 0 ] || skip "Postfix can be started by root only"
    command -v postfix > /dev/null || skip "Postfix is not installed (packaging/setup.sh --with-test-servers)"
    command -v dovecot > /dev/null || skip "Dovecot is not installed (packaging/setup.sh --with-test-servers)"
    [ -x /usr/lib/dovecot/imap ] || skip "Dovecot's IMAP is not installed (packaging/setup.sh --with-test-servers)"
    if [ "$LOGINS" = every ]; then
        case $(dovecot --version) in 2.3.*) ;; *) skip "its configuration with every login is written for Dovecot 2.3" ;; esac
        command -v openssl > /dev/null || skip "openssl is not installed"
    fi
    if [ "$USER_NAMES" = address ]; then
        case $(dovecot --version) in 2.3.*) ;; *) skip "logins by address are written for Dovecot 2.3" ;; esac
    fi
    if [ -n "$KEPT_FOLDER" ]; then
        case $(dovecot --version) in 2.3.*) ;; *) skip "access rights are written for Dovecot 2.3" ;; esac
    fi
    reason=$(foreign_mail_server)
    [ -z "$reason" ] || skip "$reason"
}

# --- every login ------------------------------------------------------------------------------------------------

certificate() { # NAME DAYS, below DIR/tls: NAME.pem holds key and certificate
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" \
        -addext "subjectAltName=DNS:$1.$DOMAIN"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -copy_extensions copyall -days "$2" -out "$1.crt"
    cat "$1.key" "$1.crt" > "$1.pem"
}

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# Certificates of an authority of our own, and a token that Dovecot can check by itself (RFC 7519, HS256).
make_credentials() {
    local key=$dir/dovecot/keys/default/HS256/default signed
    mkdir -p "$dir/tls" "$(dirname "$key")"
    (
        cd "$dir/tls"
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 2 \
            -subj "/CN=Loadstone's tests"
        certificate mail 2
        certificate expired -1
    ) > "$dir/tls.log" 2>&1 || die "no certificates: $(tail -n 3 "$dir/tls.log")"
    openssl rand -base64 32 > "$key"
    signed=$(printf '{"alg":"HS256","typ":"JWT"}' | base64url).$(printf '{"sub":"everybody","exp":4102444800}' | base64url)
    printf '%s.%s' "$signed" "$(printf %s "$signed" | openssl dgst -sha256 -mac HMAC \
        -macopt "hexkey:$(openssl base64 -d < "$key" | od -An -v -tx1 | tr -d ' \n')" -binary | base64url)" > "$dir/token"
    cat > "$dir/dovecot/oauth2.conf" <<C
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=$dir/dovecot/keys/
username_attribute = sub
username_format = everybody
C
}

dovecot_logins() {
    cat <<C
auth_mechanisms = plain login cram-md5 scram-sha-1 scram-sha-256 xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $dir/dovecot/oauth2.conf
}
ssl = yes
ssl_cert = <$dir/tls/mail.crt
ssl_key = <$dir/tls/mail.key
local_name expired.$DOMAIN {
  ssl_cert = <$dir/tls/expired.crt
  ssl_key = <$dir/tls/expired.key
}
service anvil { # or each refused login would make the next from this address wait longer
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service auth {
  unix_listener auth-smtp {
    mode = 0666
  }
}
service pop3-login {
  inet_listener pop3s {
    port = $POP3S_PORT
    ssl = yes
  }
}
service imap-login {
  inet_listener imaps {
    port = $IMAPS_PORT
    ssl = yes
  }
}
C
}

postfix_logins() {
    cat <<C
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = $dir/dovecot/run/auth-smtp
smtpd_tls_security_level = may
smtpd_tls_chain_files = $dir/tls/mail.pem
C
    [ "$LOGIN_FIRST" = no ] || echo "smtpd_client_restrictions = permit_sasl_authenticated, reject"
}

# --- Dovecot ----------------------------------------------------------------------------------------------------

# One process serves one POP3 session, hence the process limits; clients of anvil, auth and stats grow with them.
# Everything runs as one unprivileged user, so no service needs its chroot.
dovecot_services() {
    cat <<C
service anvil {
  chroot =
  client_limit = 12000
}
service auth {
  client_limit = 12000
  user = $owner
  unix_listener auth-userdb {
    mode = 0600
    user = $owner
  }
}
service auth-worker {
  user = $owner
}
service stats {
  chroot =
  client_limit = 12000
}
service pop3-login {
  chroot =
  service_count = 0
  process_min_avail = 2
  process_limit = 2
  client_limit = 4000
  inet_listener pop3 {
    port = $POP3_PORT
  }
  inet_listener pop3s {
    port = 0
  }
}
service pop3 {
  service_count = 100
  process_limit = 2000
}
service imap-login {
  chroot =
  service_count = 0
  process_min_avail = 2
  process_limit = 2
  client_limit = 4000
  inet_listener imap {
    port = $IMAP_PORT
  }
  inet_listener imaps {
    port = 0
  }
}
service imap {
  service_count = 100
  process_limit = 4000
}
service lmtp {
  chroot =
  process_min_avail = 2
  inet_listener lmtp {
    port = $LMTP_PORT
  }
}
C
}

dovecot_common() { # NO-LIMIT, as this version writes it
    cat <<C
protocols = pop3 imap lmtp
listen = $BIND
base_dir = $dir/dovecot/run
state_dir = $dir/dovecot/state
instance_name = loadstone-$POP3_PORT
log_path = $dir/dovecot.log
log_timestamp = "%Y-%m-%d %H:%M:%S "
default_internal_user = $owner
default_internal_group = $group
default_login_user = $owner
default_client_limit = 4000
default_process_limit = 2000
default_vsz_limit = $1
mail_max_userip_connections = 100000
auth_mechanisms = plain login
auth_failure_delay = 0
login_trusted_networks = 127.0.0.0/8
ssl = no
mail_uid = $owner
mail_gid = $group
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = $FSYNC
lmtp_save_to_detail_mailbox = no
C
}

dovecot_rights() {
    printf '"%s" owner lrwstipeka\n' "$KEPT_FOLDER" > "$dir/dovecot/rights" # all but x, to delete it
    cat <<C
mail_plugins = acl
plugin {
  acl = vfile:$dir/dovecot/rights
}
C
}

# With a filter alone, a name that does not match is a temporary failure.
dovecot_nobody_else() {
    : > "$dir/dovecot/nobody"
    cat <<C
passdb {
  driver = passwd-file
  args = $dir/dovecot/nobody
}
C
}

dovecot_quota() {
    [ "$QUOTA" != 0 ] || return 0
    cat <<C
mail_plugins = quota
plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:storage=${QUOTA}K
}
C
}

dovecot_config_2_3() {
    dovecot_common 0
    cat <<C
disable_plaintext_auth = no
auth_cache_size = 10M
auth_username_format = $([ "$USER_NAMES" = address ] && echo %Lu || echo %Ln)
mail_home = $dir/dovecot/home/%2Hu/%Ln
mail_location = sdbox:~/sdbox
passdb {
  driver = static
  mechanisms = plain login cram-md5 scram-sha-1 scram-sha-256
  args = password=$PASSWORD
$([ "$USER_NAMES" != address ] || echo "  username_filter = *@$DOMAIN")
}
$([ "$USER_NAMES" != address ] || dovecot_nobody_else)
userdb {
  driver = static
  args = uid=$owner gid=$group home=$dir/dovecot/home/%2Hu/%Ln allow_all_users=yes
}
namespace inbox {
  inbox = yes
  prefix = $FOLDER_PREFIX
  separator = $FOLDER_SEPARATOR
  mailbox Trash {
    auto = create
    special_use = \Trash
  }
  mailbox Sent {
    auto = create
    special_use = \Sent
  }
}
$([ -z "$KEPT_FOLDER" ] || dovecot_rights)
$(dovecot_quota)
protocol imap {
  mail_plugins = \$mail_plugins imap_zlib$([ "$QUOTA" = 0 ] || echo " imap_quota")
}
protocol lmtp {
  postmaster_address = postmaster@$DOMAIN
}
C
    dovecot_services
}

dovecot_config_2_4() {
    cat <<C
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
C
    dovecot_common unlimited
    cat <<C
auth_allow_cleartext = yes
auth_cache_size = 10M
auth_username_format = %{user | username | lower}
mail_driver = sdbox
mail_path = ~/sdbox
mail_home = $dir/dovecot/home/%{user | username | lower}
passdb static {
  password = $PASSWORD
}
userdb static {
  fields {
    uid = $owner
    gid = $group
  }
  allow_all_users = yes
}
namespace inbox {
  inbox = yes
  prefix = $FOLDER_PREFIX
  separator = $FOLDER_SEPARATOR
  mailbox Trash {
    auto = create
    special_use = \Trash
  }
  mailbox Sent {
    auto = create
    special_use = \Sent
  }
}
protocol lmtp {
  postmaster_address = postmaster@$DOMAIN
}
C
    dovecot_services
}

start_dovecot() {
    mkdir -p "$dir"/dovecot/{run,home,state}
    case $(dovecot --version) in
        2.[0-3].*) dovecot_config_2_3 ;;
        *) dovecot_config_2_4 ;;
    esac > "$dir/dovecot/dovecot.conf"
    if [ "$LOGINS" = every ]; then
        make_credentials
        dovecot_logins >> "$dir/dovecot/dovecot.conf"
        chown -R "$owner:$group" "$dir/tls"
    fi
    : > "$dir/dovecot.log"
    chown -R "$owner:$group" "$dir/dovecot" "$dir/dovecot.log"
    setpriv --reuid="$owner" --regid="$group" --clear-groups dovecot -c "$dir/dovecot/dovecot.conf" \
        || die "Dovecot did not start: $(tail -n 5 "$dir/dovecot.log")"
}

# --- Postfix ----------------------------------------------------------------------------------------------------

start_postfix() {
    local etc=$dir/postfix/etc
    mkdir -p "$etc" "$dir"/postfix/{queue,data}
    chown root:root "$dir/postfix" "$dir/postfix/queue"
    chown postfix: "$dir/postfix/data"
    chmod 700 "$dir/postfix/data"
    # The limits that slow a client down on purpose are off: connections, processes, errors, queue inflow.
    cat > "$etc/main.cf" <<C
compatibility_level = 3.6
queue_directory = $dir/postfix/queue
data_directory = $dir/postfix/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = $dir/postfix.log
maillog_file_prefixes = $dir
multi_instance_name = postfix-loadstone-$SMTP_PORT
multi_instance_enable = yes
syslog_name = postfix-loadstone
inet_interfaces = $BIND
inet_protocols = ipv4
myhostname = mail.$DOMAIN
mydestination =
mynetworks = 127.0.0.0/8
local_recipient_maps =
alias_maps =
alias_database =
virtual_mailbox_domains = $DOMAIN
virtual_mailbox_maps = static:all
virtual_transport = lmtp:inet:$BIND:$LMTP_PORT
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
smtpd_relay_restrictions = reject_unauth_destination
smtp_dns_support_level = disabled
smtpd_peername_lookup = no
disable_vrfy_command = yes
biff = no
default_process_limit = 300
smtpd_client_connection_count_limit = 0
smtpd_client_event_limit_exceptions = 127.0.0.0/8
smtpd_error_sleep_time = 0
smtpd_soft_error_limit = 1000
smtpd_hard_error_limit = 1000
in_flow_delay = 0
lmtp_destination_concurrency_limit = 50
lmtp_destination_recipient_limit = 1
lmtp_connection_cache_on_demand = yes
qmgr_message_active_limit = 20000
mailbox_size_limit = 0
virtual_mailbox_limit = 0
message_size_limit = 104857600
smtpd_tls_security_level = none
C
    cat > "$etc/master.cf" <<C
$BIND:$SMTP_PORT inet n - n - - smtpd
cleanup    unix  n - n - 0 cleanup
qmgr       unix  n - n 300 1 qmgr
tlsmgr     unix  - - n 1000? 1 tlsmgr
rewrite    unix  - - n - - trivial-rewrite
bounce     unix  - - n - 0 bounce
defer      unix  - - n - 0 bounce
trace      unix  - - n - 0 bounce
verify     unix  - - n - 1 verify
flush      unix  n - n 1000? 0 flush
proxymap   unix  - - n - - proxymap
proxywrite unix  - - n - 1 proxymap
showq      unix  n - n - - showq
error      unix  - - n - - error
retry      unix  - - n - - error
lmtp       unix  - - n - - lmtp
anvil      unix  - - n - 1 anvil
scache     unix  - - n - 1 scache
postlog    unix-dgram n - n - 1 postlogd
C
    if [ "$LOGINS" = every ]; then
        postfix_logins >> "$etc/main.cf"
        echo "$BIND:$SMTPS_PORT inet n - n - - smtpd -o smtpd_tls_wrappermode=yes" >> "$etc/master.cf"
    fi
    if [ -e /etc/postfix/postfix-files ]; then cp -f /etc/postfix/postfix-files "$etc/"; fi
    # A delay counts per recipient where the limit is 1.
    if [ "$LMTP_DELAY" != 0 ]; then
        printf 'lmtp_destination_rate_delay = %ss\nlmtp_destination_recipient_limit = 50\n' "$LMTP_DELAY" >> "$etc/main.cf"
    fi
    : > "$etc/dynamicmaps.cf"
    postfix -c "$etc" start > "$dir/postfix.start" 2>&1 || die "Postfix did not start: $(tail -n 5 "$dir/postfix.start")"
}

# --- commands ---------------------------------------------------------------------------------------------------

# Waits until the server on PORT sends its greeting.
await() { # NAME PORT
    local end=$((SECONDS + kStartSeconds)) greeting
    while [ $SECONDS -lt $end ]; do
        greeting=$( { exec 3<> "/dev/tcp/$BIND/$2" && read -r -t 5 -u 3 line && echo "$line"; } 2> /dev/null || true)
        if [ -n "$greeting" ]; then return; fi
        sleep 0.05
    done
    die "$1 did not answer on $BIND:$2 within $kStartSeconds s; see the logs in $dir"
}

running() { # PID; one that is dead and not yet collected by its parent does not run
    case $(awk '{ print $3 }' "/proc/$1/stat" 2> /dev/null) in '' | Z | X) return 1 ;; esac
}

# Whether PID is the server COMM of this DIR. A pid file outlives its process, and the kernel gives numbers out again.
is_ours() { # PID COMM
    local places
    running "$1" && [ "$(cat "/proc/$1/comm" 2> /dev/null)" = "$2" ] || return 1
    # Postfix works in its queue's folder; Dovecot is told its configuration file.
    places=$(readlink "/proc/$1/cwd" || true; tr '\0' '\n' 2> /dev/null < "/proc/$1/cmdline" || true)
    case $'\n'$places in *$'\n'"$dir/"*) ;; *) return 1 ;; esac
}

# Prints the process that PIDFILE names, if it is the server COMM of this DIR; else removes the file.
server_of() { # PIDFILE COMM
    local pid
    [ -e "$1" ] || return 0
    pid=$(tr -dc 0-9 < "$1")
    if [ -n "$pid" ] && is_ours "$pid" "$2"; then
        echo "$pid"
        return
    fi
    if [ "$(cat "/proc/${pid:-none}/comm" 2> /dev/null)" = "$2" ]; then
        echo "mail servers: process $pid, which $1 names, is another $2 and left alone" >&2
    fi
    rm -f "$1"
}

# Ends the server and waits for its end; after ten seconds forces it.
end_server() { # PIDFILE COMM
    local pid tries
    pid=$(server_of "$1" "$2")
    [ -n "$pid" ] || return 0
    kill "$pid" 2> /dev/null || true
    for tries in $(seq 220); do
        running "$pid" || break
        [ "$tries" != 200 ] || kill -9 "$pid" 2> /dev/null || true
        sleep 0.05
    done
    if running "$pid"; then die "$2, process $pid, does not end"; fi
    rm -f "$1"
}

start() {
    local reason
    reason=$(check) || die "$reason"
    # Before anything is touched: what runs keeps its logs, and goes on running.
    if [ -n "$(server_of "$postfix_pid" master)$(server_of "$dovecot_pid" dovecot)" ]; then
        die "the servers of $dir are running already"
    fi
    owner=${RUN_AS:-nobody}
    group=$(id -gn "$owner")
    mkdir -p "$dir"
    chmod 755 "$dir"
    if [ -n "${SERVERS_LIST:-}" ]; then echo "$dir" >> "$SERVERS_LIST"; fi
    : > "$dir/postfix.log"
    trap 'stop > /dev/null 2>&1 || true' ERR EXIT
    start_dovecot
    start_postfix
    await Dovecot "$POP3_PORT"
    await "Dovecot's IMAP" "$IMAP_PORT"
    await "Dovecot's LMTP" "$LMTP_PORT"
    await Postfix "$SMTP_PORT"
    trap - ERR EXIT
    echo "smtp $BIND:$SMTP_PORT, pop3 $BIND:$POP3_PORT, imap $BIND:$IMAP_PORT, lmtp $BIND:$LMTP_PORT, logs in $dir"
}

stop() {
    [ "$(id -u)" = 0 ] || die "only root can stop the servers"
    end_server "$postfix_pid" master
    end_server "$dovecot_pid" dovecot
}

# The log is written by daemons of their own, so what a client has seen may be a moment ahead of it.
counts() {
    awk '/postfix-loadstone\/cleanup\[.*message-id=/ { accepted++ }
         /status=sent/ { delivered++ } /status=deferred/ { deferred++ } /status=bounced/ { bounced++ }
         END { printf "accepted %d\ndelivered %d\ndeferred %d\nbounced %d\n", accepted, delivered, deferred, bounced }' \
        "$dir/postfix.log"
    awk '/lmtp\(.*saved mail to / { saved++ }
         /pop3\(.*(Disconnected|Logged out)/ {
             if (match($0, /retr=[0-9]+/)) retrieved += substr($0, RSTART + 5, RLENGTH - 5)
             if (match($0, /del=[0-9]+/)) deleted += substr($0, RSTART + 4, RLENGTH - 4) }
         /imap\(.*body_count=/ {
             if (match($0, /body_count=[0-9]+/)) fetched += substr($0, RSTART + 11, RLENGTH - 11)
             if (match($0, /expunged=[0-9]+/)) expunged += substr($0, RSTART + 9, RLENGTH - 9) }
         END { printf "saved %d\nretrieved %d\ndeleted %d\nfetched %d\nexpunged %d\n",
               saved, retrieved, deleted, fetched, expunged }' "$dir/dovecot.log"
}

command=${1:-}
case $command in
    check) check ;;
    start | stop | counts)
        [ $# = 2 ] || { usage >&2; exit 2; }
        dir=$(realpath -m "$2")
        postfix_pid=$dir/postfix/queue/pid/master.pid
        dovecot_pid=$dir/dovecot/run/master.pid
        "$command"
        ;;
    *) usage >&2; exit 2 ;;
esac
