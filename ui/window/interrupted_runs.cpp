// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/interrupted_runs.h"

#include "format.h"
#include "history/history_store.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSysInfo>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kKnown = QStringLiteral("history/interrupted");
constexpr int kMostKnown = 500;
}

InterruptedRuns::InterruptedRuns(HistoryStore& store, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_words(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    auto* open = new QPushButton(tr("&Open it"));
    auto* discard = new QPushButton(tr("&Discard…"));
    auto* keep = new QPushButton(tr("&Keep"));
    layout->addWidget(m_words, 1);
    for (QPushButton* button : { open, discard, keep })
        layout->addWidget(button);
    open->setToolTip(tr("Shows what was measured until then"));
    discard->setToolTip(tr("Deletes the recording"));
    keep->setToolTip(tr("Leaves it in the history, and says no more about it"));
    connect(open, &QPushButton::clicked, this, &InterruptedRuns::open);
    connect(discard, &QPushButton::clicked, this, &InterruptedRuns::discard);
    connect(keep, &QPushButton::clicked, this, &InterruptedRuns::settle);
    connect(&m_store, &HistoryStore::listed, this, &InterruptedRuns::look);
    hide();
}

void InterruptedRuns::look()
{
    const QStringList known = QSettings().value(kKnown).toStringList();
    const std::string here = bytes(QSysInfo::machineHostName());
    m_runs.clear();
    for (const RunSummary& run : m_store.runs())
        if (run.state == RunState::interrupted && run.computer == here
            && !known.contains(text(run.id.text())))
            m_runs.push_back(run);
    if (!m_runs.empty())
        m_words->setText(m_runs.size() == 1
                ? tr("\"%1\", started %2, ended with the program that drove it. It is complete up to its "
                     "last second.")
                      .arg(text(m_runs[0].title), formatWhen(m_runs[0].started))
                : tr("%1 runs ended with the program that drove them. The last one: \"%2\", started %3.")
                      .arg(m_runs.size())
                      .arg(text(m_runs[0].title), formatWhen(m_runs[0].started)));
    setVisible(!m_runs.empty());
}

void InterruptedRuns::open()
{
    const RunId first = m_runs.empty() ? RunId() : m_runs[0].id;
    settle();
    if (!first.empty())
        emit openWanted(first);
}

void InterruptedRuns::discard()
{
    const auto runs = m_runs;
    QMessageBox box(QMessageBox::Warning, tr("Discard"),
        runs.size() == 1 ? tr("Delete the recording of the interrupted run?")
                         : tr("Delete the recordings of %1 interrupted runs?").arg(runs.size()),
        QMessageBox::Cancel, this);
    box.setInformativeText(tr("This cannot be undone."));
    const auto* confirm = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != confirm)
        return;
    for (const RunSummary& run : runs)
        m_store.run([id = run.id](History& history) { return history.remove(id); }, this,
            [this](const Result<void>& done) {
                if (!done)
                    emit message(text(done.error().message));
                m_store.refresh();
            });
    settle();
}

void InterruptedRuns::settle()
{
    QSettings settings;
    QStringList known = settings.value(kKnown).toStringList();
    for (const RunSummary& run : m_runs)
        known.append(text(run.id.text()));
    settings.setValue(kKnown, known.mid(std::max<qsizetype>(0, known.size() - kMostKnown)));
    m_runs.clear();
    hide();
}

} // namespace loadstone::ui
