// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/plan_name.h"

namespace loadstone::ui {

namespace {
constexpr std::size_t kMostLetters = 60;
}

std::string planFileName(const Document& plan)
{
    std::string own = plan.name();
    if (own != kNewPlanName)
        return own;
    std::string stem;
    for (const char letter : plan.getText("title").value_or("")) {
        if (stem.size() >= kMostLetters)
            break;
        const bool isUpper = letter >= 'A' && letter <= 'Z';
        if (isUpper || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
            stem += isUpper ? static_cast<char>(letter - 'A' + 'a') : letter;
        else if (!stem.empty() && stem.back() != '-')
            stem += '-';
    }
    while (!stem.empty() && stem.back() == '-')
        stem.pop_back();
    return stem.empty() ? own : stem + ".toml";
}

} // namespace loadstone::ui
