// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone::history {

/// Appends to a recording, finished or live, from any process; waits up to 10 s for its writer.
/// The last "note" and "title" count as the run's; so does the last "tag", which holds all tags, one a line.
Result<void> addAnnotation(const std::filesystem::path& file, const Annotation& annotation);

/// Likewise appends a lab, which counts from then on; those before it stay. An Error where the run has as many as it may have.
Result<void> addLab(const std::filesystem::path& file, const RunLab& lab);

/// What the annotations come to.
struct Remarks {
    std::string title; ///< empty: the plan's holds
    std::string note;
    std::vector<std::string> tags;
};
Remarks remarksOf(const std::vector<Annotation>& annotations);
/// The annotation that sets all tags. Blank ones are left out, line breaks in them become blanks.
Annotation tagAnnotation(const std::vector<std::string>& tags);

/// One compact file with all that is committed in the recording, which may be live. `to` appears in one step,
/// on disk, replacing what was there only if `replace`.
Result<void> copyRecording(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);

/// Reads everything: the pages' integrity, the tables, each chunk of each series. Nothing of it is trusted.
Result<void> checkRecording(const std::filesystem::path& file);

} // namespace loadstone::history
