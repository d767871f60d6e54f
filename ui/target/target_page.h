// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "target/target_runner.h"

#include <QTimer>

class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace loadstone::ui {

class Banner;
class FaultTable;

/// The embedded mail server as a panel: what it serves, how it behaves, start and stop; its behaviour changes while it serves.
class TargetPage : public Page {
    Q_OBJECT
public:
    /// `program`: see TargetRunner.
    explicit TargetPage(std::filesystem::path program = {}, QWidget* parent = nullptr);

    [[nodiscard]] TargetRunner& runner() { return m_runner; }
    [[nodiscard]] FaultTable* faults() const { return m_faults; }
    [[nodiscard]] QSpinBox* capacity() const { return m_capacity; }
    [[nodiscard]] QAction* startAction() const { return m_start; }
    [[nodiscard]] QAction* stopAction() const { return m_stop; }
    [[nodiscard]] QString log() const;
    /// The options that the fields stand for.
    [[nodiscard]] QStringList options() const;
    /// A plan against the target that is serving.
    [[nodiscard]] QString planText() const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString tip() const override
    {
        return tr("A mail server on this machine, to try plans on");
    }
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("target"); }
    bool mayClose() override;
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void newWanted(const QString& text); ///< a plan that has no file yet

private:
    QWidget* makeServices();
    QWidget* makeBehaviour();
    void connectRunner();
    /// A field that holds what the target did not take is marked until it takes something.
    void markField(const QString& command, bool taken, const QString& why);
    void change(const QString& command); ///< while it serves
    void say(const QString& line);
    void showState();

    TargetRunner m_runner;
    QMap<QString, QCheckBox*> m_services;
    QMap<QString, QSpinBox*> m_ports;
    QCheckBox* m_tls;
    QLineEdit *m_users, *m_password, *m_domain, *m_serviceTime, *m_delay, *m_freeze;
    QSpinBox* m_capacity;
    FaultTable* m_faults;
    QWidget* m_fixed; // what cannot be changed while it serves
    QLabel* m_state;
    Banner* m_problem;
    QPlainTextEdit* m_log;
    QAction *m_start, *m_stop, *m_freezeNow, *m_plan;
    QTimer m_faultsSoon; // several cells change at once
};

} // namespace loadstone::ui
