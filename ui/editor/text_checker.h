// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/document.h>
#include <loadstone/plan_file.h>

#include <QTimer>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::ui {

/// A text as the reader of its kind sees it.
struct CheckedText {
    Document document; ///< with this text
    FileKind kind = FileKind::plan;
    std::vector<Problem> problems;
    std::optional<PlanSummary> plan; ///< none: it is no plan, or not TOML
    [[nodiscard]] bool usable() const; ///< no error among the problems
};
/// Any thread.
CheckedText checkText(Document document);

/// Checks a text that is being typed, some moments after the last key, on a thread of its own. GUI thread only.
class TextChecker : public QObject {
    Q_OBJECT
public:
    explicit TextChecker(QObject* parent = nullptr);

    /// `document` has the file and the name; `text` gives the text when it is to be checked.
    void check(const Document& document, std::function<std::string()> text);
    void checkNow(); ///< what waits for its moment
    /// The text that was given last is not checked yet.
    [[nodiscard]] bool pending() const { return m_waiting || m_running; }

signals:
    void checked(const loadstone::ui::CheckedText& result);

private:
    void begin();

    QTimer m_timer;
    Document m_document;
    std::function<std::string()> m_text;
    bool m_waiting = false, m_running = false;
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
