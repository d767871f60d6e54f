// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/profile_gallery.h"

#include "banner.h"
#include "format.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"
#include "plans/plan_facts.h"
#include "wizard/profile_editor.h"

#include <loadstone/score.h>

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>
#include <array>

namespace loadstone::ui {

namespace {

constexpr int kLines = 9;
constexpr std::size_t kMostBeside = 200; // files of the plan's folder that are looked at

struct ProfileFile {
    std::string name; ///< as a plan names it
    std::filesystem::path file;
};

std::vector<ProfileFile> profilesFor(const std::filesystem::path& plan)
{
    std::vector<ProfileFile> profiles;
    for (const std::string& name : shippedWeights())
        profiles.push_back({ name, findWeights(name) });
    if (plan.empty())
        return profiles;
    std::error_code ignored;
    std::size_t looked = 0;
    for (std::filesystem::directory_iterator at(plan.parent_path(), ignored), end; !ignored && at != end;
         at.increment(ignored)) {
        if (at->path().extension() != ".toml" || ++looked > kMostBeside)
            continue;
        const auto document = Document::read(at->path());
        if (document && document->getText("kind") == "profile")
            profiles.push_back({ at->path().stem().string(), at->path() });
    }
    return profiles;
}

void addFigures(const Document& profile, const std::string& table, const QString& heading, QTreeWidget& to)
{
    auto* group = new QTreeWidgetItem(&to, { heading });
    for (const std::string& key : profile.keys(table)) {
        const KeyRow* row = findKey(FileKind::profile, table + "." + key);
        const auto value = profile.getText(table + "." + key);
        if (row == nullptr || !value || key == "source")
            continue;
        auto* item = new QTreeWidgetItem(group, { labelOf(*row), text(*value) });
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, text(std::string(row->help)));
    }
    if (group->childCount() == 0)
        delete group;
    else
        group->setExpanded(true);
}

} // namespace

ProfileGallery::ProfileGallery(PlanModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_list(new QListWidget)
    , m_figures(new QTreeWidget)
    , m_about(makeProse())
    , m_use(new QPushButton(tr("Use this pro&file")))
    , m_edit(new QPushButton(tr("&Edit profile…")))
{
    m_list->setAccessibleName(tr("Profiles at hand"));
    m_figures->setAccessibleName(tr("What a user of the profile does"));
    m_figures->setHeaderLabels({ tr("A user's day"), tr("Value") });
    m_figures->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_figures->header()->setStretchLastSection(false);
    m_figures->setRootIsDecorated(false);
    for (QAbstractItemView* view :
        { static_cast<QAbstractItemView*>(m_list), static_cast<QAbstractItemView*>(m_figures) })
        view->setFixedHeight(kLines * (fontMetrics().lineSpacing() + 4));
    auto* label = new QLabel(tr("&Profiles at hand:"));
    label->setBuddy(m_list);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label, 0, 0);
    layout->addWidget(m_list, 1, 0);
    layout->addWidget(m_figures, 1, 1);
    m_edit->setToolTip(
        tr("Changes its values; a profile that comes with the program becomes one of your own"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_use);
    buttons->addWidget(m_edit);
    buttons->addStretch(1);
    layout->addLayout(buttons, 2, 0, Qt::AlignTop);
    layout->addWidget(m_about, 2, 1);
    layout->setColumnStretch(0, 2);
    layout->setColumnStretch(1, 3);
    connect(m_list, &QListWidget::currentItemChanged, this, &ProfileGallery::showProfile);
    connect(m_list, &QListWidget::itemActivated, this, &ProfileGallery::use);
    connect(m_use, &QPushButton::clicked, this, &ProfileGallery::use);
    connect(m_edit, &QPushButton::clicked, this, &ProfileGallery::edit);
    connect(&m_model, &DocumentModel::changed, this, &ProfileGallery::follow);
    fill();
    follow();
}

void ProfileGallery::fill()
{
    m_list->clear();
    for (const ProfileFile& profile : profilesFor(m_model.document().file())) {
        auto* item = new QListWidgetItem(text(profile.name), m_list);
        item->setData(Qt::UserRole, text(profile.file.string()));
        item->setToolTip(text(profile.file.string()));
    }
}

void ProfileGallery::follow()
{
    const Document& document = m_model.document();
    setHidden(effectiveText(document, "workload.pacing") != "users");
    const QString used = text(document.getText("workload.profile").value_or(""));
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem* item = m_list->item(i);
        QFont font = m_list->font();
        font.setBold(item->text() == used);
        item->setFont(font);
        if (item->text() == used && m_list->currentItem() == nullptr)
            m_list->setCurrentItem(item);
    }
    const QListWidgetItem* current = m_list->currentItem();
    m_edit->setEnabled(m_model.isEditable() && current != nullptr);
    m_use->setEnabled(m_model.isEditable() && current != nullptr && current->text() != used);
}

void ProfileGallery::showProfile()
{
    m_figures->clear();
    m_about->clear();
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr)
        return;
    const auto profile = Document::read(bytes(item->data(Qt::UserRole).toString()));
    if (!profile) {
        m_about->setText(text(profile.error().message));
        return;
    }
    addFigures(
        *profile, "per_day", tr("Times a day (of %1)").arg(text(effectiveText(*profile, "day"))), *m_figures);
    addFigures(*profile, "per_read", tr("Of messages read"), *m_figures);
    addFigures(*profile, "published", tr("Published, a day"), *m_figures);
    addFigures(*profile, "initial", tr("Mailbox before the run"), *m_figures);
    const QString title = text(profile->getText("title").value_or(""));
    const QString about = text(profile->getText("description").value_or(""));
    QString sources;
    for (std::size_t i = 0; i < profile->size("sources"); ++i)
        sources +=
            tr(" Source: %1.").arg(text(profile->getText("sources[" + std::to_string(i) + "]").value_or("")));
    m_about->setText(tr("%1. %2%3").arg(title, about, sources));
    follow();
}

void ProfileGallery::use()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item != nullptr && m_use->isEnabled())
        m_model.setValue("workload.profile", item->text());
}

void ProfileGallery::edit()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr)
        return;
    const std::filesystem::path plan = m_model.document().file();
    if (plan.empty() || isShipped(plan)) {
        QMessageBox::information(this, tr("Edit profile"),
            tr("A profile of your own lies beside the plan. Save the plan first in a folder of yours (Save "
               "as…)."));
        return;
    }
    const auto profile = Document::read(bytes(item->data(Qt::UserRole).toString()));
    if (!profile || !profile->isWellFormed()) {
        QMessageBox::warning(this, tr("Edit profile"),
            profile ? tr("%1 cannot be read as TOML; mend it as a text first.").arg(item->text())
                    : text(profile.error().message));
        return;
    }
    ProfileEditor editor(*profile, std::filesystem::absolute(plan).parent_path(), this);
    if (editor.exec() != QDialog::Accepted)
        return;
    const QString name = text(editor.savedName());
    m_list->setCurrentItem(nullptr);
    fill();
    m_model.setValue("workload.profile", name);
    m_model.checkAgain(); // the name may be the same as before
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->text() == name)
            m_list->setCurrentRow(i);
    follow();
}

} // namespace loadstone::ui
