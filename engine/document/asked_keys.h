// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::document {

/// For tests: what the readers of this thread ask of the tables of keys while it lives. One at a time.
class AskedKeys {
public:
    AskedKeys();
    ~AskedKeys();
    AskedKeys(const AskedKeys&) = delete;
    AskedKeys& operator=(const AskedKeys&) = delete;

    /// Kind and path, lists without index.
    [[nodiscard]] const std::set<std::pair<FileKind, std::string>>& asked() const { return m_asked; }
    /// Sentences: a key without a row, a row of another type than its reader's, a choice that the reader does not know.
    [[nodiscard]] const std::set<std::string>& faults() const { return m_faults; }
    /// Choices that a reader knows and the row does not have, "target.smtp.auth: apop": another check refuses them with words of its own.
    [[nodiscard]] const std::set<std::string>& furtherChoices() const { return m_further; }

    /// Of this thread; null unless there is one.
    static AskedKeys* current() noexcept;
    /// `types`: those that the reader can read; none: any.
    void ask(FileKind kind, const std::string& path, const KeyRow* row, std::initializer_list<KeyType> types);
    void compare(const KeyRow& row, const std::vector<const char*>& choices);

private:
    std::set<std::pair<FileKind, std::string>> m_asked;
    std::set<std::string> m_faults, m_further;
};

} // namespace loadstone::document
