// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/collection_errand.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace loadstone::mail {

using plan::ActionKind;
using protocol::DavRequest;
using protocol::DavResource;

CollectionErrand::CollectionErrand(ActionShell& shell)
    : m_shell(shell)
    , m_action(shell.action())
    , m_requests(shell)
    , m_entries(m_requests, kInitialSeries)
{
}

Task<bool> CollectionErrand::carryOut()
{
    bool good = true;
    for (const bool contacts : { false, true }) {
        if (!good || !m_requests.serviceOf(contacts).endpoint->present)
            continue;
        if (m_action.kind == ActionKind::cleanMailbox)
            good = co_await clean(contacts);
        else if (m_shell.setup().initialEntries(contacts) > 0)
            good = co_await fill(contacts);
    }
    co_return good;
}

Task<bool> CollectionErrand::fill(bool contacts)
{
    DavCollection collection;
    bool good = co_await m_entries.open(collection, contacts);
    std::vector<std::string> names;
    if (good)
        good = co_await list(collection, contacts, names);
    if (!good)
        co_return false;
    const std::unordered_set<std::string_view> there(names.begin(), names.end());
    const std::uint32_t wanted = m_shell.setup().initialEntries(contacts);
    const ActionKind kind = contacts ? ActionKind::createContact : ActionKind::makeAppointment;
    const CalendarWorld about = m_entries.world();
    for (std::uint32_t number = 0; good && number < wanted; ++number) {
        const ObjectId id { m_action.mailbox, kind, kInitialSeries, number };
        const std::string name = uidOf(about, id) + (contacts ? ".vcf" : ".ics");
        if (there.contains(name)) {
            ++m_found;
            continue;
        }
        if (contacts)
            good = co_await m_entries.putContact(collection, id);
        else
            good = co_await m_entries.putEvent(collection, id);
        collection.known.clear(); // nobody looks at them
        if (good) {
            ++m_made;
            count(Quantity::entriesMade);
        }
    }
    co_return good;
}

Task<bool> CollectionErrand::clean(bool contacts)
{
    DavCollection collection;
    std::vector<std::string> names;
    bool good = co_await list(collection, contacts, names);
    const auto foreign = std::partition(names.begin(), names.end(), isObjectName);
    const auto left = static_cast<std::uint64_t>(names.end() - foreign);
    names.erase(foreign, names.end());
    const std::string path = m_requests.pathOf(m_requests.serviceOf(contacts));
    for (std::size_t i = 0; good && i < names.size(); ++i) {
        const DavRequest remove = protocol::removeObject(path + names[i]);
        good = co_await m_requests.ask(collection, contacts, remove);
        if (good && collection.link->client.reply().status != 404)
            count(Quantity::entriesRemoved);
    }
    m_foreign += left;
    if (left > 0)
        m_left += fmt::format("{}{} {} in the {}", m_left.empty() ? "" : ", ", left,
            left == 1 ? "entry" : "entries", contacts ? "address book" : "calendar");
    co_return good;
}

Task<bool> CollectionErrand::list(DavCollection& collection, bool contacts, std::vector<std::string>& names)
{
    const DavRequest look = protocol::listCollection(m_requests.pathOf(m_requests.serviceOf(contacts)));
    const bool looked = co_await m_requests.ask(collection, contacts, look);
    if (!looked)
        co_return false;
    if (collection.link->client.reply().status == 404)
        co_return true;
    std::vector<DavResource> members;
    if (!m_requests.readAnswer(collection, look.verb, members))
        co_return false;
    for (const DavResource& member : members) {
        const bool within = std::find(member.types.begin(), member.types.end(), "collection")
            != member.types.end(); // the collection itself, or another one in it
        if (!within && !member.name().empty() && member.status / 100 <= 2)
            names.emplace_back(member.name());
    }
    co_return true;
}

void CollectionErrand::count(Quantity what)
{
    m_shell.context().recorder.count(m_shell.context().series.preparation(what));
}

} // namespace loadstone::mail
