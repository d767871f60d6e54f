// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/task_bar.h"

#include "format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kLookMilliseconds = 100;
constexpr int kSteps = 1000;
constexpr double kSpeakFrom = 0.02; // share from which the time left is more than a guess
}

bool TaskProgress::report(double share, const std::string& doing)
{
    m_share = share;
    if (!doing.empty()) {
        const std::scoped_lock lock(m_mutex);
        m_doing = doing;
    }
    return !m_cancelled;
}

std::string TaskProgress::doing() const
{
    const std::scoped_lock lock(m_mutex);
    return m_doing;
}

TaskBar::TaskBar(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel)
    , m_bar(new QProgressBar)
    , m_left(new QLabel)
    , m_cancel(new QPushButton(tr("&Cancel")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setMaximumWidth(220);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_left);
    layout->addWidget(m_cancel);
    m_timer.setInterval(kLookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &TaskBar::look);
    connect(m_cancel, &QPushButton::clicked, this, &TaskBar::cancel);
    end({});
}

TaskBar::~TaskBar()
{
    if (m_progress)
        m_progress->cancel();
}

std::shared_ptr<TaskProgress> TaskBar::begin(const QString& what)
{
    if (m_progress)
        m_progress->cancel();
    m_progress = std::make_shared<TaskProgress>();
    m_what = what;
    m_since.start();
    m_bar->setRange(0, 0);
    m_bar->show();
    m_left->show();
    m_cancel->show();
    m_cancel->setEnabled(true);
    m_timer.start();
    look();
    return m_progress;
}

void TaskBar::look()
{
    if (!m_progress)
        return;
    const std::string doing = m_progress->doing();
    m_words->setText(m_progress->isCancelled() ? tr("Cancelling…")
            : doing.empty()                    ? m_what
                                               : tr("%1: %2").arg(m_what, text(doing)));
    const double share = std::min(m_progress->share(), 1.0);
    if (share < 0)
        return;
    m_bar->setRange(0, kSteps);
    m_bar->setValue(static_cast<int>(share * kSteps));
    const double seconds = static_cast<double>(m_since.elapsed()) / 1000;
    m_left->setText(share < kSpeakFrom
            ? QString()
            : tr("%1 left").arg(formatDuration(std::chrono::duration_cast<Nanoseconds>(
                std::chrono::duration<double>(seconds * (1 - share) / share)))));
}

void TaskBar::cancel()
{
    if (!m_progress)
        return;
    m_progress->cancel();
    m_cancel->setEnabled(false);
    look();
}

void TaskBar::end(const QString& words)
{
    m_timer.stop();
    m_progress.reset();
    m_words->setText(words);
    m_bar->hide();
    m_left->clear();
    m_left->hide();
    m_cancel->hide();
}

} // namespace loadstone::ui
