// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/report_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace loadstone {

namespace {

using report::FieldRow;
using report::FieldScope;

using Ids = std::set<std::string, std::less<>>;

bool hasRole(const LabItem& item, std::string_view role)
{
    return std::ranges::find(item.roles, role) != item.roles.end();
}

/// The set with all that the items contain, and what runs on them.
Ids withContents(const Lab& lab, Ids ids)
{
    std::multimap<std::string_view, std::string_view> inside;
    for (const LabItem& item : lab.items)
        if (!item.in.empty())
            inside.emplace(item.in, item.id);
    for (const LabLink& link : lab.links)
        if (link.kind == LinkKind::runsOn)
            inside.emplace(link.to, link.from);
    std::vector<std::string> open(ids.begin(), ids.end());
    while (!open.empty()) {
        const std::string id = std::move(open.back());
        open.pop_back();
        const auto [begin, end] = inside.equal_range(id);
        for (auto it = begin; it != end; ++it)
            if (ids.emplace(it->second).second)
                open.emplace_back(it->second);
    }
    return ids;
}

/// The items of one lab that fields are about.
class Parts {
public:
    explicit Parts(const Lab& lab)
        : m_lab(&lab)
    {
        Ids generators, tested;
        for (const LabItem& item : lab.items) {
            if (hasRole(item, "generator"))
                generators.insert(item.id);
            if (hasRole(item, "system under test"))
                tested.insert(item.id);
        }
        m_generators = withContents(lab, std::move(generators));
        m_tested = withContents(lab, std::move(tested));
        Ids hosts;
        for (const LabLink& link : lab.links)
            if (link.kind == LinkKind::runsOn && m_tested.contains(link.from))
                hosts.insert(link.to);
        m_hosts = hosts;
        m_hosted = withContents(lab, std::move(hosts));
        if (m_tested.empty())
            for (const LabItem& item : lab.items)
                if (!m_generators.contains(item.id))
                    m_tested.insert(item.id);
    }

    [[nodiscard]] std::vector<const LabItem*> of(const FieldRow& row) const
    {
        std::vector<const LabItem*> items;
        for (const LabItem& item : m_lab->items)
            if (matches(item, row))
                items.push_back(&item);
        return items;
    }

private:
    [[nodiscard]] bool matches(const LabItem& item, const FieldRow& row) const
    {
        if (row.scope == FieldScope::deployment)
            return (item.kind == ItemKind::cluster || item.kind == ItemKind::software)
                && (item.find("mailboxes") != nullptr || item.find("users") != nullptr);
        return item.kind == row.kind && inScope(item, row.scope);
    }

    [[nodiscard]] bool inScope(const LabItem& item, FieldScope scope) const
    {
        const auto holds = [&](std::string_view what) {
            return item.text("holds").find(what) != std::string::npos;
        };
        switch (scope) {
        case FieldScope::any:
        case FieldScope::deployment:
            return true;
        case FieldScope::underTest:
            return isTested(item);
        case FieldScope::generators:
            return m_generators.contains(item.id);
        case FieldScope::physical:
            return (isTested(item) || m_hosts.contains(item.id)) && !isVirtual(item);
        case FieldScope::noGenerators:
            return !m_generators.contains(item.id);
        case FieldScope::arrays:
            return item.text("type") != "blade chassis" && item.text("type") != "rack"
                && !isInEnclosure(item);
        case FieldScope::multipath:
            return item.text("type") == "multipath";
        case FieldScope::dataNetworks:
            return item.text("type") != "Fibre Channel hub";
        case FieldScope::virtualMachines:
            return isVirtual(item);
        case FieldScope::databases:
            return holds("database") || holds("mail") || holds("Information Store");
        case FieldScope::logs:
            return holds("log");
        case FieldScope::mailServers:
            return item.text("type") == "mail server";
        case FieldScope::benchmarks:
            return item.text("type") == "benchmark";
        case FieldScope::networkAdapters:
            return isTested(item) && (item.text("type").empty() || item.text("type") == "network");
        case FieldScope::hostBusAdapters:
            break;
        }
        return isTested(item) && (item.text("type") != "network" || !hasStorageAdapter());
    }

