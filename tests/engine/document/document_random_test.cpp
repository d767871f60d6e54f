// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Random edits over all files that the program comes with and the bad ones. What an edit should do to the content and to the lines is
// computed here by other means: the content as a tree, the lines of an entry from the places where the parser saw headers.

#include "document/key_names.h"
#include "document_texts.h"
#include "support/catch.h"

#include <loadstone/document.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>

using namespace loadstone;
using document::Node;
using document::Path;

namespace {

std::size_t wantedEdits()
{
    const char* const asked = std::getenv("LOADSTONE_DOCUMENT_EDITS");
    return asked != nullptr ? std::strtoull(asked, nullptr, 10) : 600;
}

Node& at(Node& root, const Path& path)
{
    return *const_cast<Node*>(follow(root, path));
}

Node valueOf(const std::string& toml)
{
    return parsed("x = " + toml).members.front().value;
}

Lines plus(Lines a, const Lines& b)
{
    a.insert(b.begin(), b.end());
    return a;
}

Lines minus(const Lines& a, const Lines& b)
{
    Lines rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
    return rest;
}

/// The content as it is, and with one more of the empty tables around `path` gone each time: which of them only what was removed implied
/// depends on the layout.
std::vector<Node> withoutEmpty(const Node& root, Path path)
{
    std::vector<Node> contents { root };
    for (; !path.empty(); path.pop_back()) {
        Node next = contents.back();
        const Node* const node = follow(next, path);
        const auto* const key = std::get_if<std::string>(&path.back());
        if (node == nullptr || key == nullptr || !node->members.empty() || !node->items.empty()
            || (node->kind != Node::Kind::table && node->kind != Node::Kind::array))
            break;
        std::erase_if(at(next, document::parentOf(path)).members,
            [&](const document::Member& member) { return member.key == *key; });
        contents.push_back(std::move(next));
    }
    return contents;
}

/// A place of a text: its path, and whether it has a region of its own.
struct Place {
    std::string path;
    const Node* node;
};

class RandomEdits {
public:
    RandomEdits(std::string text, std::uint64_t seed)
        : m_original(text)
        , m_document(std::move(text))
        , m_random(seed)
    {
    }

    void edit()
    {
        m_before = m_document.text();
        m_expected = parsed(m_before);
        m_places.clear();
        forEachNode(m_expected, "", [&](const std::string& path, const Node& node) {
            m_places.push_back({ path, &node });
        });
        const std::size_t kind = pick(8);
        INFO("before:\n" << m_before);
        switch (kind) {
        case 0:
        case 1:
            replaceValue();
            break;
        case 2:
            addKey();
            break;
        case 3:
            erase();
            break;
        default:
            editList(kind);
        }
        CHECK(m_document.isWellFormed());
    }

    void undoAll()
    {
        const std::string last = m_document.text();
        while (m_document.canUndo())
            m_document.undo();
        CHECK(m_document.text() == m_original);
        while (m_document.canRedo())
            m_document.redo();
        CHECK(m_document.text() == last);
    }

    std::size_t taken = 0, refused = 0;

private:
    std::size_t pick(std::size_t size) { return static_cast<std::size_t>(m_random() % size); }

    template <class Predicate>
    const Place* pickPlace(Predicate fits)
    {
        std::vector<const Place*> fitting;
        for (const Place& place : m_places)
            if (fits(*place.node))
                fitting.push_back(&place);
        return fitting.empty() ? nullptr : fitting[pick(fitting.size())];
    }

    std::string value()
    {
        static const std::vector<std::string> values { "1", "-2.5", "true", "\"# no comment\"", "'\\'", "[]",
            "[1, [2, \"]\"]]", "{}", "{ a = 1, \"b c\".d = '#' }", "2026-11-23T14:05:00Z",
            "\"\"\"\n[x]\n# text\n\"\"\"", "[\n  1, # one\n  { x = 2 }, # two\n]" };
        return values[pick(values.size())];
    }

    /// Proves the content, that a refused edit changed nothing, and that undo and redo are exact.
    bool check(const std::string& what, const Result<void>& done)
    {
        INFO(what << (done ? "" : ": " + done.error().message) << "\nafter:\n" << m_document.text());
        if (!done) {
            CHECK(m_document.text() == m_before);
            ++refused;
            return false;
        }
        ++taken;
        const std::string now = m_document.text();
        REQUIRE(document::sameContent(parsed(now), m_expected));
        if (now != m_before) {
            m_document.undo();
            REQUIRE(m_document.text() == m_before);
            m_document.redo();
            REQUIRE(m_document.text() == now);
        }
        return true;
    }

