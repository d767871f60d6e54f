// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/profile_editor.h"

#include "banner.h"
#include "confirm.h"
#include "format.h"
#include "forms/click_by_keys.h"
#include "forms/key_form.h"
#include "forms/scrolled.h"

#include <QCheckBox>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr int kEditorWidth = 760, kEditorHeight = 600;

struct Tab {
    const char* title;
    std::vector<std::string> keys;
};

const std::vector<Tab>& tabsOfProfiles()
{
    static const std::vector<Tab> tabs {
        { "A &day",
            { "title", "description", "sources", "day", "arrivals", "day_shape", "client", "pause",
                "save_to_sent", "per_day" } },
        { "Mail that is &read", { "per_read", "recipients" } },
        { "&Messages", { "messages", "initial" } },
        { "S&core and sources", { "score", "published", "achieved", "format", "kind" } },
    };
    return tabs;
}

} // namespace

ProfileModel::ProfileModel(Document document, QObject* parent)
    : DocumentModel(std::move(document), parent)
{
    ProfileModel::read();
}

void ProfileModel::read()
{
    m_problems = document().problems();
}

bool ProfileModel::isUsable() const
{
    return std::ranges::none_of(
        m_problems, [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

ProfileEditor::ProfileEditor(Document profile, std::filesystem::path folder, QWidget* parent)
    : QDialog(parent)
    , m_model(new ProfileModel(std::move(profile), this))
    , m_folder(std::move(folder))
    , m_help(new QLabel)
    , m_state(new QLabel)
    , m_undo(new QPushButton(tr("&Undo")))
    , m_save(new QPushButton(tr("&Save and use…")))
{
    setWindowTitle(tr("Profile %1").arg(text(m_model->document().name())));
    resize(kEditorWidth, kEditorHeight);
    auto* tabs = new QTabWidget;
    for (const Tab& tab : tabsOfProfiles()) {
        auto* form = new KeyForm(*m_model, "", { tab.keys });
        m_forms.push_back(form);
        connect(form, &KeyForm::explained, m_help, &QLabel::setText);
        QScrollArea* scroll = scrolledList(form);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFocusPolicy(Qt::NoFocus);
        tabs->addTab(scroll, tr(tab.title));
    }
    for (QLabel* label : { m_help, m_state }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_help->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setAccessibleName(tr("About the field"));
    auto* rare = new QCheckBox(tr("Ad&vanced: all keys"));
    connect(rare, &QCheckBox::toggled, this, [this](bool on) {
        for (KeyForm* form : m_forms)
            form->showRare(on);
    });
    auto* cancel = new QPushButton(tr("Cancel"));
    for (QPushButton* button : { m_undo, m_save, cancel })
        button->setAutoDefault(false);
    m_save->setToolTip(tr("Saves it beside the plan (Ctrl+S), which uses it from then on"));
    auto* line = new QHBoxLayout;
    line->addWidget(m_undo);
    line->addWidget(rare);
    line->addWidget(m_state, 1);
    line->addWidget(m_save);
    line->addWidget(cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(
        makeProse(tr("What a simulated user does in a day. The load is made of these values; what you "
                     "leave alone stays as it is written.")));
    layout->addWidget(tabs, 1);
    layout->addWidget(m_help);
    layout->addLayout(line);
    clickByKeys(m_undo, QKeySequence::Undo, this);
    clickByKeys(m_save, QKeySequence::Save, this);
    connect(m_undo, &QPushButton::clicked, m_model, &DocumentModel::undo);
    connect(m_save, &QPushButton::clicked, this, &ProfileEditor::save);
    connect(cancel, &QPushButton::clicked, this, &ProfileEditor::reject);
    connect(m_model, &DocumentModel::changed, this, &ProfileEditor::follow);
    connect(m_model, &DocumentModel::refused, m_state, &QLabel::setText);
    follow();
}

void ProfileEditor::follow()
{
    const auto& problems = m_model->problems();
    m_state->setText(
        problems.empty() ? QString() : text(problems.front().format(m_model->document().name())));
    m_undo->setEnabled(m_model->document().canUndo());
    m_save->setEnabled(m_model->isUsable());
}

void ProfileEditor::commit()
{
    for (KeyForm* form : m_forms)
        form->commit();
}

bool ProfileEditor::saveAs(const QString& name)
{
    commit();
    const std::filesystem::path file = m_folder / bytes(name + QStringLiteral(".toml"));
    const bool isOwn = file == m_model->document().file();
    std::error_code ignored;
    if (!isOwn && std::filesystem::exists(file, ignored)
        && !confirmLoss(this, tr("Save profile"), tr("%1 exists. Replace it?").arg(text(file.string()))))
        return false;
    QString why;
    const auto refused =
        connect(m_model, &DocumentModel::refused, this, [&](const QString& words) { why = words; });
    const bool done = isOwn ? m_model->save(false) : m_model->saveAs(file);
    disconnect(refused);
    if (!done) {
        QMessageBox::warning(this, tr("Save profile"), why);
        return false;
    }
    m_savedName = bytes(name);
    return true;
}

void ProfileEditor::save()
{
    commit();
    if (!m_model->isUsable())
        return;
    const std::filesystem::path& file = m_model->document().file();
    QString name = text(file.stem().string());
    if (file.empty() || file.parent_path() != m_folder) {
        bool isChosen = false;
        name = QInputDialog::getText(this, tr("Save profile"),
            tr("Name of the profile, which is saved in %1:").arg(text(m_folder.string())), QLineEdit::Normal,
            tr("my-%1").arg(name), &isChosen)
                   .trimmed();
        if (!isChosen)
            return;
        if (name.isEmpty() || name.contains(QLatin1Char('/'))) {
            QMessageBox::warning(this, tr("Save profile"), tr("A name is needed, without a slash."));
            return;
        }
        if (name.endsWith(QStringLiteral(".toml")))
            name.chop(5);
    }
    if (saveAs(name))
        accept();
}

void ProfileEditor::reject()
{
    commit();
    if (m_model->document().isModified()
        && !confirmLoss(
            this, tr("Close the profile"), tr("Give up the changes of the profile?"), QMessageBox::Discard))
        return;
    QDialog::reject();
}

} // namespace loadstone::ui
