// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/errors_tab.h"

#include "format.h"
#include "run/result_tables.h"
#include "tables/data_table.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

ErrorsTab::ErrorsTab(QWidget* parent)
    : QWidget(parent)
    , m_errors(new RowsModel<ErrorRow>(errorColumns(), this))
    , m_transcripts(new RowsModel<Transcript>(transcriptColumns(), this))
    , m_errorTable(new DataTable)
    , m_transcriptTable(new DataTable)
    , m_text(new QPlainTextEdit)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_empty(new QLabel(tr("No errors.")))
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
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    layout->addWidget(m_splitter, 1);
    connect(m_transcriptTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &ErrorsTab::showTranscript);
    connect(m_errorTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &ErrorsTab::filterTranscripts);
}

void ErrorsTab::show(const RunView& view)
{
    m_errors->setRows(view.errors);
    m_all.clear();
    if (view.transcripts)
        std::copy_if(view.transcripts->begin(), view.transcripts->end(), std::back_inserter(m_all),
            [&](const Transcript& t) { return t.at <= view.shown; });
    filterTranscripts();
    const bool any = !view.errors.empty() || !m_all.empty();
    m_empty->setVisible(!any);
    m_splitter->setVisible(any);
}

void ErrorsTab::filterTranscripts()
{
    std::vector<Transcript> chosen = m_all;
    const int row = m_errorTable->currentSourceRow();
    if (row >= 0 && row < m_errors->rowCount()) {
        const ErrorRow& error = m_errors->rows()[static_cast<std::size_t>(row)];
        std::erase_if(
            chosen, [&](const Transcript& t) { return t.kind != error.kind || t.where != error.where; });
    }
    m_transcripts->setRows(std::move(chosen));
    showTranscript();
}

void ErrorsTab::showTranscript()
{
    const int row = m_transcriptTable->currentSourceRow();
    const QString shown = row >= 0 && row < m_transcripts->rowCount()
        ? text(m_transcripts->rows()[static_cast<std::size_t>(row)].text)
        : QString();
    if (shown != m_text->toPlainText())
        m_text->setPlainText(shown);
}

} // namespace loadstone::ui
