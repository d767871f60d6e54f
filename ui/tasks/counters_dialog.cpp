// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/counters_dialog.h"

#include "banner.h"
#include "export_folder.h"
#include "format.h"
#include "run/view/goto_time.h"
#include "window/run_export.h"

#include <loadstone/counter_choice.h>
#include <loadstone/counter_export.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace loadstone::ui {

namespace {

Result<Recording> openedRun(const std::filesystem::path& folder, const RunId& id)
{
    auto history = History::open(folder);
    if (!history)
        return history.error();
    return history->openRun(id);
}

} // namespace

CountersDialog::CountersDialog(const RunSummary& run, std::filesystem::path history, QWidget* parent)
    : TaskDialog(parent)
    , m_run(run)
    , m_history(std::move(history))
    , m_format(new QComboBox)
    , m_patterns(new QLineEdit)
    , m_from(new QLineEdit)
    , m_to(new QLineEdit)
    , m_count(new QLabel)
{
    setWindowTitle(tr("Export counters"));
    resize(640, 260);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeProse(tr("Samples of \"%1\", %2.").arg(text(run.title), formatWhen(run.started))));
    auto* form = new QFormLayout;
    m_format->addItem(tr("PDH-CSV, for PerfMon and relog"), static_cast<int>(CounterFormat::pdh));
    m_format->addItem(tr("OpenMetrics text"), static_cast<int>(CounterFormat::openMetrics));
    m_format->addItem(tr("CSV with time, phase and mix"), static_cast<int>(CounterFormat::csv));
    form->addRow(tr("&Format:"), m_format);
    m_patterns->setPlaceholderText(
        tr("all; or parts of their paths, separated by commas; whole paths with * and ?"));
    form->addRow(tr("&Counters:"), m_patterns);
    form->addRow({}, m_count);
    m_from->setPlaceholderText(tr("begin; or a time of the run: 1:30, 90 s"));
    m_to->setPlaceholderText(tr("end; or a time of the run"));
    form->addRow(tr("Fr&om:"), m_from);
    form->addRow(tr("&To:"), m_to);
    layout->addLayout(form);
    layout->addWidget(bar());
    layout->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_write = buttons->addButton(tr("&Write…"), QDialogButtonBox::ActionRole);
    layout->addWidget(buttons);
    connect(m_write, &QPushButton::clicked, this, &CountersDialog::askFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_patterns, &QLineEdit::textChanged, this, &CountersDialog::look);
    look();
}

std::vector<std::string> CountersDialog::chosenPatterns() const
{
    std::vector<std::string> patterns;
    for (const QString& one : m_patterns->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!one.trimmed().isEmpty())
            patterns.push_back(bytes(one.trimmed()));
    return patterns;
}

void CountersDialog::look()
{
    if (isWorking()) {
        m_again = true;
        return;
    }
    using Counts = std::pair<std::size_t, std::size_t>;
    work(
        tr("Looking for the counters"),
        [folder = m_history, id = m_run.id, patterns = chosenPatterns()](TaskProgress&) -> Result<Counts> {
            const auto recording = openedRun(folder, id);
            if (!recording)
                return recording.error();
            const auto all = countersOf(*recording);
            const auto some = countersOf(*recording, patterns);
            if (!all || !some)
                return all ? some.error() : all.error();
            return Counts(some->size(), all->size());
        },
        [this](const Result<Counts>& counts) {
            bar()->end(counts ? QString() : text(counts.error().message));
            m_count->setText(counts
                    ? tr("%1 of %2 counters").arg(formatCount(counts->first), formatCount(counts->second))
                    : QString());
            m_write->setEnabled(counts && counts->first > 0);
            emit counted();
            if (std::exchange(m_again, false))
                QMetaObject::invokeMethod(this, &CountersDialog::look, Qt::QueuedConnection);
        });
}

void CountersDialog::askFile()
{
    const bool metrics = m_format->currentData().toInt() == static_cast<int>(CounterFormat::openMetrics);
    const QString suffix = metrics ? QStringLiteral("om") : QStringLiteral("csv");
    const QString folder = exportFolder();
    const QString name = withSuffix(exportName(m_run) + tr(" counters"), suffix);
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export counters"), QDir(folder).filePath(name), QStringLiteral("*.%1").arg(suffix));
    if (file.isEmpty())
        return;
    keepExportFolder(file);
    write(bytes(file));
}

void CountersDialog::write(const std::filesystem::path& to)
{
    CounterExport what;
    what.format = static_cast<CounterFormat>(m_format->currentData().toInt());
    what.patterns = chosenPatterns();
    const QString from = m_from->text().trimmed(), until = m_to->text().trimmed();
    m_write->setEnabled(false);
    work(
        tr("Writing"),
        [folder = m_history, id = m_run.id, started = m_run.started, what, from, until, to](
            TaskProgress&) mutable -> Result<ExportedCounters> {
            const auto recording = openedRun(folder, id);
            if (!recording)
                return recording.error();
            const auto log = recording->log();
            const auto transcripts = recording->transcripts();
            if (!log || !transcripts)
                return log ? transcripts.error() : log.error();
            const TypedTimeContext context { recording->length(), started, {}, false, recording->phases(),
                firstErrorOf(log->events, *transcripts) };
            for (const auto& [typed, time] : { std::pair(from, &what.from), std::pair(until, &what.to) }) {
                if (typed.isEmpty())
                    continue;
                const auto at = readTypedTime(typed, context);
                if (!at)
                    return at.error();
                // A phase that is named is meant to its end.
                *time = at->phase && time == &what.to ? at->phase->end : at->at;
            }
            if (what.from && what.to && *what.from >= *what.to)
                return fail("the part of the run ends before it begins: exchange From and To");
            return exportCounters(*recording, what, to);
        },
        [this, to](const Result<ExportedCounters>& done) {
            m_write->setEnabled(true);
            if (!done) {
                bar()->end(text(done.error().message));
                return;
            }
            QString words = done->counters == 1
                ? tr("1 counter, %1 rows written.").arg(formatCount(done->rows))
                : tr("%1 counters, %2 rows written.")
                      .arg(formatCount(done->counters), formatCount(done->rows));
            if (done->leftOut > 0)
                words += tr(" Sampling times of sources without a row: %1.").arg(formatCount(done->leftOut));
            bar()->end(words);
            emit written(tr("Written: %1").arg(text(to.string())), text(to.string()));
        });
}

} // namespace loadstone::ui
