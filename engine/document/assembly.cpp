// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/assembly.h"

#include <utility>

namespace loadstone::document {

using Kind = Statement::Kind;

Assembly::Assembly(std::string_view text, const Layout& layout)
    : m_text(text)
    , m_layout(layout)
{
    m_out.reserve(text.size() + 256);
    if (text.starts_with("\xef\xbb\xbf"))
        m_out = "\xef\xbb\xbf";
    m_solid = m_out.size();
}

void Assembly::keep(std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i) {
        const Statement& statement = m_layout.statements[i];
        const bool ofHeader = m_seam != Seam::none && statement.kind == Kind::comment && isAboveHeader(i);
        append(statement.lines.of(m_text), ofHeader ? Kind::header : statement.kind, statement.kind);
    }
}

bool Assembly::isAboveHeader(std::size_t comment) const
{
    while (comment < m_layout.statements.size() && m_layout.statements[comment].kind == Kind::comment)
        ++comment;
    return comment < m_layout.statements.size() && m_layout.statements[comment].kind == Kind::header;
}

void Assembly::add(std::string_view lines, Kind last)
{
    append(lines, Kind::header, last);
}

void Assembly::append(std::string_view lines, Kind first, Kind last)
{
    const bool open = m_last == Kind::blank; // the top of the text, too
    if (m_seam == Seam::dropped && open && first == Kind::blank)
        return;
    const Seam seam = std::exchange(m_seam, Seam::none);
    if (m_begun && !m_out.ends_with('\n'))
        m_out += m_layout.newLine;
    const bool takesComment = m_last == Kind::comment && first == Kind::header;
    if (!open && first != Kind::blank && (seam == Seam::apart || (seam != Seam::none && takesComment)))
        m_out += m_layout.newLine;
    m_out += lines;
    m_begun = true;
    m_last = last;
    if (last != Kind::blank)
        m_solid = m_out.size();
}

std::string Assembly::take()
{
    if (m_seam == Seam::dropped)
        m_out.resize(m_solid);
    return std::move(m_out);
}

} // namespace loadstone::document
