// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/errors_tab.h"

#include "format.h"
#include "run/tabs/result_tables.h"
#include "tables/data_table.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>

namespace loadstone::ui {

ErrorsTab::ErrorsTab(QWidget* parent)
    : QWidget(parent)
    , m_errors(new RowsModel<ErrorRow>(errorColumns(), this))
    , m_transcripts(new RowsModel<TranscriptRow>(transcriptColumns(), this))
    , m_errorTable(new DataTable)
    , m_transcriptTable(new DataTable)
    , m_text(new QPlainTextEdit)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_about(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_errorTable->setSource(m_errors);
    m_errorTable->setAccessibleName(tr("Errors by kind"));
    m_transcriptTable->setSource(m_transcripts);
    m_transcriptTable->setAccessibleName(tr("Transcripts of failed sessions"));
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setPlaceholderText(tr("Choose a transcript to see what was said on the wire."));
    m_splitter->addWidget(m_errorTable);
    m_splitter->addWidget(m_transcriptTable);
    m_splitter->addWidget(m_text);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setStretchFactor(2, 5);
    m_splitter->setSizes({ 420, 340, 520 });
    m_splitter->setChildrenCollapsible(false);
    m_about->setTextFormat(Qt::PlainText);
    layout->addWidget(m_about);
    layout->addWidget(m_splitter, 1);
    layout->addStretch(); // where there is no error
    connect(m_transcriptTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &ErrorsTab::showTranscript);
    connect(m_errorTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &ErrorsTab::filterTranscripts);
}

void ErrorsTab::show(const RunView& view)
{
    m_all = view.transcripts;
    m_window = view.errorWindow;
    // The counts grow, and kinds come in: what is chosen is a kind, not a row.
    replaceRows(*m_errorTable, *m_errors, view.errors, [](const ErrorRow& a, const ErrorRow& b) {
        return a.target == b.target && a.where == b.where && a.kind == b.kind && a.code == b.code;
    });
    filterTranscripts();
    std::uint64_t count = 0;
    for (const ErrorRow& row : view.errors)
        count += row.count;
    const bool whole = view.errorWindow == TimeWindow { Nanoseconds(0), view.shown };
    // A chosen window has the words that the other tabs have for it.
    const auto moment = [whole](Nanoseconds at) { return whole ? formatElapsed(at) : formatMoment(at); };
    const QString from =
        tr("from %1 to %2").arg(moment(view.errorWindow.begin), moment(view.errorWindow.end));
    const bool nothing = view.figures.errors == 0 && view.figures.verdict == Verdict::failed;
    m_about->setText(nothing
            ? tr("%1: no action or transfer failed. Why the run failed is in its event log.").arg(from)
            : whole ? tr("%1: %2 errors").arg(from, formatCount(count))
                    : tr("%1: %2 of the run's %3 errors")
                          .arg(from, formatCount(count), formatCount(view.figures.errors)));
    m_splitter->setVisible(!view.errors.empty() || m_transcripts->rowCount() > 0);
}

void ErrorsTab::filterTranscripts()
{
    const int row = m_errorTable->currentSourceRow();
    const ErrorRow* of =
        row >= 0 && row < m_errors->rowCount() ? &m_errors->rows()[static_cast<std::size_t>(row)] : nullptr;
    std::vector<TranscriptRow> chosen;
    for (std::size_t i = 0; m_all && i < m_all->size(); ++i) {
        const Transcript& t = (*m_all)[i];
        if (m_window.begin <= t.at && t.at <= m_window.end
            && (of == nullptr || (t.kind == of->kind && t.where == of->where && t.target == of->target)))
            chosen.push_back({ t.at, withTarget(t.target, t.where), t.kind, i });
    }
    replaceRows(*m_transcriptTable, *m_transcripts, std::move(chosen));
    showTranscript();
}

void ErrorsTab::showTranscript()
{
    const int row = m_transcriptTable->currentSourceRow();
    const QString shown = row >= 0 && row < m_transcripts->rowCount()
        ? text((*m_all)[m_transcripts->rows()[static_cast<std::size_t>(row)].index].text)
        : QString();
    if (shown == m_shown) // setting it would scroll back to its beginning
        return;
    m_shown = shown;
    m_text->setPlainText(shown);
}

} // namespace loadstone::ui
