// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/lab_detect.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadstone {

namespace {

/// What names an item of a kind on its machine; empty: only that it is the one of its kind.
std::vector<std::string_view> namesOf(ItemKind kind)
{
    switch (kind) {
    case ItemKind::adapter:
        return { "hardware_address", "interface" };
    case ItemKind::drive:
    case ItemKind::pool:
    case ItemKind::volume:
        return { "serial", "world_wide_name", "device" };
    case ItemKind::memory:
        return { "slot" };
    case ItemKind::filesystem:
        return { "mount" };
    case ItemKind::software:
        return { "package", "product" };
    default:
        return {};
    }
}

bool isWithin(const Lab& lab, const LabItem& item, const std::string& machine)
{
    std::string in = item.in;
    for (std::size_t steps = 0; !in.empty() && steps <= lab.items.size(); ++steps) {
        if (in == machine)
            return true;
        const LabItem* container = lab.find(in);
        in = container == nullptr ? std::string() : container->in;
    }
    return false;
}

/// The value that counts, or the detected one beside it.
std::string knownText(const LabItem& item, std::string_view key, bool detected)
{
    const LabProperty* property = item.find(key);
    if (property == nullptr)
        return {};
    return detected && property->detected ? property->detected->text : property->value.text;
}

/// Which described item each detected one is, by index.
class Matching {
public:
    Matching(const Lab& described, const std::string& machine, const Lab& detected)
    {
        for (std::size_t i = 0; i < described.items.size(); ++i) {
            if (described.items[i].id == machine)
                m_of[0] = i; // the machine is the first detected item
            else if (isWithin(described, described.items[i], machine))
                m_free.insert(i);
        }
        const auto pass = [&](const auto& isSame) {
            for (std::size_t found = 1; found < detected.items.size(); ++found) {
                if (m_of.contains(found))
                    continue;
                const auto at = std::ranges::find_if(m_free, [&](std::size_t i) {
                    return described.items[i].kind == detected.items[found].kind
                        && isSame(described.items[i], detected.items[found]);
                });
                if (at != m_free.end()) {
                    m_of[found] = *at;
                    m_free.erase(at);
                }
            }
        };
        const std::string prefix = std::string(Detection::kMachine) + ".";
        pass([&](const LabItem& a, const LabItem& b) {
            return a.id == machine + "." + b.id.substr(prefix.size());
        });
        pass([](const LabItem& a, const LabItem& b) {
            return std::ranges::any_of(namesOf(b.kind), [&](std::string_view key) {
                const std::string name = b.text(key);
                return !name.empty() && (knownText(a, key, false) == name || knownText(a, key, true) == name);
            });
        });
        // One of a kind on both sides is the same one.
        const auto loneOf = [&](ItemKind kind) {
            const auto left =
                std::ranges::count_if(m_free, [&](std::size_t i) { return described.items[i].kind == kind; });
            std::ptrdiff_t right = 0;
            for (std::size_t i = 1; i < detected.items.size(); ++i)
                right += !m_of.contains(i) && detected.items[i].kind == kind ? 1 : 0;
            return left == 1 && right == 1;
        };
        std::set<ItemKind> lone;
        for (const LabItem& item : detected.items)
            if (item.kind != ItemKind::software && item.kind != ItemKind::filesystem && loneOf(item.kind))
                lone.insert(item.kind);
        pass([&](const LabItem&, const LabItem& b) { return lone.contains(b.kind); });
    }
    [[nodiscard]] std::optional<std::size_t> of(std::size_t found) const
    {
        const auto at = m_of.find(found);
        return at == m_of.end() ? std::nullopt : std::optional(at->second);
    }
    [[nodiscard]] const std::set<std::size_t>& unmatched() const { return m_free; }

private:
    std::map<std::size_t, std::size_t> m_of;
    std::set<std::size_t> m_free;
};

/// The lines below a header "[item.detected]" of a text that writeLab() made, and the whole entry.
struct WrittenItem {
    std::string entry; ///< without its header
    std::vector<std::pair<std::string, std::string>> detected; ///< keys as they are spelt, and values
};

WrittenItem written(const LabItem& item)
{
    Lab lab;
    lab.items.push_back(item);
    const std::string text = writeLab(lab);
    WrittenItem made;
    const std::string header = "[[item]]\n";
    const auto begin = text.find(header);
    if (begin == std::string::npos)
        return made;
    made.entry = text.substr(begin + header.size());
    const Document document(text);
    for (const std::string& key : document.keys("item[0].detected"))
        if (const auto value = document.get("item[0].detected." + key))
            made.detected.emplace_back(key, *value);
    return made;
}

} // namespace

Result<DetectionMerge> mergeDetected(
    Document& document, const std::string& machineId, const Detection& detection)
{
    const CheckedLab described = readLab(document.text(), document.name());
    if (!document.isWellFormed())
        return fail(document.name() + ": is not TOML; correct it before values are added");
    if (detection.lab.items.empty())
        return fail("the detection found no machine");
    if (const LabItem* item = described.lab.find(machineId);
        item != nullptr && item->kind != ItemKind::machine)
        return fail(fmt::format("{}: \"{}\" is of the kind {}; name an item of the kind machine",
            document.name(), machineId, toString(item->kind)));
    // Entries of the document are in the order of the text; positions of items are looked up by id there.
    std::map<std::string, std::size_t> entryOf;
    for (std::size_t i = 0; i < document.size("item"); ++i)
        if (const auto id = document.getText(fmt::format("item[{}].id", i)))
            entryOf.try_emplace(*id, i);
    const Matching matching(described.lab, machineId, detection.lab);
    std::map<std::string, std::string> idOf; // of detected items in the document
    const std::string prefix = std::string(Detection::kMachine) + ".";
    for (std::size_t i = 0; i < detection.lab.items.size(); ++i) {
        const std::string& id = detection.lab.items[i].id;
        std::string fresh = i == 0 ? machineId : machineId + "." + id.substr(prefix.size());
        if (const auto at = matching.of(i))
            fresh = described.lab.items[*at].id;
        else
            for (int more = 2; entryOf.contains(fresh); ++more)
                fresh = fmt::format("{}.{}-{}", machineId, id.substr(prefix.size()), more);
        idOf[id] = fresh;
    }
    DetectionMerge merge;
    const auto changed =
        document.change("detected values of " + machineId, [&](Document& into) -> Result<void> {
            for (std::size_t i = 0; i < detection.lab.items.size(); ++i) {
                LabItem item = detection.lab.items[i];
                item.id = idOf[item.id];
                item.in = item.in.empty() ? item.in : idOf[item.in];
                for (LabProperty& property : item.properties)
                    if (const auto named = idOf.find(property.value.text); named != idOf.end()
                        && (property.key == "volume" || property.key == "drive" || property.key == "pool"))
                        property.value.text = named->second;
                const WrittenItem text = written(item);
                const auto entry = entryOf.find(item.id);
                if (entry == entryOf.end()) {
                    if (auto added = into.append("item", text.entry); !added)
                        return added.error();
                    merge.added.push_back(item.id);
                    continue;
                }
                const std::string table = fmt::format("item[{}].detected", entry->second);
                if (auto erased = into.erase(table); !erased)
                    return erased.error();
                for (const auto& [key, value] : text.detected) {
                    if (auto set = into.set(table + "." + key, value); !set)
                        return set.error();
                    merge.values += key != "at" && key != "by" ? 1 : 0;
                }
            }
            return {};
        });
    if (!changed)
        return changed.error();
    for (const std::size_t i : matching.unmatched())
        merge.unmatched.push_back(described.lab.items[i].id);
    return merge;
}

} // namespace loadstone
