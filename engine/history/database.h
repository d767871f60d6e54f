// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace loadstone::history {

/// SQLite's result codes as error codes; SQLITE_FULL equals boost::system::errc::no_space_on_device,
/// SQLITE_BUSY errc::device_or_resource_busy.
boost::system::error_code sqliteCode(int code);
/// "file: database or disk is full (detail)" for the code that a call on this connection just gave.
Error lastSqliteError(sqlite3* handle, int code);

/// One prepared statement; finalised with the object, so nothing holds a read transaction open longer.
/// Reading columns is for files that may lie: a value of another type or out of its bounds reads as 0 and
/// makes the next next() or sound() an Error.
class Statement {
public:
    Statement() = default;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    // Parameters count from 1. Text and blobs are borrowed until the statement is reset or run.
    Statement& bind(int index, std::int64_t value);
    Statement& bindReal(int index, double value);
    Statement& bindNull(int index);
    Statement& bindText(int index, std::string_view value);
    Statement& bindBlob(int index, std::string_view value);
    Statement& bindCopy(int index, std::string_view text); ///< not borrowed

    /// The next row; false after the last.
    Result<bool> next();
    /// For statements that give no rows: runs and resets.
    Result<void> run();
    void reset();

    // Columns count from 0, valid after next() gave true.
    std::int64_t integer(
        int column, std::int64_t lowest = 0, std::int64_t highest = std::numeric_limits<std::int64_t>::max());
    double real(int column);
    std::string text(int column, std::size_t limit = 1U << 20); ///< always valid UTF-8
    std::string_view blob(int column); ///< until the next call of next()
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] Result<void> sound() const;

private:
    friend class Database;
    explicit Statement(sqlite3_stmt* handle)
        : m_handle(handle)
    {
    }
    sqlite3_stmt* m_handle = nullptr;
    int m_bindCode = 0;
    bool m_damaged = false;
};

/// One connection to one file. Not thread-safe. Every Error begins with the file's name and carries SQLite's
/// text.
class Database {
public:
    enum class Access {
        read, ///< query only, hardened against hostile content
        write, ///< an existing file, likewise hardened, but may be changed
        create, ///< a new or existing file
    };
    static Result<Database> open(const std::filesystem::path& file, Access access);
    /// A new one without a file.
    static Result<Database> inMemory();

    Result<void> execute(const std::string& sql);
    Result<Statement> prepare(std::string_view sql);
    /// Brings all that a write-ahead log has into the file itself; an Error where that cannot be done now.
    Result<void> checkpoint();
    /// The first column of the first row of "PRAGMA <text>" as an integer.
    Result<std::int64_t> pragma(const std::string& text);
    [[nodiscard]] sqlite3* handle() const { return m_handle.get(); }

private:
    static Result<Database> prepared(sqlite3* handle, Access access);
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Closer> m_handle;
};

/// Rolled back unless committed.
class Transaction {
public:
    /// A writing one takes the lock at once (and waits for it), so that it cannot fail half way for a
    /// competitor.
    static Result<Transaction> begin(Database& database, bool writing);
    Transaction(Transaction&& other) noexcept
        : m_database(std::exchange(other.m_database, nullptr))
    {
    }
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

private:
    explicit Transaction(Database& database)
        : m_database(&database)
    {
    }
    Database* m_database;
};

} // namespace loadstone::history
