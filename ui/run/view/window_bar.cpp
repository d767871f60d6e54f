// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/window_bar.h"

#include "elided_label.h"
#include "format.h"
#include "run/view/window_box.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace loadstone::ui {

namespace {

/// "measurement 3 (1,000 users)"; measurements are counted.
QString nameOf(const Phase& phase, const std::vector<Phase>& phases)
{
    QString name = phaseName(phase.kind);
    if (phase.kind == PhaseKind::measurement) {
        const auto number = std::count_if(phases.begin(), phases.end(), [&](const Phase& other) {
            return other.kind == PhaseKind::measurement && other.begin <= phase.begin;
        });
        name += QStringLiteral(" %1").arg(number);
    }
    return phase.mixName.empty() ? name : QStringLiteral("%1 (%2)").arg(name, text(phase.mixName));
}

/// "02:00 to 14:30", or that it is the whole run.
QString timesOf(TimeWindow window, Nanoseconds shown)
{
    return window.begin == Nanoseconds(0) && window.end >= shown
        ? translated("whole run, %1").arg(formatElapsedExact(window.end))
        : translated("%1 to %2").arg(formatMoment(window.begin), formatMoment(window.end));
}

/// The same with its length, and the phase that it lies in.
QString wordsOf(TimeWindow window, const std::vector<Phase>& phases, Nanoseconds shown)
{
    const QString times = timesOf(window, shown);
    if (window.begin == Nanoseconds(0) && window.end >= shown)
        return times;
    const QString length = formatElapsedExact(window.end - window.begin);
    const auto within = std::find_if(phases.begin(), phases.end(),
        [&](const Phase& phase) { return phase.begin <= window.begin && window.end <= phase.end; });
    return within == phases.end() ? translated("%1, %2 of the run").arg(times, length)
                                  : translated("%1, %2 of %3").arg(times, length, nameOf(*within, phases));
}

/// A tick may end so much later than its phase.
bool isNear(Nanoseconds a, Nanoseconds b)
{
    constexpr Nanoseconds kLateTick = std::chrono::milliseconds(50);
    return a - b < kLateTick && b - a < kLateTick;
}

/// What of the window lies in measurements, in order of time.
std::vector<TimeWindow> measuredParts(TimeWindow window, const std::vector<Phase>& phases)
{
    std::vector<TimeWindow> parts;
    for (const Phase& phase : phases) {
        const TimeWindow part { std::max(window.begin, phase.begin), std::min(window.end, phase.end) };
        if (phase.kind == PhaseKind::measurement && part.begin < part.end)
            parts.push_back(part);
    }
    return parts;
}

} // namespace

QString windowWords(const RunView& view, TabScope scope)
{
    if (!view.windowProblem.empty())
        return text(view.windowProblem);
    const TimeWindow whole { Nanoseconds(0), view.shown };
    if (scope == TabScope::wholeRun && view.errorWindow != whole)
        return translated("%1: this tab follows no window").arg(timesOf(whole, view.shown));
    if (scope == TabScope::wholeRun || scope == TabScope::errors)
        return wordsOf(view.errorWindow, view.phases, view.shown);
    const QString words = wordsOf(view.window, view.phases, view.shown);
    const QString chosen = timesOf(view.window, view.shown);
    const QString measured = translated("%1: what was measured of the chosen window (%2)");
    if (isPlanned(view.query.window) && scope == TabScope::measurements) {
        const QString each = view.results && view.results->kind == RunKind::storage
            ? translated("each test over its measurement")
            : translated("each mix over its measurement");
        return view.query.window.over == WindowKind::planned ? each : measured.arg(each, chosen);
    }
    // Results are over whole ticks, which the edges of a window may cut.
    if (scope == TabScope::measurements && view.results && view.results->window
        && view.results->mixes.size() == 1) {
        const MessageRates& rates = view.results->mixes.front().measured;
        return isNear(rates.begin, view.window.begin) && isNear(rates.end, view.window.end)
            ? words
            : measured.arg(wordsOf({ rates.begin, rates.end }, view.phases, view.shown), chosen);
    }
    const auto parts = measuredParts(view.window, view.phases);
    if (parts.empty() || parts.front() == view.window)
        return words;
    if (scope == TabScope::oneWindow)
        return translated("%1, measured or not").arg(words);
    return parts.size() == 1
        ? measured.arg(wordsOf(parts.front(), view.phases, view.shown), chosen)
        : translated("what %1 measurements have in the chosen window (%2)").arg(parts.size()).arg(chosen);
}

QString chosenWords(const RunView& view)
{
    return wordsOf(view.window, view.phases, view.shown);
}

WindowBar::WindowBar(QWidget* parent)
    : QWidget(parent)
    , m_box(new WindowBox)
    , m_words(new ElidedLabel)
    , m_keep(new QPushButton(tr("&Keep…")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 3, 6, 3);
    auto* label = new QLabel(tr("&Over:"));
    label->setBuddy(m_box);
    layout->addWidget(label);
    layout->addWidget(m_box);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_keep);
    m_keep->setToolTip(
        tr("Keeps this window with the run, and the reason for it; reports and the event log have it"));
    m_keep->setEnabled(false);
    connect(m_keep, &QPushButton::clicked, this, &WindowBar::keepWanted);
}

void WindowBar::show(const RunView& view, TabScope scope)
{
    m_words->setText(windowWords(view, scope));
    m_keep->setEnabled(!isPlanned(view.query.window) && view.windowProblem.empty());
}

} // namespace loadstone::ui
