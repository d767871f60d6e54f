// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/database.h"

#include "history/text.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace loadstone::history {

namespace {

constexpr int kBusyMilliseconds = 10'000;
constexpr int kMaxValueBytes = 64 << 20; // no honest text or blob of ours is longer

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor" // Boost's base class is never deleted through
class SqliteCategory final : public boost::system::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "sqlite"; }
    [[nodiscard]] std::string message(int code) const override { return sqlite3_errstr(code); }
    [[nodiscard]] boost::system::error_condition default_error_condition(int code) const noexcept override
    {
        namespace errc = boost::system::errc;
        switch (code & 0xff) {
        case SQLITE_FULL:
            return errc::make_error_condition(errc::no_space_on_device);
        case SQLITE_BUSY:
            return errc::make_error_condition(errc::device_or_resource_busy);
        default:
            return { code, *this };
        }
    }
};
#pragma GCC diagnostic pop

// A file in write-ahead mode wants a side file even to be read, which a read-only place does not allow.
bool cannotChange(const std::filesystem::path& file)
{
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    std::error_code none;
    const auto log = std::filesystem::file_size(file.string() + "-wal", none); // an empty one says nothing
    return ::access(folder.c_str(), W_OK) != 0 && (none || log == 0);
}

std::string immutableUri(const std::string& file)
{
    std::string uri = "file://"; // and a whole path
    for (const char c : file)
        uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
    return uri + "?immutable=1";
}

} // namespace

boost::system::error_code sqliteCode(int code)
{
    static const SqliteCategory category;
    return { code, category };
}

Error lastSqliteError(sqlite3* handle, int code)
{
    const char* file = sqlite3_db_filename(handle, "main");
    std::string message = file != nullptr && *file != 0 ? std::string(file) + ": " : std::string();
    message += sqlite3_errstr(code);
    if (const std::string detail = sqlite3_errmsg(handle); detail != sqlite3_errstr(code))
        message += " (" + detail + ")";
    return fail(validUtf8(message), sqliteCode(sqlite3_extended_errcode(handle)));
}

void Database::Closer::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Result<Database> Database::open(const std::filesystem::path& file, Access access)
{
    // Only regular files: opening a pipe would wait for ever.
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    const bool there = std::filesystem::exists(status);
    if (there ? !std::filesystem::is_regular_file(status) : access != Access::create)
        return fail(file.string() + (there ? ": not a regular file" : ": no such file"));

    const int flags = access == Access::read ? SQLITE_OPEN_READONLY
        : access == Access::write            ? SQLITE_OPEN_READWRITE
                                             : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    // The whole path: SQLite takes ":memory:" and what begins with "file:" for something else than a name.
    const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
    if (ignored || !whole.is_absolute())
        return fail(file.string() + ": the working folder does not exist any more");
    sqlite3* raw = nullptr;
    const bool immutable = access == Access::read && cannotChange(whole);
    const std::string name = immutable ? immutableUri(whole.string()) : whole.string();
    const int code = sqlite3_open_v2(
        name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0), nullptr);
    if (code != SQLITE_OK) {
        sqlite3_close_v2(raw);
        return fail(file.string() + ": " + sqlite3_errstr(code), sqliteCode(code));
    }
    return prepared(raw, access);
}

Result<Database> Database::inMemory()
{
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(":memory:", &raw,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY, nullptr);
    if (code != SQLITE_OK) {
        sqlite3_close_v2(raw);
        return fail(sqlite3_errstr(code), sqliteCode(code));
    }
    return prepared(raw, Access::create);
}

/// What every connection is set to; takes `handle` over.
Result<Database> Database::prepared(sqlite3* handle, Access access)
{
    Database database;
    database.m_handle.reset(handle);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMilliseconds);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    for (const int option : { SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
             SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML })
        sqlite3_db_config(handle, option, 0, nullptr);
    if (auto done = database.execute("PRAGMA cell_size_check=ON; PRAGMA secure_delete=OFF"); !done)
        return done.error();
    if (access == Access::read)
        if (auto done = database.execute("PRAGMA query_only=ON"); !done)
            return done.error();
    return database;
}

Result<void> Database::execute(const std::string& sql)
{
    const int code = sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return lastSqliteError(m_handle.get(), code);
    return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK)
        return lastSqliteError(m_handle.get(), code);
    return Statement(statement);
}

Result<std::int64_t> Database::pragma(const std::string& text)
{
    auto statement = prepare("PRAGMA " + text);
    if (!statement)
        return statement.error();
    auto row = statement->next();
    if (!row)
        return row.error();
    return *row ? sqlite3_column_int64(statement->m_handle, 0) : 0;
}

Result<void> Database::checkpoint()
{
    const int code =
        sqlite3_wal_checkpoint_v2(m_handle.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (code != SQLITE_OK)
        return lastSqliteError(m_handle.get(), code);
    return {};
}

Result<Transaction> Transaction::begin(Database& database, bool writing)
{
    if (auto begun = database.execute(writing ? "BEGIN IMMEDIATE" : "BEGIN"); !begun)
        return begun.error();
    return Transaction(database);
}

Transaction::~Transaction()
{
    if (m_database != nullptr && sqlite3_get_autocommit(m_database->handle()) == 0)
        sqlite3_exec(m_database->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<void> Transaction::commit()
{
    auto done = m_database->execute("COMMIT");
    if (done)
        m_database = nullptr;
    return done;
}

} // namespace loadstone::history
