// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"

#include <loadstone/keys.h>
#include <loadstone/problem.h>

#include <string>
#include <vector>

namespace loadstone::document {

/// Collects what is wrong with a file; places come from the fields' paths.
class Problems {
public:
    /// `kind`: whose table of keys the file is read by.
    explicit Problems(const Node& root, FileKind kind = FileKind::plan)
        : m_root(&root)
        , m_kind(kind)
    {
    }
    [[nodiscard]] FileKind kind() const { return m_kind; }
    void error(const std::string& field, std::string message, std::string remedy);
    void warning(const std::string& field, std::string message, std::string remedy);
    /// For what has no path of its own, such as an unknown key.
    void errorAt(Position at, const std::string& field, std::string message, std::string remedy);
    void warningAt(Position at, const std::string& field, std::string message, std::string remedy);
    /// Some error was reported for this field or for one below it, so that its value is not to be judged
    /// further.
    [[nodiscard]] bool touched(const std::string& field) const;
    /// The same for the field itself alone: a table of the wrong type, say.
    [[nodiscard]] bool touchedItself(const std::string& field) const;
    /// Counts `field` as touched: an unknown key looks like a misspelling of it.
    void touch(std::string field);
    /// So many more errors are only counted.
    void leaveOut(std::size_t errors) { m_left += errors; }
    /// By line. Past the first hundred only their number is told.
    [[nodiscard]] std::vector<Problem> take();

private:
    const Node* m_root;
    FileKind m_kind;
    void add(Problem problem);

    std::vector<Problem> m_problems;
    std::vector<std::string> m_touched; ///< fields with errors
    std::size_t m_left = 0; ///< problems past what is kept
};

} // namespace loadstone::document
