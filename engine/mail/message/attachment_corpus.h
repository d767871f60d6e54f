// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/corpus.h"
#include "plan/model/profile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone::mail {

/// Bytes like those of a file of one kind, in base64 lines of 76 columns that stand for 57 bytes each: any stretch of whole
/// lines is valid. How well it compresses is the kind's own (deflate, level 6): text and RTF to about 40 %, a document to
/// about 35 %, a sheet to about 45 %, a bitmap to about 60 %. Made once from a seed, then shared by all threads, immutable.
class AttachmentCorpus {
public:
    static constexpr std::size_t kLineBytes = 57; ///< of the file
    static constexpr std::size_t kLineLength = 78; ///< on the wire, line end included

    AttachmentCorpus(plan::ContentKind kind, std::uint64_t seed, const Corpus& text);

    /// "application/msword"
    [[nodiscard]] std::string_view mediaType() const noexcept { return m_mediaType; }
    [[nodiscard]] std::string_view extension() const noexcept { return m_extension; }
    /// The line that a file of this kind begins with.
    [[nodiscard]] std::string_view firstLine() const noexcept { return m_firstLine; }
    /// At most `count` lines, at least one, from line number `line` (modulo the corpus) on.
    [[nodiscard]] std::string_view lines(std::uint64_t line, std::size_t count) const;

private:
    std::string_view m_mediaType, m_extension;
    std::string m_firstLine, m_lines;
};

} // namespace loadstone::mail
