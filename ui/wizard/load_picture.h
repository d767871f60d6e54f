// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/time.h>

#include <QWidget>

#include <vector>

namespace loadstone::ui {

/// A load of a plan over time, as its text has it.
struct LoadStep {
    QString name;
    double height = 0; ///< users, or transfers under way; 0: not known yet
    Nanoseconds rampUp {}, measurement {}, rampDown {}, quiet {};
};
/// The mixes of a mail or raw plan; what is missing or wrong counts as 0. At most 100.
std::vector<LoadStep> loadSteps(const Document& document);
/// "5 mixes, 2 h 45 min, up to 1,400 users".
QString loadWords(const std::vector<LoadStep>& steps, bool ofUsers);

/// The load over time: a shape for each mix, measurements in a stronger colour than ramps.
class LoadPicture : public QWidget {
    Q_OBJECT
public:
    explicit LoadPicture(QWidget* parent = nullptr);
    void showSteps(std::vector<LoadStep> steps, bool ofUsers);
    void setCurrent(int step); ///< which one is marked; -1: none
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void clicked(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double total() const; // seconds

    std::vector<LoadStep> m_steps;
    bool m_ofUsers = true;
    int m_current = -1;
};

} // namespace loadstone::ui
