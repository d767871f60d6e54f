// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/failure_kind.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

enum class Severity : std::uint8_t { info, warning, error };
const char* toString(Severity severity);

/// One line of the event log.
struct RunEvent {
    Nanoseconds at {}; ///< since the run's start
    Severity severity = Severity::info;
    std::string text;
    std::string
        target {}; ///< of several servers under test the one that it is about; empty: all, or the only one
    bool operator==(const RunEvent&) const = default;
};

/// The bytes of a failed session: the first 20 per error kind and phase are kept.
struct Transcript {
    Nanoseconds at {};
    std::uint32_t phase = 0;
    std::string where; ///< action or command
    FailureKind kind = FailureKind::none; ///< as ErrorRow::kind
    std::string text; ///< at most 16 KB; secrets masked
    std::string target {}; ///< as RunEvent::target
    bool operator==(const Transcript&) const = default;
};

enum class AnnotationKind : std::uint8_t {
    note,
    mark, ///< at a position of the run
    window, ///< a chosen window
    tag, ///< all tags of the run, one a line
    title,
};
/// "note", "mark", "window", "tag", "title", as in recordings and in JSON.
const char* toString(AnnotationKind kind);
/// The inverse; an Error names any other text.
Result<AnnotationKind> parseAnnotationKind(std::string_view text);

/// The tag that the workbench shows as a star. It marks a run in its user's list and says nothing about the run, so it is no remark of reports.
inline constexpr const char* kStarTag = "starred";

/// A later remark: note, event mark, window choice. Appended, never changed.
struct Annotation {
    WallTime made {};
    AnnotationKind kind = AnnotationKind::note;
    std::string text;
    Nanoseconds at {}; ///< for marks: position on the run's time axis
    bool operator==(const Annotation&) const = default;
};

/// The events of a run and later remarks, both in the order of writing.
struct RunLog {
    std::vector<RunEvent> events;
    std::vector<Annotation> annotations;
    bool operator==(const RunLog&) const = default;
};

} // namespace loadstone
