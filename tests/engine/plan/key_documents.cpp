// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "key_documents.h"

namespace loadstone::test {

const char* const kProfile = R"(format = 1
kind = "profile"
[per_day]
send = 4
check_inbox = 12
[per_read]
reply = "5 %"
[recipients]
per_message = 2
list_chance = "10 %"
[recipients.lists]
count = 3
average = 4
[initial]
inbox = 3
[[messages]]
size = "1 KB"
attachment = "text"
attachment_size = "2 KB"
[score]
read = 10
[published]
sent = 4
[achieved]
sent = 4
)";

namespace {

constexpr const char* kClosed = R"(format = 1
kind = "mail"
[target]
password = "secret"
[target.smtp]
[target.pop3]
[target.imap]
idle = true
[target.caldav]
[target.carddav]
[workload]
[workload.initial]
inbox = 2
appointments = 1
contacts = 1
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "10 KB"
[[workload.steps]]
action = "IMAP session"
commands = ["NOOP"]
[workload.retry]
[rehearsal]
[mix]
[[mixes]]
clients = 20
threads_per_client = 10
mailboxes_per_client = 28
measurement = "20 min"
[criteria]
response_time = "1 s"
[criteria.processor]
most = "80 %"
[criteria.actions]
send = "1 s"
[[criteria.counters]]
counter = '\Memory\Available MBytes'
least = 1
[queues]
[health]
[[counters]]
name = "a"
command = "true"
values = [{ name = "x" }]
[[counters]]
name = "b"
openmetrics = "https://ex1:9100/metrics"
user = "u"
password = { file = "/p" }
[[counters]]
name = "c"
host = true
[[counters]]
name = "e"
ssh = "ex2"
[[derived]]
name = "d"
sum = [ '\Memory\Available MBytes' ]
)";

constexpr const char* kOpen = R"(format = 1
kind = "mail"
[target]
password = "secret"
smtp = { tls = "starttls" }
[workload]
pacing = "open"
rate = "1/h"
[[workload.steps]]
action = "send message"
size = "10 KB"
[[workload.steps]]
action = "hold session"
hold = "1 s"
[target.pop3]
[[mixes]]
clients = 20
mailboxes_per_client = 28
measurement = "3 h"
)";

/// Named workloads, of commands; all pauses vary.
constexpr const char* kNamed = R"(format = 1
kind = "mail"
[target]
password = "secret"
[target.smtp]
[target.pop3]
[workload]
[[workloads]]
name = "readers"
think_time = "10 s"
think_distribution = "exponential"
request_pause = "1 s"
request_pause_distribution = "uniform"
[[workloads.steps]]
action = "POP3 session"
commands = ["STAT", "RETR {n}", "DELE {n}"]
[[workloads]]
name = "senders"
[[workloads.steps]]
action = "SMTP session"
commands = ["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message}"]
size = "2 KB"
[[workloads.steps]]
action = "hold session"
hold = "1 s"
[mix]
[[mix.workloads]]
name = "readers"
[[mixes]]
think_time = "20 s"
request_pause = "1 s"
clients = 2
threads_per_client = 10
mailboxes_per_client = 28
think_distribution = "exponential"
request_pause_distribution = "exponential"
measurement = "3 h"
[[mixes]]
name = "both"
clients = 2
threads_per_client = 10
mailboxes_per_client = 28
measurement = "3 h"
[[mixes.workloads]]
name = "readers"
share = 3
[[mixes.workloads]]
name = "senders"
[[mixes]]
name = "one"
workload = "senders"
clients = 2
threads_per_client = 10
mailboxes_per_client = 28
measurement = "3 h"
)";

constexpr const char* kUsers = R"(format = 1
kind = "mail"
[target]
password = "secret"
smtp = { }
imap = { }
[workload]
pacing = "users"
profile = "p"
[mix]
[[mixes]]
users = 20
measurement = "3 h"
)";

constexpr const char* kEmbedded = R"(format = 1
kind = "mail"
[target]
password = "secret"
[target.embedded]
[workload]
[[workload.steps]]
action = "empty mailbox"
[[mixes]]
clients = 20
threads_per_client = 10
mailboxes_per_client = 28
measurement = "3 h"
)";

constexpr const char* kRaw = R"(format = 1
kind = "raw"
[device]
path = "/data/x.dat"
size = "1 GB"
[io]
[mix]
[[mixes]]
rate = "100/s"
measurement = "60 s"
)";

constexpr const char* kThreads = R"(format = 1
kind = "storage"
[database]
[load]
threads = 8
tuning = true
[maintenance]
enabled = true
[log_copies]
[limits]
[[groups]]
databases = ["/d"]
log = "/l"
database_size = "1 GB"
[[tests]]
kind = "performance"
[[tests]]
kind = "stress"
[[tests]]
kind = "recovery"
[[tests]]
kind = "backup"
)";

constexpr const char* kRate = R"(format = 1
kind = "storage"
[load]
pacing = "rate"
target_iops = 100
[[groups]]
databases = ["/d"]
log = "/l"
database_size = "1 GB"
[[tests]]
kind = "performance"
)";

constexpr const char* kMailboxes = R"(format = 1
kind = "storage"
[load]
pacing = "mailboxes"
mailboxes = 100
iops_per_mailbox = 0.5
quota = "100 MB"
[[groups]]
databases = ["/d"]
log = "/l"
[[tests]]
kind = "performance"
)";

} // namespace

const std::vector<const char*>& plans()
{
    static const std::vector<const char*> all { kClosed, kOpen, kNamed, kUsers, kEmbedded, kRaw, kThreads,
        kRate, kMailboxes };
    return all;
}

} // namespace loadstone::test
