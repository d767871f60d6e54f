// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::ui {

// Edits of a lab's text that are about items: by their ids, which may change places within the file. Each is one step of undo. An
// Error changes nothing.

/// The id of the software with which an empty lab begins.
inline constexpr const char* kPlaceholderSoftware = "srv1.mail";

/// "item[3]"; nothing where no item has this id.
std::optional<std::string> itemPath(const Document& document, const std::string& id);
/// The item and all that it contains, in the order of the file; empty: there is none.
std::vector<std::string> withContents(const Lab& lab, const std::string& id);
/// An id that no item of the lab has, made from a wish: "srv1", "srv1-2", ...
std::string freeId(const Lab& lab, const std::string& wish);

/// At the end of the file; its id. `in` may be empty.
Result<std::string> addItem(Document& document, const Lab& lab, ItemKind kind, const std::string& in);
/// With all that it contains and its links.
Result<void> removeItem(Document& document, const Lab& lab, const std::string& id);
/// Items as an entry of a clipboard has them: a text of the kind lab.
std::string copyItems(const Lab& lab, const std::string& id);
/// The items of such a text, with free ids, in `in`, and the links between them; the id of the first one.
Result<std::string> pasteItems(
    Document& document, const Lab& lab, const std::string& text, const std::string& in);
/// A copy of the item and of all that it contains, and of their links; the copy's id.
Result<std::string> duplicateItem(Document& document, const Lab& lab, const std::string& id);
Result<void> moveItem(Document& document, const Lab& lab, const std::string& id, const std::string& to);
/// A new id, also wherever the file names the item.
Result<void> renameItem(Document& document, const Lab& lab, const std::string& id, const std::string& newId);
/// Ticks or unticks that the value is known and withheld.
Result<void> setNotDisclosed(
    Document& document, const std::string& item, const std::string& key, bool withheld);
/// That id, where the entry has no values and detection has found what runs there; else empty.
std::string unusedPlaceholder(const Lab& lab);
/// Removes the places of all boxes.
Result<void> resetPlaces(Document& document, const Lab& lab);

} // namespace loadstone::ui
