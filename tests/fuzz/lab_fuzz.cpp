// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text is a lab or is refused with lines of the text; a lab that can be used is written as one that reads the same, with each of
// its variants, and differs from itself in nothing.

#include "document/row_value.h"

#include <loadstone/lab.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

bool isShowable(const std::string& text)
{
    return !document::faultOfText(text, true);
}

void checkUsable(const Lab& lab)
{
    require(isShowable(lab.title) && isShowable(lab.description));
    for (const LabItem& item : lab.items) {
        require(lab.find(item.id) == &item && item.count >= 1 && lab.total(item) >= item.count);
        require(isShowable(item.name) && isShowable(item.notes));
        for (const LabProperty& property : item.properties)
            require(isShowable(property.key) && isShowable(property.value.text));
    }
    const auto again = readLab(writeLab(lab), "written.toml");
    require(again.usable());
    require(differences(lab, again.lab).empty() && differences(again.lab, lab).empty());
    require(differencesFromDetected(lab) == differencesFromDetected(again.lab));
    require(writeLab(again.lab) == writeLab(lab));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto checked = readLab(text, "fuzz.toml");
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    require(checked.problems.size() <= 102);
    for (const Problem& problem : checked.problems) {
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
        require(isShowable(problem.format("fuzz.toml")));
    }
    if (!checked.usable())
        return 0;
    checkUsable(checked.lab);
    for (std::size_t i = 0; i < std::min<std::size_t>(checked.lab.variants.size(), 4); ++i) {
        const auto variant = readLab(text, "fuzz.toml", checked.lab.variants[i].id);
        require(variant.usable() && variant.lab.variant == checked.lab.variants[i].id);
        checkUsable(variant.lab);
        (void)differences(checked.lab, variant.lab);
    }
    return 0;
}
