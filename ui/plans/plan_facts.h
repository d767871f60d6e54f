// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plans/plan_task.h"

#include <loadstone/problem.h>
#include <loadstone/time.h>

#include <QString>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace loadstone::ui {

/// Where a list of plans has a file from.
enum class PlanOrigin : std::uint8_t { shipped, recent, folder };

/// What a list says of a file: a plan, a profile, a lab.
struct PlanFacts {
    std::filesystem::path file;
    PlanOrigin origin = PlanOrigin::folder;
    std::filesystem::file_time_type changed {};
    std::uintmax_t size = 0;

    bool read = false; ///< what follows is known
    QString failure; ///< why it could not be read; empty: it was
    FileKind kind = FileKind::plan;
    std::optional<RunKind> tests;
    QString title, description, what; ///< what: "4 mixes, up to 1,600 users"
    QStringList needs, notes; ///< "server SMTP 10.0.0.5:25", "160 mailboxes", "root", "4.3 GB of disk"
    Nanoseconds length {};
    QString lengthText;
    bool embedded = false; ///< needs no server of one's own
    bool asksPassword = false;
    std::filesystem::path lab; ///< of a plan that names one; what is wrong there is among the problems
    std::filesystem::file_time_type labChanged {};
    std::vector<Problem> problems;
    [[nodiscard]] bool usable() const; ///< it was read, and there is no error among its problems
    [[nodiscard]] QString name() const; ///< the title, or else the file's
    bool operator==(const PlanFacts&) const = default;
};

/// Reads and checks a file; at most 4 MB. Any thread.
PlanFacts readPlanFacts(PlanFacts listed);
/// "mail plan", "storage plan", "lab".
QString kindText(const PlanFacts& facts);
/// The shipped plans; none where their folder cannot be read.
std::vector<std::filesystem::path> readableShippedPlans();
/// A file that comes with the program, which is not written over: a plan, a profile, a lab.
bool isShipped(const std::filesystem::path& file);
/// The shipped profiles and labs.
std::vector<std::filesystem::path> readableShippedOthers();

} // namespace loadstone::ui
