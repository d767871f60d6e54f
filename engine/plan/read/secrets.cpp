// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/secrets.h"

#include "base/posix_file.h"
#include "base/secret_mask.h"
#include "plan/model/plan.h"

#include <algorithm>
#include <cstdlib>

namespace loadstone::plan {

namespace {

/// Where the lines of a text begin, so that many positions are found in it without reading it for each.
class SecretLines {
public:
    explicit SecretLines(const std::string& text)
        : m_text(text)
    {
        m_begins.push_back(0);
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
            m_begins.push_back(at + 1);
    }
    [[nodiscard]] std::size_t offsetOf(document::Position at) const
    {
        if (at.line < 1 || static_cast<std::size_t>(at.line) > m_begins.size())
            return m_text.size();
        // From the place before, where that is on the same line: all may stand on one.
        if (at.line != m_last.line || at.column < m_last.column) {
            m_last = { at.line, 1 };
            m_offset = document::offsetOf(m_text, {});
            if (at.line > 1)
                m_offset = m_begins[static_cast<std::size_t>(at.line) - 1];
        }
        for (; m_last.column < at.column && m_offset < m_text.size(); ++m_last.column) {
            ++m_offset;
            while (
                m_offset < m_text.size() && (static_cast<unsigned char>(m_text[m_offset]) & 0xc0U) == 0x80U)
                ++m_offset;
        }
        return m_offset;
    }

private:
    const std::string& m_text;
    std::vector<std::size_t> m_begins;
    mutable document::Position m_last; // the place that was asked for before
    mutable std::size_t m_offset = 0;
};

/// Where a password is written, first first.
std::vector<const document::Node*> passwords(const document::Node& root)
{
    std::vector<const document::Node*> found;
    const auto add = [&](const document::Node* password) {
        if (password == nullptr)
            return;
        if (password->kind != document::Node::Kind::table) {
            found.push_back(password);
            return;
        }
        // Names of variables and files are no secrets, nor is that somebody is asked; anything else below password might be one.
        for (const document::Member& member : password->members) {
            const bool asks = member.key == "prompt" && member.value.kind == document::Node::Kind::boolean;
            if (member.key != "environment" && member.key != "file" && !asks
                && member.value.kind != document::Node::Kind::table)
                found.push_back(&member.value);
        }
    };
    add(follow(root, { document::PathStep("target"), document::PathStep("password") }));
    if (const document::Node* targets = root.find("targets"))
        for (const document::Node& target : targets->items)
            add(target.find("password"));
    if (const document::Node* sources = root.find("counters"))
        for (const document::Node& source : sources->items) {
            add(source.find("password"));
            add(source.find("token"));
        }
    std::sort(found.begin(), found.end(),
        [](const document::Node* a, const document::Node* b) { return a->begin < b->begin; });
    return found;
}

} // namespace

std::string withoutSecretLines(const std::string& text)
{
    std::string masked;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const std::size_t password = line.find("password");
        const std::size_t word = std::min(password, line.find("token"));
        const bool open = line.find("\"\"\"") != std::string::npos || line.find("'''") != std::string::npos;
        if (word != std::string::npos && open)
            return masked + "# the rest of the text is left out: it does not parse and holds a password\n";
        masked += word == std::string::npos
            ? line
            : line.substr(0, word) + (word == password ? "password" : "token") + " = \"***\"";
        if (end < text.size())
            masked += '\n';
        begin = end + 1;
    }
    return masked;
}

std::vector<std::string> statedSecrets(const document::Node& root)
{
    std::vector<std::string> secrets;
    for (const document::Node* password : passwords(root)) {
        if (password->kind == document::Node::Kind::text)
            secrets.push_back(password->text);
        else if (password->kind == document::Node::Kind::integer)
            secrets.push_back(std::to_string(password->integer));
    }
    return secrets;
}

