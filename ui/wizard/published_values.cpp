// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/published_values.h"

#include "format.h"
#include "forms/key_words.h"

#include <array>

namespace loadstone::ui {

namespace {

struct Published {
    const char* path;
    const char* value;
    const char* source;
};

constexpr const char* kScalability = "\"Microsoft Exchange: Scalability Testing\", eTesting Labs";
constexpr const char* kMedium =
    "\"Exchange 5.5 MAPI Messaging Benchmark (MMB) Performance Result\", IBM, 29 September 1999";
constexpr const char* kStorage2007 =
    "\"90,000-User Storage Solution for Microsoft Exchange Server 2007\", Dell Inc., December 2008";

/// As printed, or as a shipped plan explains it.
constexpr std::array<Published, 26> kValues { {
    { "mix.think_time", "21.6 s", kScalability },
    { "mixes[].think_time", "21.6 s", kScalability },
    { "mix.threads_per_client", "10", kScalability },
    { "mixes[].threads_per_client", "10", kScalability },
    { "mix.mailboxes_per_client", "1666", kScalability },
    { "mixes[].mailboxes_per_client", "1666", kScalability },
    { "mixes[].clients", "20 to 50", kScalability },
    { "mix.ramp_up", "1 h", kScalability },
    { "mixes[].ramp_up", "1 h", kScalability },
    { "mix.ramp_down", "30 min", kScalability },
    { "mixes[].ramp_down", "30 min", kScalability },
    { "mix.quiet_time", "15 min", kScalability },
    { "mixes[].quiet_time", "15 min", kScalability },
    { "workload.steps[].size", "10 KB", kScalability },
    { "workload.steps[].recipients", "3", kScalability },
    { "queues.normal", "50 messages", kScalability },
    { "queues.failing", "1000 messages", kScalability },
    { "mixes[].users", "9,800", kMedium },
    { "workload.profile", "the Medium profile of LoadSim 5.5 (medium-5.5)", kMedium },
    { "workload.day", "8 h", kMedium },
    { "database.page_size", "8 KB", kStorage2007 },
    { "database.cache_maximum", "2 GB", kStorage2007 },
    { "load.lazy_commits", "55 %", kStorage2007 },
    { "limits.average_database_read", "20 ms", kStorage2007 },
    { "limits.average_log_write", "10 ms", kStorage2007 },
    { "tests[].duration", "2 h (performance), 24 h (stress)", kStorage2007 },
} };

} // namespace

QString publishedValue(const std::string& path)
{
    const std::string generic = genericPath(path);
    for (const Published& one : kValues)
        if (generic == one.path)
            return QStringLiteral("Published: %1 (%2).").arg(text(one.value), text(one.source));
    return {};
}

QString withPublished(const QString& about)
{
    const auto open = about.lastIndexOf(QLatin1Char('('));
    if (open < 0 || !about.endsWith(QLatin1Char(')')))
        return about;
    const QString published = publishedValue(bytes(about.mid(open + 1).chopped(1)));
    return published.isEmpty() ? about : about + QLatin1Char('\n') + published;
}

} // namespace loadstone::ui
