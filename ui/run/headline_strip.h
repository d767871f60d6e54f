// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace loadstone::ui {

/// The figures of a run in progress in large type, to be read across a room: rate, response time, errors, time left, the processors of
/// the system under test where a source has them, and how the run stands by its criteria, in a word and a colour.
class HeadlineStrip : public QWidget {
    Q_OBJECT
public:
    explicit HeadlineStrip(QWidget* parent = nullptr);
    void show(const RunView& view);
    /// The same for a run of this program, from memory, which is ahead of its recording. Criteria stay as they were shown.
    void show(const RunFigures& figures);
    using QWidget::show;

private:
    enum class Tone { plain, good, bad, unknown };
    struct Tile {
        QWidget* box;
        QLabel* caption;
        QLabel* value;
        QLabel* detail;
    };
    Tile addTile(const char* name, const QString& caption);
    static void fill(Tile& tile, const QString& value, const QString& detail = {}, Tone tone = Tone::plain);
    void showStanding(const RunView& view);

    Tile m_rate, m_response, m_errors, m_left, m_processor, m_standing;
};

/// How a run stands, for the tile: "3 of 4 met", "not valid", "criteria met".
struct Standing {
    QString word, detail;
    std::optional<bool> good; ///< none: there is nothing to say yet
};
Standing standingOf(const RunView& view);

} // namespace loadstone::ui
