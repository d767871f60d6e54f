// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/lab.h>
#include <loadstone/lab_text.h>
#include <loadstone/report.h>

#include <algorithm>
#include <limits>

namespace loadstone {

const LabProperty* LabItem::find(std::string_view key) const
{
    const auto at = std::find_if(
        properties.begin(), properties.end(), [&](const LabProperty& p) { return p.key == key; });
    return at == properties.end() ? nullptr : &*at;
}

std::string LabItem::text(std::string_view key) const
{
    const LabProperty* property = find(key);
    return property == nullptr ? std::string() : property->value.text;
}

std::optional<double> LabItem::number(std::string_view key) const
{
    const LabProperty* property = find(key);
    return property == nullptr ? std::nullopt : property->value.number;
}

const LabItem* Lab::find(std::string_view id) const
{
    const auto at =
        std::find_if(items.begin(), items.end(), [&](const LabItem& item) { return item.id == id; });
    return at == items.end() ? nullptr : &*at;
}

std::vector<const LabItem*> Lab::below(std::string_view id) const
{
    std::vector<const LabItem*> contained;
    for (const LabItem& item : items)
        if (item.in == id)
            contained.push_back(&item);
    return contained;
}

std::int64_t Lab::total(const LabItem& item) const
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t product = 1;
    const LabItem* at = &item;
    // As many steps as there are items: a circle of containers, which is an error of the lab, ends all the same.
    for (std::size_t steps = 0; at != nullptr && steps <= items.size(); ++steps) {
        const std::int64_t count = std::max<std::int64_t>(at->count, 0);
        if (count != 0 && product > kMost / count)
            return kMost;
        product *= count;
        at = at->in.empty() ? nullptr : find(at->in);
    }
    return product;
}

bool CheckedLab::usable() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

std::string describeLab(const RunLab& lab)
{
    const CheckedLab checked = readLab(lab.text, lab.name, lab.variant);
    std::string text = checked.lab.title.empty() ? lab.name : checked.lab.title;
    if (!lab.variant.empty())
        text += ", variant " + lab.variant;
    return plainText(text + ", revision " + checked.lab.revision);
}

} // namespace loadstone
