// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/parsed_text.h"
#include "document/text_history.h"

#include <loadstone/document.h>

#include <filesystem>
#include <string>

namespace loadstone {

/// One state of a document; a change makes another one, so that copies of the document may be in use anywhere.
struct Document::State {
    document::TextVersion now;
    document::TextVersion kept; ///< as it was read or saved last
    std::string name;
    std::filesystem::path file;
    document::TextHistory history;

    /// The version that an edit gave becomes the document's text, and `what` a step of undo.
    static Result<void> take(
        Document& document, const std::string& what, Result<document::TextVersion> version);
};

} // namespace loadstone
