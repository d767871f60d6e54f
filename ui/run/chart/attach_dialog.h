// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/counter_log.h>
#include <loadstone/offset.h>
#include <loadstone/source.h>

#include <QDialog>

#include <filesystem>
#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace loadstone::ui {

class Banner;
class OffsetCurve;

/// Attaches a log to a recording, or sets anew where an attached source lies. Where it belongs is said by the clocks of both computers, typed,
/// slid along the curve, or proposed. It reads and writes on a thread of its own; not modal.
class AttachDialog : public QDialog {
    Q_OBJECT
public:
    /// To attach a log.
    AttachDialog(std::filesystem::path recording, const QString& title, QWidget* parent = nullptr);
    /// To move this source.
    AttachDialog(std::filesystem::path recording, const SourceInfo& source, const QString& name,
        QWidget* parent = nullptr);

    void setLog(const QString& file);
    /// While it works it is hidden only, and goes when the work is done; it comes back with what went wrong.
    void reject() override;
    /// What works goes on below this one, hidden: its parent goes. Else nothing happens.
    void moveBelow(QWidget* parent);
    [[nodiscard]] OffsetCurve* curve() const { return m_curve; }

signals:
    void attached(); ///< or moved: the recording has changed

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void build(const QString& title);
    void browse();
    void propose();
    void apply();
    void showProposal(Result<OffsetProposal> proposal);
    void showDone(const Result<AttachedLog>& done);
    void complain(const QString& sentence);
    void updateButtons();
    [[nodiscard]] bool byClocks() const;
    [[nodiscard]] std::optional<Nanoseconds> zone() const; ///< that was chosen for the log's times
    [[nodiscard]] Nanoseconds typed() const;
    [[nodiscard]] OffsetOptions offsetOptions() const;

    std::filesystem::path m_recording;
    std::optional<SourceInfo> m_source; // none: a log is attached
    QLineEdit* m_log;
    QLineEdit* m_counters;
    QLineEdit* m_computer;
    QComboBox* m_role;
    QComboBox* m_zone; // its data: minutes from UTC; none: as the log says
    QLineEdit* m_compare;
    QCheckBox* m_clocks;
    QDoubleSpinBox* m_begin;
    OffsetCurve* m_curve;
    QLabel* m_said;
    Banner* m_problem;
    QPushButton* m_propose;
    QPushButton* m_apply;
    bool m_working = false;
    bool m_leaving = false; // closed while it worked
    bool m_looked = false; // where this log lies has been shown
    Worker m_worker; // last: joins before the rest goes
};

} // namespace loadstone::ui
