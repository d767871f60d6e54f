// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/database.h"
#include "history/text.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>

namespace loadstone::history {

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

Statement& Statement::bindNull(int index)
{
    m_bindCode |= sqlite3_bind_null(m_handle, index);
    return *this;
}

Statement& Statement::bindText(int index, std::string_view value)
{
    m_bindCode |= sqlite3_bind_text64(m_handle, index, value.data() == nullptr ? "" : value.data(),
        value.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindCopy(int index, std::string_view text)
{
    m_bindCode |= sqlite3_bind_text64(m_handle, index, text.data() == nullptr ? "" : text.data(), text.size(),
        SQLITE_TRANSIENT, SQLITE_UTF8);
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
    Error error = lastSqliteError(sqlite3_db_handle(m_handle), code);
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

} // namespace loadstone::history
