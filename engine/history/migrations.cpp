// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/migrations.h"

#include "migration_texts.h"

#include <array>
#include <set>
#include <tuple>

namespace loadstone::history {

namespace {

// type, name, SQL of everything in a schema
using Schema = std::set<std::tuple<std::string, std::string, std::string>>;
constexpr std::size_t kMostObjects = 1000;

Result<Schema> schemaOf(Database& database)
{
    auto rows = database.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema");
    if (!rows)
        return rows.error();
    Schema schema;
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more || schema.size() > kMostObjects)
            return schema;
        schema.emplace(rows->text(0), rows->text(1), rows->text(2));
    }
}

Result<Schema> expectedSchema(const FileKind& kind, std::int64_t version)
{
    auto memory = Database::inMemory();
    if (!memory)
        return memory.error();
    for (std::int64_t i = 0; i < version; ++i)
        if (auto done = memory->execute(std::string(kind.steps[static_cast<std::size_t>(i)])); !done)
            return done.error();
    return schemaOf(*memory);
}

} // namespace

const FileKind& recordingKind()
{
    static constexpr FileKind kKind { "recording", 0x4c445245, sql::recording }; // "LDRE"
    return kKind;
}

const FileKind& catalogueKind()
{
    static constexpr FileKind kKind { "catalogue", 0x4c444354, sql::catalogue }; // "LDCT"
    return kKind;
}

Result<void> migrate(Database& database, const FileKind& kind)
{
    for (;;) {
        const auto version = database.pragma("user_version");
        if (!version)
            return version.error();
        if (*version < 0 || static_cast<std::size_t>(*version) >= kind.steps.size())
            return {};
        auto transaction = Transaction::begin(database, true);
        if (!transaction)
            return transaction.error();
        const std::string finish = ";PRAGMA application_id=" + std::to_string(kind.applicationId)
            + ";PRAGMA user_version=" + std::to_string(*version + 1);
        // Another process may have done this step while we waited for the lock.
        const auto now = database.pragma("user_version");
        if (!now)
            return now.error();
        if (*now == *version)
            if (auto done =
                    database.execute(std::string(kind.steps[static_cast<std::size_t>(*version)]) + finish);
                !done)
                return done.error();
        if (auto done = transaction->commit(); !done)
            return done.error();
    }
}

Result<std::int64_t> checkKind(Database& database, const std::string& file, const FileKind& kind)
{
    const auto application = database.pragma("application_id");
    if (!application)
        return application.error();
    constexpr std::int64_t kBefore = 0x4c445354; // "LDST", of recordings whose series had names alone
    if (*application == kBefore)
        return fail(file
            + ": this recording has a format from before the first release, which is not supported any more: "
              "run its plan again");
    if (*application != kind.applicationId)
        return fail(file + ": not a Loadstone " + kind.name);
    const auto version = database.pragma("user_version");
    if (!version)
        return version.error();
    const auto newest = static_cast<std::int64_t>(kind.steps.size());
    if (*version > newest)
        return fail(file + ": this " + kind.name + " was made by a newer Loadstone (format "
            + std::to_string(*version) + ", this program reads up to " + std::to_string(newest)
            + "): use that release or a later one");
    if (*version < 1)
        return fail(file + ": damaged: no version of a " + kind.name);
    const auto found = schemaOf(database);
    if (!found)
        return found.error();
    const auto expected = expectedSchema(kind, *version);
    if (!expected)
        return expected.error();
    for (const auto& object : *found)
        if (!expected->contains(object))
            return fail(file + ": damaged or foreign: " + std::get<0>(object) + " \"" + std::get<1>(object)
                + "\" is not that of a " + kind.name);
    if (found->size() != expected->size())
        return fail(file + ": damaged: tables of a " + kind.name + " are missing");
    return *version;
}

} // namespace loadstone::history
