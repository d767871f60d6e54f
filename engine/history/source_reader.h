// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"
#include "history/tick_reader.h"

#include <loadstone/source.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::history {

/// One source as a recording's file has it.
struct ReadSource {
    SourceInfo info;
    std::vector<SourceMove> moves;
    TickReader ticks;
};

/// The sources of one recording; of what is known only the news are read. Not thread-safe.
class SourceReader {
public:
    SourceReader(Database& database, std::string file)
        : m_database(database)
        , m_file(std::move(file))
    {
    }
    /// Takes in what is new, in a reading transaction of its own.
    Result<void> follow();
    /// By id, which counts from 1; those that were removed, too.
    [[nodiscard]] const std::vector<std::unique_ptr<ReadSource>>& all() const { return m_sources; }

private:
    Result<void> readRows();
    struct Roles {
        std::map<std::string, std::string> ofComputers; ///< the first one that is said of each computer
        std::map<std::int64_t, std::string>
            ofUnnamed; ///< of logs that name none, by the source: each is a computer of its own
        [[nodiscard]] std::string of(const SourceInfo& source) const;
    };
    Result<Roles> readRoles();
    Result<void> readMoves();
    [[nodiscard]] Error damage(const std::string& what) const;

    Database& m_database;
    std::string m_file;
    std::vector<std::unique_ptr<ReadSource>> m_sources;
};

} // namespace loadstone::history
