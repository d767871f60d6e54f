// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav_response.h"

#include <algorithm>
#include <array>
#include <expat.h>
#include <memory>
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

std::string trimmed(const std::string& text)
{
    constexpr const char* kBlank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

class Reader {
public:
    Reader()
        : m_parser(XML_ParserCreateNS(nullptr, '|'), &XML_ParserFree)
    {
        if (!m_parser)
            return;
        XML_SetUserData(m_parser.get(), this);
        XML_SetElementHandler(
            m_parser.get(),
            [](void* self, const XML_Char* name, const XML_Char**) {
                static_cast<Reader*>(self)->begin(name);
            },
            [](void* self, const XML_Char*) { static_cast<Reader*>(self)->end(); });
        XML_SetCharacterDataHandler(m_parser.get(), [](void* self, const XML_Char* text, int length) {
            static_cast<Reader*>(self)->text({ text, static_cast<std::size_t>(length) });
        });
        XML_SetStartDoctypeDeclHandler(
            m_parser.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
                static_cast<Reader*>(self)->refuse("has a document type declaration, which no server needs");
            });
    }

    Result<std::vector<DavResource>> read(std::string_view xml)
    {
        if (!m_parser)
            return fail("the answer could not be read: no memory");
        if (xml.size() > kMostDavBytes)
            return fail("the answer is larger than " + std::to_string(kMostDavBytes >> 20) + " MB");
        const auto parsed = XML_Parse(m_parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE);
        if (!m_refused.empty())
            return fail("the answer " + m_refused);
        if (parsed != XML_STATUS_OK)
            return fail("the answer is no well-formed XML, line "
                + std::to_string(XML_GetCurrentLineNumber(m_parser.get())) + ": "
                + XML_ErrorString(XML_GetErrorCode(m_parser.get())));
        return std::move(m_resources);
    }

private:
    void refuse(std::string why)
    {
        if (m_refused.empty())
            m_refused = std::move(why);
        XML_StopParser(m_parser.get(), XML_FALSE);
    }
    [[nodiscard]] Element parent(std::size_t above = 1) const
    {
        return m_path.size() > above ? m_path[m_path.size() - 1 - above] : Element::other;
    }

    void begin(std::string_view name)
    {
        if (!m_refused.empty())
            return;
        if (m_path.size() >= kMostDavDepth)
            return refuse("has more than " + std::to_string(kMostDavDepth) + " elements within each other");
        Element element = Element::other;
        for (const auto& [known, which] : kElements)
            if (name == known)
                element = which;
        if (m_path.empty() && element != Element::multistatus)
            return refuse("is no multistatus, but " + std::string(name.substr(0, kLongestName)));
        m_path.push_back(element);
        m_text.clear();
        if (element == Element::response && m_path.size() == 2) {
            if (m_resources.size() >= kMostDavResources)
                return refuse("tells of more than " + std::to_string(kMostDavResources) + " resources");
            m_resources.emplace_back();
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

    void text(std::string_view text)
    {
        if (!m_refused.empty() || m_path.empty())
            return;
        const Element here = m_path.back();
        if (here != Element::href && here != Element::status && here != Element::etag
            && here != Element::data)
            return;
        if (m_text.size() + text.size() > kMostDavText)
            return refuse("has a property larger than " + std::to_string(kMostDavText >> 10) + " KB");
        m_text += text;
    }

    void end()
    {
        if (!m_refused.empty() || m_path.empty())
            return;
        const bool within = !m_resources.empty();
        switch (m_path.back()) {
        case Element::href:
            if (within && parent() == Element::response)
                m_resources.back().href = trimmed(m_text);
            break;
        case Element::status:
            if (within && parent() == Element::response)
                m_resources.back().status = statusOf(trimmed(m_text));
            else if (parent() == Element::propstat)
                m_status = statusOf(trimmed(m_text));
            break;
        case Element::etag:
            m_found.etag = trimmed(m_text);
            break;
        case Element::data:
            m_found.data = std::move(m_text);
            break;
        case Element::propstat:
            if (within && m_status / 100 == 2)
                take(m_resources.back());
            break;
        default:
            break;
        }
        m_text.clear();
        m_path.pop_back();
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

    std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> m_parser;
    std::vector<Element> m_path;
    std::string m_text; // of the innermost element
    DavResource m_found; // of the propstat that is being read: good only if its status, which comes last, is
    int m_status = 0;
    std::vector<DavResource> m_resources;
    std::string m_refused;
};

} // namespace

std::string_view DavResource::name() const
{
    const std::string_view path = href;
    return path.substr(path.rfind('/') + 1);
}

Result<std::vector<DavResource>> readMultistatus(std::string_view xml)
{
    return Reader().read(xml);
}

} // namespace loadstone::protocol