std::string withoutSecrets(const std::string& text, const document::Node& root)
{
    const SecretLines lines(text);
    std::string masked;
    std::size_t from = 0;
    for (const document::Node* password : passwords(root)) {
        const std::size_t begin = std::max(from, lines.offsetOf(password->begin));
        masked.append(text, from, begin - from).append("\"***\"");
        from = std::max(begin, lines.offsetOf(password->end));
    }
    return masked.append(text, from);
}

namespace {

/// Where comments stand, and texts that mean nothing to the program; pieces of the text in order.
std::vector<std::pair<std::size_t, std::size_t>> freeTexts(
    const std::string& text, const document::Node& root)
{
    std::vector<std::pair<std::size_t, std::size_t>> pieces;
    const SecretLines lines(text);
    std::vector<std::pair<std::size_t, std::size_t>> strings;
    const std::function<void(const document::Node&, bool)> visit = [&](const document::Node& node,
                                                                       bool isFree) {
        if (node.kind == document::Node::Kind::text) {
            const std::pair piece { lines.offsetOf(node.begin), lines.offsetOf(node.end) };
            strings.push_back(piece);
            if (isFree)
                pieces.push_back(piece);
        }
        for (const document::Node& item : node.items)
            visit(item, isFree);
        for (const document::Member& member : node.members)
            visit(
                member.value, member.key == "title" || member.key == "description" || member.key == "notes");
    };
    visit(root, false);
    std::sort(strings.begin(), strings.end());
    // A comment begins with a # that is within no text; keys in quotes have none of ours.
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
        while (next < strings.size() && strings[next].second <= at)
            ++next;
        if (next < strings.size() && strings[next].first <= at) {
            at = std::max(at + 1, strings[next].second);
            continue;
        }
        if (text[at] == '#') {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            pieces.emplace_back(at, end);
            at = end;
            continue;
        }
        ++at;
    }
    std::sort(pieces.begin(), pieces.end());
    return pieces;
}

} // namespace

std::string withoutSecretsAnywhere(const std::string& text, const std::vector<std::string>& secrets,
    const std::function<bool(const std::string&)>& isGood)
{
    const SecretMask mask(secrets);
    if (mask.empty())
        return text;
    // Everywhere, where that leaves a plan that can be read again.
    std::string masked = mask.masked(text);
    if (masked == text || isGood(masked))
        return masked;
    // A password that is a word of the plan's own, such as "mail", says nothing where the plan has to have that word.
    const auto document = document::parseDocument(text);
    const document::Node* root = std::get_if<document::Node>(&document);
    if (root == nullptr)
        return masked;
    std::string out;
    std::size_t from = 0;
    for (const auto& [begin, end] : freeTexts(text, *root)) {
        if (begin < from || end > text.size())
            continue;
        out.append(text, from, begin - from);
        const std::string_view piece = std::string_view(text).substr(begin, end - begin);
        out += mask.masked(piece);
        from = end;
    }
    out.append(text, from);
    return isGood(out) ? out : text;
}

Result<std::string> readPassword(const PasswordSource& source)
{
    switch (source.kind) {
    case PasswordSource::Kind::literal:
        return source.text;
    case PasswordSource::Kind::environment: {
        const char* value = std::getenv(source.text.c_str());
        if (value == nullptr || *value == '\0')
            return fail(
                "the environment variable " + source.text + ", which should hold the password, is not set");
        return std::string(value);
    }
    case PasswordSource::Kind::prompt:
        return fail("the plan asks for the password (prompt = true), and it cannot be typed here; write { "
                    "environment = "
                    "\"NAME\" } or { file = \"/path\" }");
    case PasswordSource::Kind::file: {
        const auto text = readFile(source.text, 65536); // an OAuth token has some thousand bytes
        if (!text)
            return text.error().within("the password's file");
        // The first line: editors end a file with a line break that is no part of the password.
        std::string line = text->substr(0, text->find_first_of("\r\n"));
        if (line.empty())
            return fail("the password's file " + source.text + " begins with an empty line");
        return line;
    }
    }
    return fail("the password has no source");
}

} // namespace loadstone::plan
