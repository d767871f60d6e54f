// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/secrets.h"

#include "base/posix_file.h"
#include "plan/plan.h"

#include <algorithm>
#include <cstdlib>

namespace loadstone::plan {

namespace {

/// Replaces what stands between two places of the text.
void mask(std::string& text, std::size_t begin, std::size_t end)
{
    text.replace(begin, end - begin, "\"***\"");
}

/// Where a password is written, last first.
std::vector<const Node*> passwords(const Node& root)
{
    std::vector<const Node*> found;
    const auto add = [&](const Node* password) {
        if (password == nullptr)
            return;
        if (password->kind != Node::Kind::table) {
            found.push_back(password);
            return;
        }
        // Names of variables and files are no secrets, nor is that somebody is asked; anything else below password might be one.
        for (const Member& member : password->members) {
            const bool asks = member.key == "prompt" && member.value.kind == Node::Kind::boolean;
            if (member.key != "environment" && member.key != "file" && !asks
                && member.value.kind != Node::Kind::table)
                found.push_back(&member.value);
        }
    };
    add(follow(root, { PathStep("target"), PathStep("password") }));
    if (const Node* targets = root.find("targets"))
        for (const Node& target : targets->items)
            add(target.find("password"));
    std::sort(found.begin(), found.end(), [](const Node* a, const Node* b) { return a->begin > b->begin; });
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
        const auto word = line.find("password");
        const bool open = line.find("\"\"\"") != std::string::npos || line.find("'''") != std::string::npos;
        if (word != std::string::npos && open)
            return masked + "# the rest of the text is left out: it does not parse and holds a password\n";
        masked += word == std::string::npos ? line : line.substr(0, word) + "password = \"***\"";
        if (end < text.size())
            masked += '\n';
        begin = end + 1;
    }
    return masked;
}

std::string withoutSecrets(const std::string& text, const Node& root)
{
    std::string masked = text;
    for (const Node* password : passwords(root))
        mask(masked, offsetOf(text, password->begin), offsetOf(text, password->end));
    return masked;
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
        return fail("the plan wants to be asked for the password, and nobody can be asked here; write { "
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
