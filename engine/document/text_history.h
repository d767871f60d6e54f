// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::document {

/// What was changed in a text, so that it can be taken back byte for byte. Keeps the last 1000 steps, and of those as many as have
/// at most 64 MB of changed text. Copies share their steps.
class TextHistory {
public:
    /// A change from one text to another; what could be done again is forgotten.
    void add(std::string name, const std::string& before, const std::string& after);

    [[nodiscard]] bool canUndo() const { return m_done > 0; }
    [[nodiscard]] bool canRedo() const { return m_done < m_steps.size(); }
    [[nodiscard]] std::string undoName() const { return canUndo() ? m_steps[m_done - 1]->name : ""; }
    [[nodiscard]] std::string redoName() const { return canRedo() ? m_steps[m_done]->name : ""; }
    /// The text before the last step; `now` is the one after it.
    std::string undo(const std::string& now);
    std::string redo(const std::string& now);

private:
    struct Step {
        std::string name;
        std::size_t at = 0; ///< where the texts begin to differ
        std::string before, after; ///< what stands there until they agree again
    };
    std::vector<std::shared_ptr<const Step>> m_steps;
    std::size_t m_done = 0; ///< steps from here on were taken back
};

} // namespace loadstone::document
