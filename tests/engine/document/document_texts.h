// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/key_names.h"
#include "document/node.h"

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

// Texts for the tests of documents, and what can be said of them by other means than those of the document.

/// The plans, profiles and labs that come with the program, and the good ones of the tests.
std::vector<std::filesystem::path> goodFiles();
/// Those that are wrong on purpose; some are not TOML.
std::vector<std::filesystem::path> badFiles();
std::string contentOf(const std::filesystem::path& file);

loadstone::document::Node parsed(const std::string& text);
/// Written under a header or as dotted keys, and so without a region of its own.
bool isHeaded(const loadstone::document::Node& node);
using Visit = std::function<void(const std::string& path, const loadstone::document::Node&)>;
void forEachNode(const loadstone::document::Node& node, const std::string& path, const Visit& visit);

using Lines = std::multiset<std::string>;
/// From each # that begins a comment to the end of its line.
Lines commentsOf(const std::string& text);
/// The lines that are not blank.
Lines linesOf(const std::string& text);
/// Those of an entry of a list with headers: its headers, what stands below them, the comments directly above them. From the places where
/// the parser saw headers.
Lines linesOfEntry(const std::string& text, const loadstone::document::Path& entry);
