// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"
#include "worker.h"

#include <loadstone/source.h>

#include <QDialog>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace loadstone::ui {

class Banner;
class DataTable;

/// A source as the dialog lists it.
struct SourceRow {
    SourceInfo info;
    std::string name; ///< what its lines are known by in the chart
    std::vector<SourceMove> moves; ///< the first one is the attaching
    std::optional<Nanoseconds> againstClock; ///< see againstItsClock()
    bool operator==(const SourceRow&) const = default;
};
/// Times are on the run's axis, with the offset as it is now.
std::vector<Column<SourceRow>> sourceColumns();

/// Lists the sources of one recording, attaches and removes logs, proposes an offset, and moves one of them along the run's time axis. It reads and writes on a thread of its
/// own. Not modal: the chart behind it shows what a move does.
class SourcesDialog : public QDialog {
    Q_OBJECT
public:
    SourcesDialog(std::filesystem::path recording, const QString& title, QWidget* parent = nullptr);
    /// Logs that are being attached go on, hidden.
    ~SourcesDialog() override;

    /// Reads the list again.
    void reload();

signals:
    void moved(); ///< the recording has the new offset, a new source, or one less

private:
    struct Reader; // for the worker's thread
    void showRows(Result<std::vector<SourceRow>> rows);
    void updateChoice();
    void moveChosen();
    void attachLog();
    void proposeOffset();
    void removeChosen(); ///< asks first
    void write(std::function<Result<void>()> change);
    [[nodiscard]] const SourceRow* chosen() const;
    [[nodiscard]] Nanoseconds wanted() const; ///< the offset that the chosen source is to get

    std::filesystem::path m_file;
    std::shared_ptr<Reader> m_reader;
    RowsModel<SourceRow>* m_rows;
    DataTable* m_table;
    QLabel* m_empty;
    QDoubleSpinBox* m_by;
    QLabel* m_after;
    QPushButton* m_move;
    QPushButton* m_propose;
    QPushButton* m_remove;
    Banner* m_problem;
    bool m_writing = false; // a move or a removal is being written, and not listed yet
    bool m_unread = false; // the problem is that the list could not be read
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
