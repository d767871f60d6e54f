// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_view.h"
#include "tables/rows_model.h"

#include <QWidget>

class QPlainTextEdit;
class QSplitter;

namespace loadstone::ui {

class DataTable;

/// Failures by kind within the chosen window, the transcripts that were kept, and the text of one.
class ErrorsTab : public QWidget {
    Q_OBJECT
public:
    explicit ErrorsTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;

private:
    void showTranscript();
    void filterTranscripts();

    RowsModel<ErrorRow>* m_errors;
    RowsModel<Transcript>* m_transcripts;
    std::vector<Transcript> m_all; // up to the time shown
    DataTable* m_errorTable;
    DataTable* m_transcriptTable;
    QPlainTextEdit* m_text;
    QSplitter* m_splitter;
    QWidget* m_empty;
};

} // namespace loadstone::ui
