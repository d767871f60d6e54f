// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/collection_probe.h"

#include <algorithm>

namespace loadstone::mail {

using protocol::DavRequest;
using protocol::DavResource;

namespace {
constexpr int kNotFound = 404;
}

CollectionProbe::CollectionProbe(ActionShell& shell, bool contacts)
    : m_requests(shell)
    , m_contacts(contacts)
{
}

Task<void> CollectionProbe::look()
{
    const std::string place = path();
    const DavRequest request = protocol::lookAtCollection(place);
    const bool answered = co_await m_requests.ask(m_collection, m_contacts, request);
    if (!answered)
        co_return;
    if (m_collection.link->client.reply().status != kNotFound) {
        std::vector<DavResource> resources;
        if (!m_requests.readAnswer(m_collection, request.verb, resources))
            co_return;
        const char* const type = m_contacts ? "addressbook" : "calendar";
        m_there = !resources.empty()
            && std::find(resources.front().types.begin(), resources.front().types.end(), type)
                != resources.front().types.end();
        if (!m_there)
            m_other = std::string("a resource that is not of type ") + type;
        co_return;
    }
    const std::size_t slash = place.rfind('/', place.size() - 2);
    const DavRequest above = protocol::lookAtCollection(place.substr(0, slash + 1));
    const bool known = co_await m_requests.ask(m_collection, m_contacts, above);
    m_makeable = known && m_collection.link->client.reply().status != kNotFound;
}

} // namespace loadstone::mail
