// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/xml_reader.h"

#include <fmt/format.h>

#include <expat.h>
#include <memory>

namespace loadstone {

class XmlReading {
public:
    XmlReading(const XmlLimits& limits, XmlNames names, XmlHandler& handler)
        : m_limits(limits)
        , m_handler(handler)
        , m_parser(names == XmlNames::expanded ? XML_ParserCreateNS(nullptr, '|') : XML_ParserCreate(nullptr),
              &XML_ParserFree)
    {
        if (!m_parser)
            return;
        XML_SetUserData(m_parser.get(), this);
        XML_SetElementHandler(
            m_parser.get(),
            [](void* self, const XML_Char* name, const XML_Char** attributes) {
                static_cast<XmlReading*>(self)->begin(name, attributes);
            },
            [](void* self, const XML_Char*) { static_cast<XmlReading*>(self)->end(); });
        XML_SetCharacterDataHandler(m_parser.get(), [](void* self, const XML_Char* text, int length) {
            static_cast<XmlReading*>(self)->text({ text, static_cast<std::size_t>(length) });
        });
        XML_SetStartDoctypeDeclHandler(
            m_parser.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
                static_cast<XmlReading*>(self)->stop(
                    "has a document type declaration, which is not accepted");
            });
    }

    std::optional<XmlFailure> read(std::string_view document)
    {
        if (!m_parser)
            return XmlFailure { 0, "could not be read: no memory" };
        if (document.size() > m_limits.bytes)
            return XmlFailure { 0, fmt::format("is larger than {} MB", m_limits.bytes >> 20U) };
        const auto parsed =
            XML_Parse(m_parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE);
        if (m_failure)
            return std::move(m_failure);
        if (parsed != XML_STATUS_OK)
            return XmlFailure { line(),
                fmt::format(
                    "is not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(m_parser.get()))) };
        return std::nullopt;
    }

private:
    [[nodiscard]] int line() const { return static_cast<int>(XML_GetCurrentLineNumber(m_parser.get())); }

    void stop(std::string why)
    {
        if (m_failure)
            return;
        m_failure = XmlFailure { line(), std::move(why) };
        XML_StopParser(m_parser.get(), XML_FALSE);
    }
    void heedHandler()
    {
        if (m_handler.m_refusal)
            stop(*std::move(m_handler.m_refusal));
    }

    void begin(const XML_Char* name, const XML_Char** attributes)
    {
        if (m_failure)
            return; // expat may have a call left after it was stopped
        if (++m_depth > m_limits.depth)
            return stop(fmt::format("has elements nested more than {} deep", m_limits.depth));
        if (++m_elements > m_limits.elements)
            return stop(fmt::format("has more than {} elements", m_limits.elements));
        m_attributes.clear();
        for (; *attributes != nullptr; attributes += 2) {
            if (m_attributes.size() >= m_limits.attributes)
                return stop(fmt::format("has an element with more than {} attributes", m_limits.attributes));
            m_attributes.emplace_back(attributes[0], attributes[1]);
        }
        m_handler.begin(name, m_attributes, line());
        heedHandler();
    }
    void text(std::string_view part)
    {
        if (m_failure || m_depth == 0)
            return;
        m_handler.text(part);
        heedHandler();
    }
    void end()
    {
        if (m_failure)
            return;
        --m_depth;
        m_handler.end();
        heedHandler();
    }

    const XmlLimits& m_limits;
    XmlHandler& m_handler;
    std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> m_parser;
    std::size_t m_depth = 0, m_elements = 0;
    XmlAttributes m_attributes; // of the element that begins
    std::optional<XmlFailure> m_failure;
};

std::optional<XmlFailure> readXml(
    std::string_view document, const XmlLimits& limits, XmlNames names, XmlHandler& handler)
{
    return XmlReading(limits, names, handler).read(document);
}

} // namespace loadstone
