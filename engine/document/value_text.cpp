// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/value_text.h"

#include "base/trimmed.h"
#include "document/parsed_text.h"

#include <loadstone/document.h>

#include <algorithm>

namespace loadstone::document {

namespace {

using NodeKind = Node::Kind;

bool isControl(char c)
{
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
}

/// Several lines between """.
std::string quotedLines(const std::string& text)
{
    std::string out = "\"\"\"\n";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' || (c == '"' && (i + 1 == text.size() || text.compare(i, 3, "\"\"\"") == 0)))
            out += '\\';
        out += c;
    }
    return out + "\"\"\"";
}

bool isPlain(const std::string& text, NodeKind kind)
{
    const auto value = parseValue(text);
    return value && (value->kind == kind || (kind == NodeKind::real && value->kind == NodeKind::integer));
}

Result<std::string> spellFlag(const std::string& text)
{
    for (const char* yes : { "true", "yes", "on" })
        if (text == yes)
            return std::string("true");
    for (const char* no : { "false", "no", "off" })
        if (text == no)
            return std::string("false");
    return fail("\"" + text + "\" is neither true nor false");
}

/// "a, b" or a list as TOML has it.
Result<std::string> spellList(const std::string& text, bool ofTexts)
{
    if (text.starts_with('[') && isPlain(text, NodeKind::array))
        return text;
    std::string list;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string element(trimmed(std::string_view(text).substr(at, end - at)));
        at = end + 1;
        if (element.empty())
            continue;
        if (!ofTexts && !isPlain(element, NodeKind::real))
            return fail("\"" + element + "\" is not a number");
        list += (list.empty() ? "" : ", ") + (ofTexts ? quoted(element) : element);
    }
    return "[" + list + "]";
}

KeyType typeOf(const Node* present)
{
    if (present == nullptr)
        return KeyType::text;
    switch (present->kind) {
    case NodeKind::boolean:
        return KeyType::flag;
    case NodeKind::integer:
        return KeyType::integer;
    case NodeKind::real:
        return KeyType::number;
    case NodeKind::date:
        return KeyType::date;
    case NodeKind::array:
        return KeyType::texts;
    case NodeKind::table:
        return KeyType::table;
    case NodeKind::text:
        break;
    }
    return KeyType::text;
}

} // namespace

std::string quoted(const std::string& text, std::string_view spelling)
{
    const bool hasLines = text.find('\n') != std::string::npos;
    const bool hasControls =
        std::any_of(text.begin(), text.end(), [](char c) { return isControl(c) && c != '\n'; });
    if (hasLines && !hasControls)
        return quotedLines(text);
    const bool literal = (spelling.starts_with('\'') || text.find('\\') != std::string::npos)
        && text.find('\'') == std::string::npos && !hasLines && !hasControls;
    return literal ? "'" + text + "'" : tomlText(text);
}

Result<std::string> spellText(
    const KeyRow* row, const std::string& text, const Node* present, std::string_view spelling)
{
    const std::string word(trimmed(text));
    const KeyType type = row != nullptr ? row->type : typeOf(present);
    const bool wasText = present != nullptr && present->kind == NodeKind::text;
    switch (type) {
    case KeyType::flag:
        return spellFlag(word);
    case KeyType::integer:
        if (isPlain(word, NodeKind::integer))
            return word;
        return fail("\"" + word + "\" is not a whole number");
    case KeyType::number:
        if (isPlain(word, NodeKind::real))
            return word;
        return fail("\"" + word + "\" is not a number");
    case KeyType::percent:
        return !wasText && isPlain(word, NodeKind::real) ? word : quoted(word, spelling);
    case KeyType::date:
        if (isPlain(word, NodeKind::date))
            return word;
        return fail("\"" + word + "\" is not a date; write year, month and day, as in 2026-11-23");
    case KeyType::texts:
    case KeyType::numbers:
        return spellList(word, type == KeyType::texts);
    case KeyType::table:
    case KeyType::tables:
        return fail("is a table or list of tables; set its keys one by one");
    case KeyType::text:
        return quoted(text, spelling);
    default:
        return quoted(word, spelling);
    }
}

} // namespace loadstone::document
