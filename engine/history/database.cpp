// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace loadstone::history {

namespace {

constexpr int kBusyMilliseconds = 10'000;
constexpr int kMaxValueBytes = 64 << 20; // no honest text or blob of ours is longer
constexpr const char* kReplacement = "\xef\xbf\xbd";

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

Error lastError(sqlite3* handle, int code)
{
    const char* file = sqlite3_db_filename(handle, "main");
    std::string message = file != nullptr && *file != 0 ? std::string(file) + ": " : std::string();
    message += sqlite3_errstr(code);
    if (const std::string detail = sqlite3_errmsg(handle); detail != sqlite3_errstr(code))
        message += " (" + detail + ")";
    return fail(validUtf8(message), sqliteCode(sqlite3_extended_errcode(handle)));
}

// A file in write-ahead mode wants a side file even to be read, which a read-only place does not allow.
bool cannotChange(const std::filesystem::path& file)
{
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    return ::access(folder.c_str(), W_OK) != 0 && ::access((file.string() + "-wal").c_str(), F_OK) != 0;
}

std::string immutableUri(const std::string& file)
{
    std::string uri = "file:";
    for (const char c : file)
        uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
    return uri + "?immutable=1";
}

// The length of the UTF-8 sequence at the front, 0 when it is none (RFC 3629).
std::size_t sequenceLength(std::string_view text)
{
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto continues = [&](std::size_t i) { return (at(i) & 0xc0U) == 0x80U; };
    const unsigned first = at(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool bad = (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f);
        return !bad && continues(1) && continues(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool bad = (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) > 0x8f);
        return !bad && continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

boost::system::error_code sqliteCode(int code)
{
    static const SqliteCategory category;
    return { code, category };
}

std::string validUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        out.append(length != 0 ? text.substr(0, length) : std::string_view(kReplacement));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

Statement::Statement(Statement&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr))
    , m_bindCode(other.m_bindCode)
    , m_damaged(other.m_damaged)
{
}

Statement& Statement::operator=(Statement&& other) noexcept
{
    std::swap(m_handle, other.m_handle);
    std::swap(m_bindCode, other.m_bindCode);
    std::swap(m_damaged, other.m_damaged);
    return *this;
}

Statement::~Statement()
{
    sqlite3_finalize(m_handle);
}

Statement& Statement::bind(int index, std::int64_t value)
{
    m_bindCode |= sqlite3_bind_int64(m_handle, index, value);
    return *this;
}

Statement& Statement::bindReal(int index, double value)
{
    m_bindCode |= sqlite3_bind_double(m_handle, index, value);
    return *this;
}

Statement& Statement::bindText(int index, std::string_view value)
{
    m_bindCode |= sqlite3_bind_text64(m_handle, index, value.data() == nullptr ? "" : value.data(),
        value.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindBlob(int index, std::string_view value)
{
    m_bindCode |= sqlite3_bind_blob64(
        m_handle, index, value.data() == nullptr ? "" : value.data(), value.size(), SQLITE_STATIC);
    return *this;
}

Result<bool> Statement::next()
{
    if (m_bindCode != SQLITE_OK)
        return fail(
            std::string("cannot bind a value: ") + sqlite3_errstr(m_bindCode), sqliteCode(m_bindCode));
    if (auto good = sound(); !good)
        return good.error();
    const int code = sqlite3_step(m_handle);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    Error error = lastError(sqlite3_db_handle(m_handle), code);
    sqlite3_reset(m_handle);
    return error;
}

Result<void> Statement::run()
{
    auto stepped = next();
    reset();
    if (!stepped)
        return stepped.error();
    return {};
}

void Statement::reset()
{
    sqlite3_reset(m_handle);
    m_damaged = false;
    m_bindCode = SQLITE_OK;
}

std::int64_t Statement::integer(int column, std::int64_t lowest, std::int64_t highest)
{
    const std::int64_t value = sqlite3_column_int64(m_handle, column);
    if (sqlite3_column_type(m_handle, column) == SQLITE_INTEGER && value >= lowest && value <= highest)
        return value;
    m_damaged = true;
    return std::max<std::int64_t>(lowest, 0);
}

double Statement::real(int column)
{
    const double value = sqlite3_column_double(m_handle, column);
    if (sqlite3_column_type(m_handle, column) == SQLITE_FLOAT && std::isfinite(value))
        return value;
    m_damaged = true;
    return 0;
}

std::string Statement::text(int column, std::size_t limit)
{
    if (sqlite3_column_type(m_handle, column) == SQLITE_TEXT) {
        const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_handle, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column));
        if (data != nullptr && size <= limit)
            return validUtf8({ data, size });
    }
    m_damaged = true;
    return {};
}

std::string_view Statement::blob(int column)
{
    if (sqlite3_column_type(m_handle, column) == SQLITE_BLOB) {
        const auto* data = static_cast<const char*>(sqlite3_column_blob(m_handle, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column));
        return data == nullptr ? std::string_view() : std::string_view(data, size);
    }
    m_damaged = true;
    return {};
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_handle, column) == SQLITE_NULL;
}

Result<void> Statement::sound() const
{
    if (!m_damaged)
        return {};
    sqlite3* database = sqlite3_db_handle(m_handle);
    return fail(std::string(sqlite3_db_filename(database, "main"))
            + ": a value of the wrong type or out of its bounds in: " + sqlite3_sql(m_handle),
        sqliteCode(SQLITE_CORRUPT));
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
    sqlite3* raw = nullptr;
    const bool immutable = access == Access::read && cannotChange(file);
    const std::string name = immutable ? immutableUri(file.string()) : file.string();
    const int code = sqlite3_open_v2(
        name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0), nullptr);
    Database database;
    database.m_handle.reset(raw);
    if (code != SQLITE_OK)
        return fail(file.string() + ": " + sqlite3_errstr(code), sqliteCode(code));
    sqlite3_extended_result_codes(raw, 1);
    sqlite3_busy_timeout(raw, kBusyMilliseconds);
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    for (const int option : { SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
             SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML })
        sqlite3_db_config(raw, option, 0, nullptr);
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
        return lastError(m_handle.get(), code);
    return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK)
        return lastError(m_handle.get(), code);
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