    void expectOneOf(const std::vector<Node>& contents)
    {
        const Node now = parsed(m_document.text());
        for (const Node& content : contents)
            if (document::sameContent(now, content))
                m_expected = content;
    }

    void checkLines(const std::string& what, const Lines& expected)
    {
        INFO(what << "\nafter:\n" << m_document.text());
        const Lines now = linesOf(m_document.text());
        CHECK(minus(now, expected) == Lines {});
        CHECK(minus(expected, now) == Lines {});
    }

    void checkComments(const std::string& what, const Lines& expected)
    {
        INFO(what << "\nafter:\n" << m_document.text());
        CHECK(commentsOf(m_document.text()) == expected);
    }

    void replaceValue()
    {
        const Place* place = pickPlace([](const Node& node) { return !isHeaded(node); });
        if (place == nullptr)
            return;
        const std::string path = place->path, toml = value();
        const std::string old = m_document.get(path).value();
        at(m_expected, document::parsePath(path)) = valueOf(toml);
        const std::string what = "set " + path + " " + toml;
        if (check(what, m_document.set(path, toml)))
            checkComments(what, plus(minus(commentsOf(m_before), commentsOf(old)), commentsOf(toml)));
    }

    void addKey()
    {
        const Place* place = pickPlace([](const Node& node) { return node.kind == Node::Kind::table; });
        const std::string table = place->path, toml = value();
        const std::string number = std::to_string(m_random() % 100000);
        const std::string key = pick(2) == 0 ? "new_" + number : "\"new key " + number + "\"";
        const bool deep = pick(4) == 0;
        const std::string path = (table.empty() ? "" : table + ".") + (deep ? "fresh." : "") + key;
        Path steps = document::parsePath(path);
        Node* around = &at(m_expected, document::parsePath(table));
        if (const Node* fresh = around->find("fresh"); deep && fresh != nullptr) {
            if (fresh->kind != Node::Kind::table)
                return;
            around = const_cast<Node*>(fresh);
        } else if (deep) {
            around->members.push_back({ "fresh", {}, Node() });
            around = &around->members.back().value;
        }
        if (around->find(std::get<std::string>(steps.back())) != nullptr)
            return;
        around->members.push_back({ std::get<std::string>(steps.back()), {}, valueOf(toml) });
        const std::string what = "set new " + path + " " + toml;
        if (check(what, m_document.set(path, toml)))
            checkComments(what, plus(commentsOf(m_before), commentsOf(toml)));
    }

    void erase()
    {
        const std::size_t size = m_places.size();
        const Place* place = size < 2 ? nullptr : &m_places[1 + pick(size - 1)];
        if (place == nullptr || place->path.ends_with(']'))
            return;
        const std::string path = place->path;
        const Path steps = document::parsePath(path);
        std::erase_if(at(m_expected, document::parentOf(steps)).members, [&](const document::Member& member) {
            return member.key == std::get<std::string>(steps.back());
        });
        const auto done = m_document.erase(path);
        expectOneOf(withoutEmpty(m_expected, document::parentOf(steps)));
        if (check("erase " + path, done))
            CHECK(minus(commentsOf(m_document.text()), commentsOf(m_before)) == Lines {});
    }

