// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/node.h"
#include "plan/model/plan.h"
#include "support/catch.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

using namespace loadstone;
using document::Node;

namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::vector<std::filesystem::path> allGoodPlans()
{
    std::vector<std::filesystem::path> files = shippedPlans();
    for (const auto& entry :
        std::filesystem::directory_iterator(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans/good"))
        files.push_back(entry.path());
    return files;
}

using Visit = std::function<void(const std::string& path, const document::Node&)>;

void forEachValue(const document::Node& node, const std::string& path, const Visit& visit)
{
    visit(path, node);
    for (const document::Member& member : node.members)
        forEachValue(member.value, path.empty() ? member.key : path + "." + member.key, visit);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        forEachValue(node.items[i], path + "[" + std::to_string(i) + "]", visit);
}

document::Node parsed(const std::string& text)
{
    return std::get<document::Node>(document::parseDocument(text));
}

std::string sourceOf(const std::string& text, const document::Node& node)
{
    const auto begin = document::offsetOf(text, node.begin);
    return text.substr(begin, document::offsetOf(text, node.end) - begin);
}

bool isHeaded(const document::Node& node)
{
    return node.kind == document::Node::Kind::table
        ? !node.isInline
        : node.kind == document::Node::Kind::array && !node.items.empty() && isHeaded(node.items[0])
            && node.items[0].kind == document::Node::Kind::table;
}

} // namespace

TEST_CASE("editing any value of every plan and editing it back gives the identical text")
{
    std::size_t edits = 0;
    for (const auto& file : allGoodPlans()) {
        const std::string text = contentOf(file);
        const document::Node root = parsed(text);
        forEachValue(root, "", [&](const std::string& path, const document::Node& node) {
            if (path.empty() || isHeaded(node))
                return;
            INFO(file << ": " << path);
            const std::string old = sourceOf(text, node);
            for (const std::string value :
                { "123456", "\"some # text\"", "[1, [2, 3]]", "{ a = 1, b.c = \"x\" }" }) {
                const auto edited = plan::editPlan(text, path, value);
                REQUIRE(edited);
                CHECK(edited->size() == text.size() - old.size() + value.size());
                CHECK(document::sameContent(*document::follow(parsed(*edited), document::parsePath(path)),
                    parsed("x = " + value).members.front().value));
                CHECK(plan::editPlan(*edited, path, old).value() == text);
                ++edits;
            }
        });
    }
    CHECK(edits > 400);
}

TEST_CASE("a missing key is added to any table of every plan, and nothing else changes")
{
    std::size_t edits = 0;
    for (const auto& file : allGoodPlans()) {
        const std::string text = contentOf(file);
        const document::Node root = parsed(text);
        forEachValue(root, "", [&](const std::string& path, const document::Node& node) {
            if (node.kind != document::Node::Kind::table)
                return;
            INFO(file << ": " << path);
            const std::string key = (path.empty() ? "" : path + ".") + "brand_new";
            const auto edited = plan::editPlan(text, key, "\"ü\"");
            REQUIRE(edited);
            CHECK(document::follow(parsed(*edited), document::parsePath(key))->text == "ü");
            // What was there still is, in its order: taking out the insertion gives the old text.
            std::size_t same = 0;
            while (same < text.size() && (*edited)[same] == text[same])
                ++same;
            CHECK(edited->ends_with(text.substr(same)));
            CHECK((text.find("\r\n") == std::string::npos) == (edited->find("\r\n") == std::string::npos));
            ++edits;
        });
    }
    CHECK(edits > 60);
}

TEST_CASE("comments and layout around an edited value stay")
{
    const std::string text =
        "a = 1   # one\n\n[[mixes]]   # first\n  clients =   20 # few\n\n[[mixes]]\nclients = 30";
    CHECK(plan::editPlan(text, "mixes[0].clients", "25").value()
        == "a = 1   # one\n\n[[mixes]]   # first\n  clients =   25 # few\n\n[[mixes]]\nclients = 30");
    CHECK(plan::editPlan(text, "mixes[0].name", "\"x\"").value()
        == "a = 1   # one\n\n[[mixes]]   # first\n  clients =   20 # few\n  name = "
           "\"x\"\n\n[[mixes]]\nclients "
           "= 30");
    CHECK(plan::editPlan(text, "mixes[1].name", "\"x\"").value().ends_with("clients = 30\nname = \"x\""));
    CHECK(plan::editPlan(text, "seed", "7").value().starts_with("a = 1   # one\nseed = 7\n\n[[mixes]]"));
    CHECK(plan::editPlan("", "seed", "7").value() == "seed = 7\n");
    CHECK(plan::editPlan("[a.b]\nc = 1\n", "a.x", "2").value() == "[a.b]\nc = 1\n\n[a]\nx = 2\n");
    CHECK(plan::editPlan("t = {}\n", "t.x", "2").value() == "t = { x = 2 }\n");
    CHECK(plan::editPlan("t = { a = 1 }\n", "t.x", "2").value() == "t = { a = 1, x = 2 }\n");
    CHECK(plan::editPlan("[a]\nb.c = 1\nd = 2\n", "a.b.x", "2").value() == "[a]\nb.c = 1\nb.x = 2\nd = 2\n");
}

TEST_CASE("an edit that would change anything but its value is refused")
{
    const std::string text = "a = 1\nt = { x = 1 }\n[[mixes]]\nclients = 20\n";
    for (const char* value : { "", "1 # comment", "1\nb = 2", "1, 2", "[1", "\"x", "1\n[t2]", " 1", "1 " }) {
        INFO(value);
        CHECK_FALSE(plan::editPlan(text, "a", value));
        CHECK_FALSE(plan::editPlan(text, "t.x", value));
        CHECK_FALSE(plan::editPlan(text, "t.y", value));
        CHECK_FALSE(plan::editPlan(text, "mixes[0].name", value));
    }
    // Inline tables cannot hold line breaks, so that not even a value that spans lines may enter one.
    CHECK(plan::editPlan(text, "a", "[\n1 ]"));
    for (const char* path : { "", ".", "a.", ".a", "mixes[5].clients", "mixes[0]", "mixes", "t2.x", "a.x",
             "mixes[x].a", "mixes[0", "b c", "mixes[0].clients.x", "mixes[99999999999999999999999].clients",
             "mixes[-1].a" }) {
        INFO(path);
        CHECK_FALSE(plan::editPlan(text, path, "1"));
    }
    CHECK_FALSE(plan::editPlan("a = = 1", "a", "1"));
}
