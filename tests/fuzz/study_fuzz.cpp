// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text is a study or is refused with lines of the text; the runs of one that can be used are all its repeats, each once.

#include "document/row_value.h"

#include <loadstone/study.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const CheckedStudy checked = readStudy(Document(text, "fuzz.toml"));
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const Problem& problem : checked.problems) {
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
        require(!document::faultOfText(problem.format("fuzz.toml"), true));
    }
    if (!checked.usable())
        return 0;
    const Study& study = checked.study;
    require(!study.cases.empty() && !study.name.empty());
    std::set<std::pair<std::size_t, unsigned>> seen;
    std::size_t repeats = 0;
    for (const StudyCase& one : study.cases)
        repeats += one.repeats;
    for (const StudyStep& step : stepsOf(study))
        require(step.caseIndex < study.cases.size() && step.repeat >= 1
            && seen.insert({ step.caseIndex, step.repeat }).second);
    require(seen.size() >= repeats && seen.size() <= repeats + 1);
    for (const HostSet& set : study.sets)
        for (const std::string& host : set.hosts)
            require(study.find(host) != nullptr);
    return 0;
}
