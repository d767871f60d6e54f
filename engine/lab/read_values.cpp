// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/trimmed.h"
#include "document/row_value.h"
#include "lab/kinds.h"
#include "lab/reading.h"

#include <fmt/format.h>

#include <charconv>

namespace loadstone::lab {

std::optional<std::string> readText(
    const document::Node& table, const char* key, const std::string& path, LabProblems& findings, bool lines)
{
    const document::Node* node = table.find(key);
    if (node == nullptr)
        return std::nullopt;
    const std::string field = path.empty() ? key : path + "." + key;
    if (node->kind != document::Node::Kind::text) {
        findings.error(
            field, fmt::format("is {}, must be a text", describe(node->kind)), "write it in quotes");
        return std::nullopt;
    }
    if (auto fault = document::faultOfText(node->text, lines)) {
        findings.error(field, std::move(fault->message), std::move(fault->remedy));
        return std::nullopt;
    }
    return node->text;
}

std::optional<std::string> readId(
    const document::Node& table, const char* key, const std::string& path, LabProblems& findings)
{
    if (table.find(key) == nullptr) {
        findings.error(path + "." + key, "is missing", fmt::format("write {} = \"…\" below the header", key));
        return std::nullopt;
    }
    auto id = readText(table, key, path, findings);
    if (id && !isValidId(*id)) {
        findings.error(path + "." + key,
            id->size() > 64 ? std::string("is longer than 64 characters")
                            : fmt::format("\"{}\" is not an id", id->substr(0, 64)),
            "use letters, digits, - and _, in parts separated by dots, as in srv1.nic0");
        return std::nullopt;
    }
    return id;
}

std::vector<const document::Node*> readTables(
    const document::Node& table, const char* key, const std::string& path, LabProblems& findings)
{
    std::vector<const document::Node*> tables;
    const document::Node* list = table.find(key);
    if (list == nullptr)
        return tables;
    const std::string field = path.empty() ? key : path + "." + key;
    std::string header = field; // as it stands in brackets: without indices
    for (auto open = header.find('['); open != std::string::npos; open = header.find('['))
        header.erase(open, header.find(']', open) - open + 1);
    const std::string remedy = fmt::format("write a header [[{}]] for each, and its keys below it", header);
    if (list->kind != document::Node::Kind::array) {
        findings.error(field, fmt::format("is {}, must be a list of tables", describe(list->kind)), remedy);
        return tables;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const document::Node& item = list->items[i];
        if (item.kind == document::Node::Kind::table)
            tables.push_back(&item);
        else {
            // One of them stands for all, so that the indices of the others stay those of the text.
            findings.error(fmt::format("{}[{}]", field, i),
                fmt::format("is {}, must be a table", describe(item.kind)), remedy);
            return {};
        }
    }
    return tables;
}

std::optional<double> numberOfTuning(std::string_view value)
{
    value = trimmed(value);
    int base = 10;
    for (const std::string_view hex : { "0x", "0X", "dword:", "qword:", "hex:" }) {
        if (value.starts_with(hex)) {
            base = 16;
            value = trimmed(value.substr(hex.size()));
            break;
        }
    }
    if (base == 16) {
        std::uint64_t number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number, 16);
        if (value.empty() || read.ec != std::errc() || read.ptr != value.data() + value.size())
            return std::nullopt;
        return static_cast<double>(number);
    }
    const bool negative = value.starts_with('-');
    KeyRow row;
    row.type = KeyType::number;
    const auto printed = document::printedValue(row, negative ? value.substr(1) : value);
    if (!printed)
        return std::nullopt;
    return negative ? -printed->value : printed->value;
}

} // namespace loadstone::lab
