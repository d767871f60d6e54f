// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/computer.h>
#include <loadstone/recording.h>

#include <algorithm>
#include <string_view>

namespace loadstone {

namespace {

/// What the plan calls the machine that runs Loadstone; null: nothing.
const plan::CounterSourceSpec* ownMachine(const plan::Plan& plan)
{
    for (const plan::CounterSourceSpec& spec : plan.head().counters)
        if (const auto* local = std::get_if<plan::LocalHostSource>(&spec.from);
            local != nullptr && local->reads.processors.empty())
            return &spec;
    return nullptr;
}

} // namespace

Result<std::vector<ComputerFacts>> computersOf(const Recording& recording)
{
    const history::RecordingReader& reader = history::readerOf(recording);
    const auto sources = reader.sources();
    if (!sources)
        return sources.error();
    const bool isMerged = reader.header().origin == RunOrigin::merged;
    ComputerFacts own { reader.header().computer, "generator", { 0 } };
    if (isMerged) {
        own.name = "all generators"; // each of them is a computer of its own
        own.role.clear();
    } else if (const plan::CounterSourceSpec* spec = ownMachine(reader.keptPlan().plan)) {
        own.name = spec->name;
        if (spec->role != plan::ComputerRole::none)
            own.role = toString(spec->role);
    }
    std::vector<ComputerFacts> computers { std::move(own) };
    const std::string machine = reader.header().computer;
    for (const auto& source : **sources) {
        const SourceInfo& info = source->info;
        if (info.removed)
            continue;
        // A log that names no computer is its own: nothing says that it is of this machine.
        const std::string& where = info.computer.empty() ? info.origin : info.computer;
        // A log of this machine that is attached later has its host name.
        const auto known = std::find_if(computers.begin(), computers.end(), [&](const ComputerFacts& one) {
            const bool isFirst = !isMerged && &one == computers.data();
            return where == std::string_view(one.name) || (isFirst && where == machine);
        });
        if (known != computers.end())
            known->sources.push_back(info.id);
        else
            computers.push_back({ where, info.role, { info.id } });
    }
    return computers;
}

} // namespace loadstone
