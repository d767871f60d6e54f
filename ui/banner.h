// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace loadstone::ui {

/// A sentence that stands out: framed, on a light colour. What it means is in its words; the colour only repeats it. It takes one line;
/// where it says more, a click, Space or Enter shows all of it, and again one line.
class Banner : public QLabel {
    Q_OBJECT
public:
    enum class Tone { caution, good };
    explicit Banner(QWidget* parent = nullptr);
    void say(const QString& sentence, Tone tone = Tone::caution);
    [[nodiscard]] bool isExpanded() const { return m_expanded; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void toggle();
    void updateReach();
    [[nodiscard]] int lineHeight() const;
    /// Whether one line of this width holds everything.
    [[nodiscard]] QString oneLine() const;
    [[nodiscard]] bool fits(int width) const;

    bool m_expanded = false;
};

/// A label for plain text that wraps and can be copied.
QLabel* makeProse(const QString& text = {});

} // namespace loadstone::ui
