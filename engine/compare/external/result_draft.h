// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/table_reader.h"

#include <loadstone/external_result.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace loadstone::compare {

/// A result while it is read.
struct ResultDraft {
    ExternalResult result;
    std::map<std::string, std::string, std::less<>> figureIds, systemIds; ///< with the paths that stated them
    std::set<std::size_t> namedFigures;
    std::map<std::tuple<std::size_t, std::size_t, std::optional<double>, std::string>, std::string>
        places; ///< of values, with the fields
    std::size_t cells = 0;
};

/// The tables and single values, once figures and systems are known.
void readCells(document::TableReader& top, ResultDraft& draft);

/// The words of files for statistics.
std::optional<Statistic> readStatistic(document::TableReader& reader);
std::optional<PrintedAs> readPrintedAs(document::TableReader& reader, const char* key);

} // namespace loadstone::compare
