// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/common_lines.h"

#include "format.h"

#include <loadstone/source.h>

#include <map>
#include <set>

namespace loadstone::ui {

namespace {

bool isOfLog(const LineInfo& line)
{
    return line.key.source.starts_with(kLogOrigin);
}

/// The computers that have each role, by where their names are from: the run itself, and logs.
struct RoleNames {
    std::set<QString> ofRun, ofLogs;
    /// The computer that this line is of is meant by the role alone. A log that names another computer does not take the role away from
    /// the one that the run had it for.
    [[nodiscard]] bool isOf(const LineInfo& line) const
    {
        std::set<QString> all = ofRun;
        all.insert(ofLogs.begin(), ofLogs.end());
        return all.size() == 1 || (ofRun.size() == 1 && ofRun.contains(line.computer));
    }
};

} // namespace

std::vector<LineInfo> commonLinesOf(const std::vector<LineInfo>& lines)
{
    std::map<std::string, RoleNames> roles;
    for (const LineInfo& line : lines)
        if (!line.key.source.empty())
            (isOfLog(line) ? roles[line.role].ofLogs : roles[line.role].ofRun).insert(line.computer);
    std::vector<LineInfo> common = lines;
    std::map<QString, std::size_t> known;
    for (LineInfo& line : common) {
        if (line.key.source.empty())
            continue;
        const bool byRole = !line.role.empty() && roles[line.role].isOf(line);
        line.source = byRole          ? roleName(line.role)
            : line.computer.isEmpty() ? translated("computer without a name")
                                      : line.computer;
        line.key.source = byRole ? line.role : bytes(line.source);
        line.key.series = withoutHost(line.key.series);
        if (const std::size_t before = known[line.key.text()]++; before > 0) {
            line.source += QStringLiteral(" (%1)").arg(before + 1);
            line.key.source += " (" + std::to_string(before + 1) + ")";
        }
        line.object = QStringLiteral("%1 (%2)").arg(line.family, line.source);
    }
    return common;
}

} // namespace loadstone::ui
