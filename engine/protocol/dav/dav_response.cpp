// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/dav_response.h"

#include "base/trimmed.h"
#include "base/xml_reader.h"

#include <array>
#include <utility>

namespace loadstone::protocol {

namespace {

enum class Element : std::uint8_t {
    other,
    multistatus,
    response,
    href,
    propstat,
    status,
    prop,
    etag,
    data,
    resourceType,
    reportSet,
    supportedReport,
    report,
};

/// Names as expat gives them with namespaces: "DAV:|href".
constexpr std::array<std::pair<std::string_view, Element>, 13> kElements { {
    { "DAV:|multistatus", Element::multistatus },
    { "DAV:|response", Element::response },
    { "DAV:|href", Element::href },
    { "DAV:|propstat", Element::propstat },
    { "DAV:|status", Element::status },
    { "DAV:|prop", Element::prop },
    { "DAV:|getetag", Element::etag },
    { "urn:ietf:params:xml:ns:caldav|calendar-data", Element::data },
    { "urn:ietf:params:xml:ns:carddav|address-data", Element::data },
    { "DAV:|resourcetype", Element::resourceType },
    { "DAV:|supported-report-set", Element::reportSet },
    { "DAV:|supported-report", Element::supportedReport },
    { "DAV:|report", Element::report },
} };

constexpr XmlLimits kLimits { .bytes = kMostDavBytes, .depth = kMostDavDepth, .elements = kMostDavElements };
constexpr std::size_t kMostNames = 100; // of types or reports of one resource
constexpr std::size_t kLongestName = 100;

/// 200 of "HTTP/1.1 200 OK"; 0: none.
int statusOf(std::string_view line)
{
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.size() < space + 4)
        return 0;
    int status = 0;
    for (const char c : line.substr(space + 1, 3)) {
        if (c < '0' || c > '9')
            return 0;
        status = status * 10 + (c - '0');
    }
    return status;
}

class MultistatusReader : public XmlHandler {
public:
    void begin(std::string_view name, const XmlAttributes&, int) override
    {
        Element element = Element::other;
        for (const auto& [known, which] : kElements)
            if (name == known)
                element = which;
        if (m_path.empty() && element != Element::multistatus)
            return refuse("is not a multistatus, but " + std::string(name.substr(0, kLongestName)));
        m_path.push_back(element);
        m_text.clear();
        if (element == Element::response && m_path.size() == 2) {
            if (resources.size() >= kMostDavResources)
                return refuse("describes more than " + std::to_string(kMostDavResources) + " resources");
            resources.emplace_back();
        } else if (element == Element::propstat) {
            m_found = {};
            m_status = 0;
        }
        const std::string_view local = name.substr(name.rfind('|') + 1).substr(0, kLongestName);
        const auto note = [&](std::vector<std::string>& names) {
            if (names.size() < kMostNames)
                names.emplace_back(local);
        };
        if (parent() == Element::resourceType)
            note(m_found.types);
        else if (parent() == Element::report && parent(2) == Element::supportedReport)
            note(m_found.reports);
    }

    void text(std::string_view text) override
    {
        const Element here = m_path.back();
        if (here != Element::href && here != Element::status && here != Element::etag
            && here != Element::data)
            return;
        if (m_text.size() + text.size() > kMostDavText)
            return refuse("has a property larger than " + std::to_string(kMostDavText >> 10) + " KB");
        m_text += text;
    }

    void end() override
    {
        const bool within = !resources.empty();
        switch (m_path.back()) {
        case Element::href:
            if (within && parent() == Element::response)
                resources.back().href = std::string(trimmed(m_text));
            break;
        case Element::status:
            if (within && parent() == Element::response)
                resources.back().status = statusOf(trimmed(m_text));
            else if (parent() == Element::propstat)
                m_status = statusOf(trimmed(m_text));
            break;
        case Element::etag:
            m_found.etag = std::string(trimmed(m_text));
            break;
        case Element::data:
            m_found.data = std::move(m_text);
            break;
        case Element::propstat:
            if (within && m_status / 100 == 2)
                take(resources.back());
            break;
        default:
            break;
        }
        m_text.clear();
        m_path.pop_back();
    }

    std::vector<DavResource> resources;

private:
    [[nodiscard]] Element parent(std::size_t above = 1) const
    {
        return m_path.size() > above ? m_path[m_path.size() - 1 - above] : Element::other;
    }

    void take(DavResource& resource)
    {
        if (!m_found.etag.empty())
            resource.etag = std::move(m_found.etag);
        if (!m_found.data.empty())
            resource.data = std::move(m_found.data);
        if (!m_found.types.empty())
            resource.types = std::move(m_found.types);
        if (!m_found.reports.empty())
            resource.reports = std::move(m_found.reports);
        m_found = {};
    }

    std::vector<Element> m_path;
    std::string m_text; // of the innermost element
    DavResource m_found; // of the propstat that is being read: good only if its status, which comes last, is
    int m_status = 0;
};

} // namespace

std::string_view DavResource::name() const
{
    const std::string_view path = href;
    return path.substr(path.rfind('/') + 1);
}

Result<std::vector<DavResource>> readMultistatus(std::string_view xml)
{
    MultistatusReader reader;
    if (const auto failure = readXml(xml, kLimits, XmlNames::expanded, reader))
        return fail(failure->line == 0
                ? "the answer " + failure->why
                : "line " + std::to_string(failure->line) + " of the answer: it " + failure->why);
    return std::move(reader.resources);
}

} // namespace loadstone::protocol
