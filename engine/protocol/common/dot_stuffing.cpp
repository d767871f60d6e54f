// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/common/dot_stuffing.h"

namespace loadstone::protocol {

void DotStuffer::append(std::string& out, std::string_view piece)
{
    const auto beginsLine = [&](std::size_t at) {
        if (at == 0)
            return m_state == State::LineStart;
        if (piece[at - 1] != '\n')
            return false;
        return at == 1 ? m_state == State::Cr : piece[at - 2] == '\r';
    };
    if (piece.empty())
        return;
    std::size_t kept = 0;
    // Hopping from dot to dot is quicker than from line to line: base64 has none, prose has one a sentence.
    for (std::size_t dot = piece.find('.'); dot != std::string_view::npos; dot = piece.find('.', dot + 1)) {
        if (!beginsLine(dot))
            continue;
        out.append(piece.substr(kept, dot - kept));
        out += '.';
        kept = dot;
    }
    out.append(piece.substr(kept));
    m_state = beginsLine(piece.size()) ? State::LineStart : piece.back() == '\r' ? State::Cr : State::InLine;
}

void DotStuffer::finish(std::string& out)
{
    out += m_state == State::LineStart ? ".\r\n" : "\r\n.\r\n";
    m_state = State::LineStart;
}

void appendStuffed(std::string& out, std::string_view text)
{
    out.reserve(out.size() + text.size() + text.size() / 64 + 8);
    DotStuffer stuffer;
    stuffer.append(out, text);
    stuffer.finish(out);
}

} // namespace loadstone::protocol
