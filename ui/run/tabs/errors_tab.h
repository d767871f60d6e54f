// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/result_tables.h"
#include "run/view/run_view.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QSplitter;

namespace loadstone::ui {

class DataTable;

/// Failures by kind within the page's window, the transcripts that were kept of it, and the text of one.
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
    RowsModel<TranscriptRow>* m_transcripts;
    std::shared_ptr<const std::vector<Transcript>> m_all; // of the whole run
    TimeWindow m_window;
    DataTable* m_errorTable;
    DataTable* m_transcriptTable;
    QPlainTextEdit* m_text;
    QSplitter* m_splitter;
    QLabel* m_about;
    QString m_shown; // in the text field, which does not give it back as it was
};

} // namespace loadstone::ui
