// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/run_differences.h>
#include <loadstone/table_formats.h>

#include <nlohmann/json.hpp>

namespace loadstone::cli {

int differences(const DifferencesCommand& command)
{
    const auto before = openRun(command.history, command.before, {});
    if (!before)
        return complain(before.error().message, kBadInput);
    const auto after = openRun(command.history, command.after, {});
    if (!after)
        return complain(after.error().message, kBadInput);
    const auto found = runDifferences(*before, *after);
    if (!found)
        return complain(found.error().message, kFailed);
    if (command.json) {
        nlohmann::ordered_json json = nlohmann::ordered_json::array();
        for (const RunDifference& one : *found)
            json.push_back({ { "group", toString(one.group) }, { "item", one.item }, { "label", one.label },
                { "key", one.key }, { "before", one.before }, { "after", one.after } });
        say(json.dump(2) + "\n");
        return kGood;
    }
    if (found->empty())
        print("No differences\n");
    say(formatTables(runDifferenceTables(*found, before->header().id.text(), after->header().id.text())));
    return kGood;
}

} // namespace loadstone::cli
