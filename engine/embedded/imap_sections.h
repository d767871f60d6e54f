// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// What FETCH can ask of a message's text: "BODY[]", "BODY.PEEK[HEADER.FIELDS (DATE FROM)]", "BODY[2]<0.100>", "RFC822".
namespace loadstone::embedded {

/// Any item that the target answers, those included that are not of the text: "UID", "FLAGS", "RFC822.SIZE", "INTERNALDATE".
bool isFetchItem(std::string_view item);
/// Whether asking for it sets \Seen.
bool marksAsSeen(std::string_view item);
/// The name by which it is answered and a literal: "BODY[] {5}", line end, five bytes.
void appendFetchSection(std::string& out, std::string_view item, std::string_view text);

} // namespace loadstone::embedded