    void editList(std::size_t kind)
    {
        const Place* place = pickPlace([](const Node& node) { return node.kind == Node::Kind::array; });
        if (place == nullptr || pick(20) == 0) {
            newList();
            return;
        }
        const std::string list = place->path;
        const Path steps = document::parsePath(list);
        const bool headed = isHeaded(*place->node);
        auto& items = at(m_expected, steps).items;
        const auto size = items.size();
        const auto iterator = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
        if (kind == 4 || size == 0) {
            const std::size_t where = pick(size + 1);
            insert(list, where, headed);
            return;
        }
        const std::size_t from = pick(size), to = pick(size);
        Path entryPath = steps;
        entryPath.emplace_back(from);
        const std::string old = headed ? "" : m_document.get(document::spellPath(entryPath)).value();
        const Lines own = headed ? linesOfEntry(m_before, entryPath) : commentsOf(old);
        const Lines before = headed ? linesOf(m_before) : commentsOf(m_before);
        const auto checkOwn = [&](const std::string& what, const Lines& expected) {
            if (headed)
                checkLines(what, expected);
            else
                checkComments(what, expected);
        };
        const std::string what = " " + document::spellPath(entryPath) + " to " + std::to_string(to);
        if (kind == 5) {
            items.erase(iterator(from));
            const auto done = m_document.remove(list, from);
            expectOneOf(withoutEmpty(m_expected, steps));
            if (check("remove" + what, done))
                checkOwn("remove" + what, minus(before, own));
        } else if (kind == 6) {
            Node copy = items[from];
            items.insert(iterator(from) + 1, std::move(copy));
            if (check("duplicate" + what, m_document.duplicate(list, from)))
                checkOwn("duplicate" + what, plus(before, own));
        } else {
            Node moved = std::move(items[from]);
            items.erase(iterator(from));
            items.insert(iterator(to), std::move(moved));
            if (check("move" + what, m_document.move(list, from, to)))
                checkOwn("move" + what, before);
        }
    }

    void insert(const std::string& list, std::size_t where, bool headed)
    {
        std::string entry = "x = " + value() + "\n";
        if (headed && pick(2) == 0)
            entry += "# at the end\n";
        if (headed && pick(3) == 0)
            entry += "\n# of a table below\n[[" + document::spellDotted(document::parsePath(list))
                + ".below]]\ny = 1 # y\n";
        if (!headed)
            entry = value();
        Node node = headed ? entryNode(list, entry) : valueOf(entry);
        auto& items = at(m_expected, document::parsePath(list)).items;
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(where), std::move(node));
        const std::string what = "insert " + list + " " + std::to_string(where) + ":\n" + entry;
        if (check(what, m_document.insert(list, where, entry)))
            checkComments(what, plus(commentsOf(m_before), commentsOf(entry)));
    }

    static Node entryNode(const std::string& list, const std::string& entry)
    {
        const Path path = document::parsePath(list);
        const Node root = parsed("[[" + document::spellDotted(path) + "]]\n" + entry);
        const Node* node = &root;
        for (const document::PathStep& step : path)
            if (const auto* key = std::get_if<std::string>(&step))
                node = node->find(*key)->kind == Node::Kind::array && &step != &path.back()
                    ? &node->find(*key)->items.front()
                    : node->find(*key);
        return node->items.front();
    }

    void newList()
    {
        const Place* place = pickPlace([](const Node& node) { return node.kind == Node::Kind::table; });
        const std::string list =
            (place->path.empty() ? "" : place->path + ".") + "list_" + std::to_string(m_random() % 100000);
        Node array;
        array.kind = Node::Kind::array;
        array.items.push_back(valueOf("{ a = 1, b = 'x' }"));
        const Path steps = document::parsePath(list);
        if (place->node->find(std::get<std::string>(steps.back())) != nullptr)
            return;
        at(m_expected, document::parentOf(steps))
            .members.push_back({ std::get<std::string>(steps.back()), {}, std::move(array) });
        if (check("append to new " + list, m_document.append(list, "a = 1\nb = 'x'")))
            checkComments("append to new " + list, commentsOf(m_before));
    }

    std::string m_original;
    Document m_document;
    std::mt19937_64 m_random;
    std::string m_before;
    Node m_expected;
    std::vector<Place> m_places;
};

} // namespace

TEST_CASE("random edits over all files say what was meant, keep the comments and are undone byte for byte")
{
    std::vector<std::string> texts;
    for (const auto& list : { goodFiles(), badFiles() })
        for (const auto& file : list)
            if (std::string text = contentOf(file); Document(text).isWellFormed())
                texts.push_back(std::move(text));
    REQUIRE(texts.size() > 100);
    std::size_t taken = 0, refused = 0;
    for (std::uint64_t round = 0; taken + refused < wantedEdits(); ++round) {
        RandomEdits edits(texts[round % texts.size()], round);
        const std::size_t each = round % 16 == 15 ? 80 : 12; // a text grows with the edits
        for (std::size_t i = 0; i < each; ++i)
            edits.edit();
        edits.undoAll();
        taken += edits.taken;
        refused += edits.refused;
    }
    // Refused is what would put a line break or a comment into a table on one line.
    CHECK(refused * 20 < taken);
    WARN(taken << " edits, " << refused << " refused");
}
