// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::mail {

/// Text to make messages of: English-like prose with a vocabulary of common and rare words (Zipf, exponent 1), in
/// lines of at most 76 columns with CRLF ends that begin with no dot and no "From ". Made once from a seed, then
/// shared by all threads, immutable. About 256 KB.
class Corpus {
public:
    /// `eightBit`: some words carry UTF-8 letters.
    Corpus(std::uint64_t seed, bool eightBit);

    /// Whole lines, at least one, from line number `line` (modulo the corpus) on, at most `bytes` long where the
    /// first line allows it.
    [[nodiscard]] std::string_view lines(std::uint64_t line, std::size_t bytes) const;
    /// A few words for a subject, ASCII.
    [[nodiscard]] std::string_view subject(std::uint64_t number) const
    {
        return m_subjects[number % m_subjects.size()];
    }
    [[nodiscard]] std::size_t lineCount() const noexcept { return m_starts.size() - 1; }

private:
    std::string m_text;
    std::vector<std::uint32_t> m_starts; // of each line, and the end
    std::vector<std::string> m_subjects;
};

} // namespace loadstone::mail
