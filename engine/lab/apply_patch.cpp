// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "document/table_reader.h"
#include "lab/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace loadstone::lab {

void apply(const ItemPatch& patch, LabItem& item, const std::string& path, LabProblems& findings)
{
    if (patch.name)
        item.name = *patch.name;
    if (patch.in)
        item.in = *patch.in;
    if (patch.notes)
        item.notes = *patch.notes;
    if (patch.count)
        item.count = *patch.count;
    if (patch.roles)
        item.roles = *patch.roles;
    if (patch.place)
        item.place = patch.place;
    for (std::size_t i = 0; i < patch.unset.size(); ++i) {
        const std::string& key = patch.unset[i];
        const auto properties =
            std::erase_if(item.properties, [&](const LabProperty& p) { return p.key == key; });
        const auto tunings = std::erase_if(item.changed, [&](const LabTuning& t) { return t.name == key; });
        bool done = properties + tunings > 0;
        if (key == "role" && !item.roles.empty()) {
            item.roles.clear();
            done = true;
        } else if (key == "notes" && !item.notes.empty()) {
            item.notes.clear();
            done = true;
        } else if (key == "in" && !item.in.empty()) {
            item.in.clear();
            done = true;
        }
        if (!done)
            findings.error(fmt::format("{}.unset[{}]", path, i),
                fmt::format("{} has no value or changed setting \"{}\"", item.id, document::shown(key)),
                "name a key or a changed setting that the base has");
    }
    for (const LabProperty& property : patch.properties) {
        const auto at = std::find_if(item.properties.begin(), item.properties.end(),
            [&](const LabProperty& p) { return p.key == property.key; });
        if (at == item.properties.end())
            item.properties.push_back(property);
        else
            *at = property; // what was detected for the base is not of the variant
    }
    if (!patch.properties.empty()) {
        const char* word = toString(item.kind);
        std::stable_sort(
            item.properties.begin(), item.properties.end(), [&](const LabProperty& a, const LabProperty& b) {
                if (!a.known || !b.known)
                    return a.known && !b.known;
                return std::less<>()(
                    document::labPropertyRow(word, a.key), document::labPropertyRow(word, b.key));
            });
    }
    for (const LabTuning& tuning : patch.changed) {
        const auto at = std::find_if(item.changed.begin(), item.changed.end(),
            [&](const LabTuning& t) { return t.name == tuning.name && t.place == tuning.place; });
        if (at == item.changed.end())
            item.changed.push_back(tuning);
        else
            *at = tuning;
    }
}

} // namespace loadstone::lab
