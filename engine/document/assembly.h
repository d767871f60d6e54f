// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/layout.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace loadstone::document {

/// Puts a text together from statements of another one and new lines, and sees to it that a comment stays with what it belongs to:
/// where something was taken out or put in, no comment comes to stand directly above a header that it did not belong to.
class Assembly {
public:
    /// Both must outlive this object.
    Assembly(std::string_view text, const Layout& layout);

    /// The statements from `begin` to before `end`.
    void keep(std::size_t begin, std::size_t end);
    /// New lines, whose last one is of kind `last`; they begin with a header.
    void add(std::string_view lines, Statement::Kind last);
    /// Something was taken out here: the blank lines around it become those before it.
    void drop() { m_seam = Seam::dropped; }
    /// What follows did not stand here before; `apart`: a blank line shall be between.
    void join(bool apart) { m_seam = apart ? Seam::apart : Seam::near; }
    [[nodiscard]] std::string take();

private:
    enum class Seam { none, dropped, near, apart };
    /// Whether comment lines, this one and those below it, stand directly above a header.
    [[nodiscard]] bool isAboveHeader(std::size_t comment) const;
    /// `first`: the kind of the first line, header also for its comment.
    void append(std::string_view lines, Statement::Kind first, Statement::Kind last);

    std::string_view m_text;
    const Layout& m_layout;
    std::string m_out;
    std::size_t m_solid = 0; ///< where the blank lines at the end begin
    bool m_begun = false; ///< there is a line
    Statement::Kind m_last = Statement::Kind::blank;
    Seam m_seam = Seam::none;
};

} // namespace loadstone::document
