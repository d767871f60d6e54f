// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A script of edits, one a line, an empty line, and any text: whatever the text and the edits are, nothing crashes, an edit that fails
// changes nothing, what was taken is TOML, and undoing it all gives the text back byte for byte.

#include <loadstone/document.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

/// "set PATH VALUE", "text PATH VALUE", "erase PATH", "append LIST ENTRY", "insert LIST AT ENTRY", "remove LIST AT", "duplicate LIST AT",
/// "move LIST FROM TO", "undo", "redo"; in values and entries \n stands for a line break.
Result<void> run(Document& document, const std::string& line)
{
    std::istringstream in(line);
    std::string verb, path, rest;
    std::size_t at = 0, to = 0;
    in >> verb >> path;
    if (verb == "insert" || verb == "remove" || verb == "duplicate" || verb == "move")
        in >> at;
    if (verb == "move")
        in >> to;
    std::getline(in >> std::ws, rest);
    for (auto found = rest.find("\\n"); found != std::string::npos; found = rest.find("\\n", found + 1))
        rest.replace(found, 2, "\n");
    if (verb == "set")
        return document.set(path, rest);
    if (verb == "text")
        return document.setText(path, rest);
    if (verb == "erase")
        return document.erase(path);
    if (verb == "append")
        return document.append(path, rest);
    if (verb == "insert")
        return document.insert(path, at, rest);
    if (verb == "remove")
        return document.remove(path, at);
    if (verb == "duplicate")
        return document.duplicate(path, at);
    if (verb == "move")
        return document.move(path, at, to);
    if (verb == "undo")
        document.undo();
    if (verb == "redo")
        document.redo();
    return {};
}

/// Asks for every value by its path.
void askAll(const Document& document, const std::string& path, int depth)
{
    require(document.has(path) || !document.isWellFormed());
    (void)document.get(path);
    (void)document.getText(path);
    const auto [line, column] = document.positionOf(path);
    require(line >= 1 && column >= 1);
    if (depth > 3)
        return;
    for (const std::string& key : document.keys(path))
        if (const std::string below = (path.empty() ? "" : path + ".") + tomlText(key); document.has(below))
            askAll(document, below, depth + 1);
    for (std::size_t i = 0; i < std::min<std::size_t>(document.size(path), 4); ++i)
        askAll(document, path + "[" + std::to_string(i) + "]", depth + 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string input(reinterpret_cast<const char*>(data), size);
    const std::size_t gap = std::min(input.find("\n\n"), input.size());
    const std::string text = input.substr(std::min(gap + 2, input.size()));
    Document document(text, "fuzz.toml");
    require(document.text() == text);
    (void)document.problems();
    askAll(document, "", 0);
    std::istringstream script(input.substr(0, gap));
    int edits = 0;
    for (std::string line; edits < 20 && std::getline(script, line); ++edits) {
        const std::string before = document.text();
        const bool wasGood = document.isWellFormed();
        const auto done = run(document, line);
        require(done ? document.isWellFormed() == wasGood : document.text() == before);
        require(done || !done.error().message.empty());
    }
    (void)document.problems();
    askAll(document, "", 0);
    while (document.canUndo())
        document.undo();
    require(document.text() == text);
    return 0;
}
