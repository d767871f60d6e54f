// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <expat.h>
#include <memory>

namespace loadstone::plan {

namespace {

constexpr std::size_t kMostBytes = 1U << 20, kMostElements = 10'000, kMostDepth = 32, kMostAttributes = 100;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

void trim(std::string& text)
{
    constexpr const char* kBlank = " \t\r\n";
    text.erase(text.find_last_not_of(kBlank) + 1);
    text.erase(0, text.find_first_not_of(kBlank));
}

class Reader {
public:
    Reader()
        : m_parser(XML_ParserCreate(nullptr), &XML_ParserFree)
    {
        if (!m_parser)
            return;
        XML_SetUserData(m_parser.get(), this);
        XML_SetElementHandler(
            m_parser.get(),
            [](void* self, const XML_Char* name, const XML_Char** attributes) {
                static_cast<Reader*>(self)->begin(name, attributes);
            },
            [](void* self, const XML_Char*) { static_cast<Reader*>(self)->end(); });
        XML_SetCharacterDataHandler(m_parser.get(), [](void* self, const XML_Char* text, int length) {
            auto* reader = static_cast<Reader*>(self);
            if (!reader->m_open.empty())
                reader->m_open.back().text.append(text, static_cast<std::size_t>(length));
        });
        XML_SetStartDoctypeDeclHandler(
            m_parser.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
                static_cast<Reader*>(self)->refuse(
                    "a document type declaration, which no configuration needs; remove it");
            });
    }

    Result<XmlElement> read(std::string_view text)
    {
        if (!m_parser)
            return fail("0: no memory");
        if (text.size() > kMostBytes)
            return fail("0: larger than 1 MB, which no configuration is");
        const auto parsed = XML_Parse(m_parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
        if (!m_refused.empty())
            return fail(m_refused);
        if (parsed != XML_STATUS_OK)
            return fail(fmt::format(
                "{}: no well-formed XML: {}", line(), XML_ErrorString(XML_GetErrorCode(m_parser.get()))));
        return std::move(m_root);
    }

private:
    [[nodiscard]] int line() const { return static_cast<int>(XML_GetCurrentLineNumber(m_parser.get())); }

    void refuse(const std::string& why)
    {
        if (m_refused.empty())
            m_refused = fmt::format("{}: {}", line(), why);
        XML_StopParser(m_parser.get(), XML_FALSE);
    }

    void begin(const XML_Char* name, const XML_Char** attributes)
    {
        if (!m_refused.empty())
            return;
        if (m_open.size() >= kMostDepth)
            return refuse(fmt::format("more than {} elements within each other", kMostDepth));
        if (++m_elements > kMostElements)
            return refuse(fmt::format("more than {} elements", kMostElements));
        XmlElement element;
        element.name = name;
        element.line = line();
        for (; *attributes != nullptr; attributes += 2) {
            if (element.attributes.size() >= kMostAttributes)
                return refuse(fmt::format("more than {} attributes", kMostAttributes));
            element.attributes.emplace_back(attributes[0], attributes[1]);
        }
        m_open.push_back(std::move(element));
    }

    void end()
    {
        if (!m_refused.empty() || m_open.empty())
            return;
        XmlElement element = std::move(m_open.back());
        m_open.pop_back();
        trim(element.text);
        if (m_open.empty())
            m_root = std::move(element);
        else
            m_open.back().children.push_back(std::move(element));
    }

    std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> m_parser;
    std::vector<XmlElement> m_open;
    XmlElement m_root;
    std::size_t m_elements = 0;
    std::string m_refused;
};

} // namespace

bool sameName(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

const XmlElement* XmlElement::find(std::string_view child) const
{
    const auto it = std::find_if(children.begin(), children.end(),
        [&](const XmlElement& element) { return sameName(element.name, child); });
    return it == children.end() ? nullptr : &*it;
}

Result<XmlElement> parseXml(std::string_view text)
{
    return Reader().read(text);
}

} // namespace loadstone::plan
