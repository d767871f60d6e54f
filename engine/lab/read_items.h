// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/parsed_text.h"
#include "lab/reading.h"

#include <memory>
#include <optional>
#include <vector>

namespace loadstone::lab {

/// The items of a text that was read before, so that those without a change and without a finding are not read again.
class ReadItems {
public:
    /// The next item of the text that is being read, whose table and path these are.
    std::optional<LabItem> read(const document::Node& table, const std::string& path, LabProblems& findings);
    /// Reading begins.
    void begin(document::TextVersion text);
    /// What was read is what the next text is compared with.
    void end();

private:
    struct Entry {
        const document::Node* table = nullptr; ///< within the text
        std::optional<LabItem> item; ///< nothing: it had findings
    };
    [[nodiscard]] const Entry* unchanged(const document::Node& table);

    document::TextVersion m_text, m_textBefore;
    std::vector<Entry> m_now, m_before;
    std::size_t m_next = 0; ///< of m_before, the entry after the last unchanged one
};

} // namespace loadstone::lab
