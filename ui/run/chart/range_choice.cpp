// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/range_choice.h"

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kSelected = -1; // the entry's data; of the others how many seconds of the run's end
}

RangeChoice::RangeChoice(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Time range of the chart"));
    addItem(tr("whole run"), 0);
    addItem(tr("last minute"), 60);
    addItem(tr("last 5 minutes"), 300);
    addItem(tr("last 30 minutes"), 1800);
    addItem(tr("last 2 hours"), 7200);
    connect(this, &QComboBox::activated, this, [this] {
        const int span = currentData().toInt();
        if (span != kSelected)
            emit followChosen(
                span == 0 ? std::nullopt : std::optional<Nanoseconds>(std::chrono::seconds(span)));
    });
}

void RangeChoice::showRange(bool zoomed, std::optional<Nanoseconds> follow)
{
    const int selected = findData(kSelected);
    if (zoomed) {
        if (selected < 0)
            addItem(tr("selected time"), kSelected);
        setCurrentIndex(findData(kSelected));
        return;
    }
    const auto span = std::chrono::duration_cast<std::chrono::seconds>(follow.value_or(Nanoseconds(0)));
    setCurrentIndex(std::max(0, findData(static_cast<int>(span.count()))));
    if (selected >= 0)
        removeItem(selected);
}

} // namespace loadstone::ui
