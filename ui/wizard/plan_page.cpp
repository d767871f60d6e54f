// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/plan_page.h"

#include "banner.h"
#include "forms/field_editor.h"
#include "forms/key_words.h"
#include "icons.h"
#include "wizard/published_values.h"

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

QLabel* heading(const QString& words, double larger)
{
    auto* label = new QLabel(words);
    label->setTextFormat(Qt::PlainText);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * larger);
    label->setFont(font);
    return label;
}

} // namespace

PlanPage::PlanPage(PlanModel& model, QString title, const QString& words, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_title(std::move(title))
    , m_fixed(new QVBoxLayout)
    , m_body(nullptr)
    , m_scroll(new QScrollArea)
    , m_help(new QLabel)
    , m_advanced(new QCheckBox(tr("Ad&vanced: all keys")))
{
    auto* body = new QWidget;
    m_body = new QVBoxLayout(body);
    m_body->setContentsMargins(0, 0, 8, 0);
    m_body->setSpacing(10);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(body);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    m_help->setMinimumHeight(3 * fontMetrics().lineSpacing());
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setAccessibleName(tr("About the field"));
    m_advanced->setToolTip(
        tr("Shows the keys that few plans need; those that the plan states are shown always"));
    m_advanced->hide();
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Sunken);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 4, 6);
    layout->addWidget(heading(m_title, 1.3));
    layout->addWidget(makeProse(words));
    layout->addLayout(m_fixed);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(line);
    layout->addWidget(m_help);
    m_helpButton = new QPushButton(icon(QStringLiteral("help")), tr("&Help"));
    m_helpButton->setAutoDefault(false);
    m_helpButton->setToolTip(tr("The manual's chapter about this page (F1)"));
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_advanced);
    foot->addStretch(1);
    foot->addWidget(m_helpButton);
    layout->addLayout(foot);
    connect(m_advanced, &QCheckBox::toggled, this, &PlanPage::showRare);
    connect(m_helpButton, &QPushButton::clicked, this, &PlanPage::helpWanted);
}

KeyForm* PlanPage::addForm(const std::string& table, FormKeys keys, const QString& words)
{
    auto* form = new KeyForm(m_model, table, std::move(keys));
    m_forms.push_back(form);
    connect(form, &KeyForm::explained, this,
        [this](const QString& about) { m_help->setText(withPublished(about)); });
    addBox(form, words);
    return form;
}

void PlanPage::addBox(QWidget* box, const QString& words)
{
    if (!words.isEmpty())
        m_body->addWidget(heading(words, 1.05));
    m_body->addWidget(box);
}

void PlanPage::addFixed(QWidget* box)
{
    m_fixed->addWidget(box);
}

void PlanPage::finish()
{
    m_body->addStretch(1);
    for (const KeyForm* form : m_forms)
        m_keys.merge(form->keys());
    m_advanced->setVisible(std::ranges::any_of(m_forms, [](const KeyForm* form) { return form->hasRare(); }));
}

void PlanPage::takeWhole(QWidget* whole)
{
    m_scroll->hide();
    m_help->hide();
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(m_scroll), whole, 1);
}

void PlanPage::showRare(bool on)
{
    m_advanced->setChecked(on);
    for (KeyForm* form : m_forms)
        form->showRare(on);
}

FieldEditor* PlanPage::reveal(const std::string& path)
{
    const KeyRow* row = findKey(FileKind::plan, path);
    if (row != nullptr && row->rare)
        showRare(true);
    for (KeyForm* form : m_forms)
        if (form->keys().contains(genericPath(path)))
            if (FieldEditor* editor = form->reveal(path))
                return editor;
    // A name of somebody's own, below a table of such.
    for (KeyForm* form : m_forms)
        if (FieldEditor* editor = form->reveal(path))
            return editor;
    return nullptr;
}

void PlanPage::focusFirst()
{
    for (const FieldEditor* editor : findChildren<FieldEditor*>())
        if (editor->isVisible() && editor->field()->isEnabled())
            return editor->field()->setFocus(Qt::OtherFocusReason);
    // Such as the table of a list that is empty; the buttons at the foot are for later.
    for (QWidget* one : findChildren<QWidget*>())
        if ((one->focusPolicy() & Qt::TabFocus) != 0 && one->isVisible() && one->isEnabled()
            && one != m_helpButton && one != m_advanced)
            return one->setFocus(Qt::OtherFocusReason);
    focusNextChild();
}

void PlanPage::commit()
{
    for (KeyForm* form : m_forms)
        form->commit();
}

int PlanPage::problemCount() const
{
    return static_cast<int>(std::ranges::count_if(m_model.problems(), [&](const Problem& problem) {
        // Of a key, or the nearest table around an unknown one: a known one may be another page's.
        for (std::string path = genericPath(problem.field); !path.empty(); path = tableOf(path)) {
            const bool isKnown = findKey(FileKind::plan, path) != nullptr;
            if (path.ends_with("[]"))
                path.resize(path.size() - 2);
            if (m_keys.contains(path))
                return true;
            if (isKnown)
                return false;
        }
        return false;
    }));
}

} // namespace loadstone::ui
