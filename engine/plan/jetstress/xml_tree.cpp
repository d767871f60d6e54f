// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/jetstress/xml_tree.h"

#include "base/trimmed.h"
#include "base/xml_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::plan {

namespace {

constexpr XmlLimits kLimits { .bytes = 1U << 20, .depth = 32, .elements = 10'000, .attributes = 100 };

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class TreeMaker : public XmlHandler {
public:
    void begin(std::string_view name, const XmlAttributes& attributes, int line) override
    {
        XmlElement element;
        element.name = name;
        element.line = line;
        for (const auto& [key, value] : attributes)
            element.attributes.emplace_back(key, value);
        m_open.push_back(std::move(element));
    }
    void text(std::string_view part) override { m_open.back().text += part; }
    void end() override
    {
        XmlElement element = std::move(m_open.back());
        m_open.pop_back();
        element.text = std::string(trimmed(element.text));
        if (m_open.empty())
            root = std::move(element);
        else
            m_open.back().children.push_back(std::move(element));
    }

    XmlElement root;

private:
    std::vector<XmlElement> m_open;
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
    TreeMaker tree;
    if (const auto failure = readXml(text, kLimits, XmlNames::asWritten, tree))
        return fail(fmt::format("{}: the configuration {}", failure->line, failure->why));
    return std::move(tree.root);
}

} // namespace loadstone::plan
