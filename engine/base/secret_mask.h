// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// Takes secrets out of texts that are kept: each occurrence becomes "***", also where it is escaped as TOML, JSON, IMAP, XML or a URL
/// have it, or within a run of base64, whatever stands before and after it there. A secret of up to three characters is taken out
/// only where it stands alone, as a word: texts would be shredded. Immutable; any thread.
class SecretMask {
public:
    SecretMask() = default;
    explicit SecretMask(const std::vector<std::string>& secrets);
    [[nodiscard]] bool empty() const { return m_forms.empty(); }
    [[nodiscard]] std::string masked(std::string_view text) const;

private:
    struct Form {
        std::string text;
        enum class Kind { anywhere, word, base64 } kind;
    };
    void add(const std::string& secret);
    void addForm(std::string text, Form::Kind kind);
    std::vector<Form> m_forms; // longer ones first
};

/// What this process remembers does not get into core dumps from now on: passwords are in it. Children that it starts later likewise.
void keepOutOfCoreDumps();

} // namespace loadstone