    [[nodiscard]] bool isTested(const LabItem& item) const
    {
        return (m_tested.contains(item.id) || (isHardware(item) && m_hosted.contains(item.id)))
            && !m_generators.contains(item.id);
    }
    static bool isHardware(const LabItem& item)
    {
        return item.kind == ItemKind::processor || item.kind == ItemKind::memory
            || item.kind == ItemKind::adapter || item.kind == ItemKind::controller
            || item.kind == ItemKind::drive;
    }
    [[nodiscard]] bool isInEnclosure(const LabItem& item) const
    {
        return std::ranges::any_of(m_lab->items, [&](const LabItem& around) {
            return around.id == item.in && around.kind == ItemKind::enclosure;
        });
    }
    static bool isVirtual(const LabItem& item)
    {
        return item.text("form") == "virtual machine" || item.find("vcpus") != nullptr;
    }
    /// Where there is none, network adapters are the path to storage (iSCSI, NFS).
    [[nodiscard]] bool hasStorageAdapter() const
    {
        return std::ranges::any_of(m_lab->items, [&](const LabItem& item) {
            return item.kind == ItemKind::adapter && isTested(item) && !item.text("type").empty()
                && item.text("type") != "network";
        });
    }

    const Lab* m_lab;
    Ids m_generators, m_tested;
    Ids m_hosts, m_hosted; ///< of virtual machines under test
};

std::string_view scopeWords(FieldScope scope)
{
    switch (scope) {
    case FieldScope::any:
        return {};
    case FieldScope::underTest:
        return " under test";
    case FieldScope::generators:
        return " of generators";
    case FieldScope::physical:
        return " under test that are physical";
    case FieldScope::noGenerators:
        return " but those of generators";
    case FieldScope::arrays:
        return " with drives";
    case FieldScope::multipath:
        return " of the type multipath";
    case FieldScope::dataNetworks:
        return " but hubs";
    case FieldScope::virtualMachines:
        return " that are virtual";
    case FieldScope::databases:
        return " that hold databases";
    case FieldScope::logs:
        return " that hold logs";
    case FieldScope::mailServers:
        return " of the type mail server";
    case FieldScope::benchmarks:
        return " of the type benchmark";
    case FieldScope::deployment:
        return " with mailboxes or users";
    case FieldScope::networkAdapters:
        return " to networks, under test";
    case FieldScope::hostBusAdapters:
        break;
    }
    return " to storage, under test";
}

/// "volumes that hold logs: size"
std::string whereOf(const FieldRow& row)
{
    std::string kind = toString(row.kind);
    if (row.kind == ItemKind::os)
        kind = "operating systems";
    else if (row.kind == ItemKind::filesystem)
        kind = "file systems";
    else if (row.kind != ItemKind::software && row.kind != ItemKind::memory)
        kind += kind.ends_with('y') ? "" : "s";
    std::string keys(row.key);
    for (std::size_t bar = keys.find('|'); bar != std::string::npos; bar = keys.find('|', bar))
        keys.replace(bar, 1, " or ");
    return fmt::format("{}{}: {}", kind, scopeWords(row.scope), keys);
}

LabFieldState stateOf(const LabItem& item, std::string_view keys)
{
    LabFieldState state = LabFieldState::empty;
    while (!keys.empty()) {
        const std::size_t bar = std::min(keys.find('|'), keys.size());
        const std::string_view key = keys.substr(0, bar);
        keys.remove_prefix(std::min(bar + 1, keys.size()));
        if (key == "count")
            return LabFieldState::filled;
        const LabProperty* property = item.find(key);
        if (property == nullptr)
            continue;
        if (property->value.origin != ValueOrigin::notDisclosed)
            return LabFieldState::filled;
        state = LabFieldState::notDisclosed;
    }
    return state;
}

LabField fieldOf(const Parts& parts, const FieldRow& row)
{
    LabField field;
    field.field = row.field;
    field.where = whereOf(row);
    field.key = row.key.substr(0, row.key.find('|'));
    for (const LabItem* item : parts.of(row)) {
        const LabFieldState state = stateOf(*item, row.key);
        const bool decides = (state == LabFieldState::empty) == row.every;
        if (field.state == LabFieldState::noItem || decides) {
            field.item = item->id;
            field.state = state;
        }
        if (decides)
            break;
    }
    return field;
}

} // namespace

const char* toString(LabReport report)
{
    switch (report) {
    case LabReport::storage:
        return "storage report";
    case LabReport::mail:
        return "mail report";
    case LabReport::virtualisation:
        break;
    }
    return "virtualisation report";
}

std::vector<LabField> labFields(const Lab& lab, LabReport report)
{
    const Parts parts(lab);
    std::vector<LabField> fields;
    for (const FieldRow& row : report::fieldRows(report))
        fields.push_back(fieldOf(parts, row));
    return fields;
}

std::string labFieldsText(const Lab& lab, LabReport report)
{
    const std::vector<LabField> fields = labFields(lab, report);
    return fmt::format("{} of {} fields of the {}", std::ranges::count_if(fields, &LabField::filled),
        fields.size(), toString(report));
}

} // namespace loadstone
