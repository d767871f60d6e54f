// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"

#include <loadstone/history.h>
#include <loadstone/results.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::ui {

using Json = nlohmann::json;

/// A row of a printed table: cells with their headings.
using PrintedRow = std::vector<std::pair<std::string, std::string>>;
/// Whether a row of this mix has a cell below this heading.
bool has(const std::vector<PrintedRow>& rows, const std::string& mix, std::string_view heading,
    const std::string& cell);

/// Those of the terminal's tables.
std::vector<PrintedRow> rowsOfText(const std::string& text);

/// All six views of one recording.
struct Views {
    RunResults results;
    std::vector<PrintedRow> terminal, html;
    std::string csv;
    Json json;
    RunSummary fromHistory; ///< as another process reads it from the catalogue
};

/// Writes the reports into `folder`, and the recording into a history below it.
Views viewsOf(const std::filesystem::path& recording, const test::ScratchFolder& folder);

/// Writes a storage plan's run: a load for 30 s, whose I/O is of all classes. Of the first class 100 a second, of each further
/// one 10 more.
void writeStorageRun(const std::filesystem::path& file);

} // namespace loadstone::ui
