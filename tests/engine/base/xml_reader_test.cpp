// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/xml_reader.h"
#include "support/catch.h"

#include <string>

using namespace loadstone;

namespace {

/// Writes down what it is told: "<a x=1>text</>".
class Notes : public XmlHandler {
public:
    void begin(std::string_view name, const XmlAttributes& attributes, int line) override
    {
        told += "<" + std::string(name);
        for (const auto& [key, value] : attributes)
            told += " " + std::string(key) + "=" + std::string(value);
        told += ">";
        lastLine = line;
        if (name == "enough")
            refuse("has enough");
    }
    void text(std::string_view part) override { told += part; }
    void end() override { told += "</>"; }

    std::string told;
    int lastLine = 0;
};

constexpr XmlLimits kSmall { .bytes = 1U << 20, .depth = 3, .elements = 5, .attributes = 2 };

std::string whyNot(const std::string& document, Notes& notes)
{
    const auto failure = readXml(document, kSmall, XmlNames::asWritten, notes);
    return failure ? std::to_string(failure->line) + " " + failure->why : "";
}

std::string whyNot(const std::string& document)
{
    Notes notes;
    return whyNot(document, notes);
}

} // namespace

TEST_CASE("a document is told in its order, with lines, attributes and names as they are asked for")
{
    Notes notes;
    CHECK(whyNot("<a x='1'>\n<b>t&lt;</b></a>", notes).empty());
    CHECK(notes.told == "<a x=1>\n<b>t<</></>");
    CHECK(notes.lastLine == 2);

    Notes expanded;
    CHECK_FALSE(readXml("<d:a xmlns:d='DAV:' d:x='1'/>", kSmall, XmlNames::expanded, expanded));
    CHECK(expanded.told == "<DAV:|a DAV:|x=1></>");
}

TEST_CASE("exactly as much as the limits is read, one more is refused with its line")
{
    CHECK(whyNot("<a><b><c/></b></a>").empty());
    CHECK(whyNot("<a>\n<b><c><d/></c></b></a>") == "2 has elements nested more than 3 deep");
    CHECK(whyNot("<a><b/><b/><b/><b/></a>").empty());
    CHECK(whyNot("<a><b/><b/><b/><b/>\n\n<b/></a>") == "3 has more than 5 elements");
    CHECK(whyNot("<a x='1' y='2'/>").empty());
    CHECK(whyNot("<a x='1' y='2' z='3'/>") == "1 has an element with more than 2 attributes");
    const std::string ends = "<a></a>";
    CHECK(whyNot("<a>" + std::string(kSmall.bytes - ends.size(), ' ') + "</a>").empty());
    CHECK(
        whyNot("<a>" + std::string(kSmall.bytes - ends.size() + 1, ' ') + "</a>") == "0 is larger than 1 MB");
}

TEST_CASE("nothing is told after a refusal, whoever refused")
{
    Notes notes;
    CHECK(whyNot("<a><enough>text</enough><b/></a>", notes) == "1 has enough");
    CHECK(notes.told == "<a><enough>");
    Notes deep;
    CHECK_FALSE(whyNot("<a><b><c><d>text</d></c></b></a>", deep).empty());
    CHECK(deep.told == "<a><b><c>");
    Notes typed;
    CHECK(whyNot("<!DOCTYPE a [<!ENTITY e 'ee'>]><a>&e;</a>", typed)
        == "1 has a document type declaration, which is not accepted");
    CHECK(typed.told.empty());
    CHECK(whyNot("<a>\n</b>") == "2 is not well-formed XML: mismatched tag");
}
