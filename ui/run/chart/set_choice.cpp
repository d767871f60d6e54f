// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/set_choice.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace loadstone::ui {

namespace {

const QString kOwn = QStringLiteral("\n"); // no set has this name

/// A box whose entries are made when it is opened: another page may have changed them.
class LateBox : public QComboBox {
public:
    std::function<void()> fill;
    void showPopup() override
    {
        fill();
        QComboBox::showPopup();
    }
};

} // namespace

SetChoice::SetChoice(std::function<std::vector<SetLine>()> present, QWidget* parent)
    : QWidget(parent)
    , m_present(std::move(present))
    , m_menu(new QMenu(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    auto* box = new LateBox;
    box->fill = [this] { fill(); };
    m_box = box;
    auto* label = new QLabel(tr("&Counters: "));
    label->setBuddy(m_box);
    m_box->setAccessibleName(tr("Counter set"));
    m_box->setToolTip(tr("Which counters the chart shows: the run's usual ones, or a set of yours"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(16);
    layout->addWidget(label);
    layout->addWidget(m_box);
    auto* button = new QToolButton;
    button->setText(QStringLiteral("…"));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    button->setToolTip(tr("Keep, rename and delete counter sets"));
    button->setAccessibleName(tr("Counter sets"));
    button->setMenu(m_menu);
    layout->addWidget(button);
    connect(m_menu, &QMenu::aboutToShow, this, &SetChoice::fillMenu);
    connect(m_box, &QComboBox::activated, this, [this] {
        const QString name = m_box->currentData().toString();
        if (name != kOwn)
            emit chosen(name);
    });
    fill();
}

void SetChoice::fill()
{
    m_box->clear();
    m_box->addItem(tr("Usual counters"), QString());
    for (const QString& name : counterSetNames())
        m_box->addItem(name, name);
    const int at = m_box->findData(m_name);
    if (at < 0)
        m_name.clear();
    if (m_own && m_name.isEmpty())
        m_box->addItem(tr("(this page's own)"), kOwn);
    m_box->setCurrentIndex(m_own && m_name.isEmpty() ? m_box->count() - 1 : std::max(0, at));
}

void SetChoice::setOwn(bool own)
{
    m_own = own;
    fill();
}

void SetChoice::setName(const QString& name)
{
    m_name = name;
    m_own = false;
    fill();
}

void SetChoice::fillMenu()
{
    m_menu->clear();
    m_menu->addAction(tr("&Keep as counter set…"), this, &SetChoice::keepAs);
    QAction* renaming = m_menu->addAction(tr("&Rename…"), this, &SetChoice::rename);
    QAction* removal = m_menu->addAction(tr("&Delete"), this, &SetChoice::remove);
    renaming->setEnabled(!m_name.isEmpty());
    removal->setEnabled(!m_name.isEmpty());
    m_menu->addSeparator();
    QAction* first = m_menu->addAction(tr("Runs &begin with these"));
    first->setCheckable(true);
    first->setChecked(!m_own && firstCounterSet() == m_name);
    first->setEnabled(!m_own && !first->isChecked());
    connect(first, &QAction::triggered, this, [this] { setFirstCounterSet(m_name); });
}

void SetChoice::keepAs()
{
    bool ok = false;
    const QString name =
        QInputDialog::getText(this, tr("Keep counter set"), tr("Name:"), QLineEdit::Normal, m_name, &ok)
            .simplified();
    if (!ok || name.isEmpty())
        return;
    if (name != m_name && findCounterSet(name)) {
        QMessageBox box(QMessageBox::Question, tr("Keep counter set"),
            tr("There is a counter set \"%1\" already.").arg(name), QMessageBox::Cancel, this);
        QPushButton* replace = box.addButton(tr("&Replace"), QMessageBox::DestructiveRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() != replace)
            return;
    }
    keepCounterSet({ name, m_present() });
    emit chosen(name);
}

void SetChoice::rename()
{
    bool ok = false;
    const QString name =
        QInputDialog::getText(this, tr("Rename counter set"), tr("Name:"), QLineEdit::Normal, m_name, &ok)
            .simplified();
    if (!ok || name.isEmpty() || name == m_name)
        return;
    if (!renameCounterSet(m_name, name)) {
        QMessageBox::information(this, tr("Rename counter set"),
            tr("There is a counter set \"%1\" already. Choose another name.").arg(name));
        return;
    }
    for (SetChoice* page : thoseWith(m_name))
        page->setName(name);
}

void SetChoice::remove()
{
    QMessageBox box(QMessageBox::Question, tr("Delete counter set"),
        tr("Delete the counter set \"%1\"? The lines stay in the chart.").arg(m_name), QMessageBox::Cancel,
        this);
    QPushButton* yes = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != yes)
        return;
    const std::vector<SetChoice*> pages = thoseWith(m_name);
    removeCounterSet(m_name);
    for (SetChoice* page : pages) {
        page->setName({});
        page->setOwn(true); // the lines stay
    }
}

std::vector<SetChoice*> SetChoice::thoseWith(const QString& name)
{
    std::vector<SetChoice*> pages;
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* page = qobject_cast<SetChoice*>(widget); page != nullptr && page->m_name == name)
            pages.push_back(page);
    return pages;
}

} // namespace loadstone::ui
