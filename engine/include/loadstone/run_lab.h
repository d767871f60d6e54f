// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone {

/// The lab of a run: the whole text as it was, so that nothing else is needed to read it again; see readLab().
struct RunLab {
    std::string name; ///< of the file, without its folder
    std::string variant; ///< id; empty: the lab as it stands
    std::string text; ///< TOML; of a recording from elsewhere it may be anything
    [[nodiscard]] bool empty() const { return text.empty(); }
    bool operator==(const RunLab&) const = default;
};

} // namespace loadstone
