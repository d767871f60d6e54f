// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/group_layout.h"

#include "banner.h"
#include "format.h"
#include "forms/key_conditions.h"

#include <loadstone/units.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kMostGroups = 100, kMostDatabases = 255; // as the table of keys has it
constexpr double kRoomToGrow = 1.25;

std::filesystem::path ownFolder(const std::filesystem::path& folder)
{
    return folder.filename() == "loadstone" ? folder : folder / "loadstone";
}
} // namespace

Result<void> layOut(Document& document, const GroupShape& shape)
{
    if (shape.data.empty() || shape.log.empty())
        return fail("no volume is chosen");
    return document.change("groups", [&](Document& changed) -> Result<void> {
        std::size_t next = 0;
        for (int group = 1; group <= shape.groups; ++group) {
            const std::string name = "group-" + std::to_string(group);
            std::string folders;
            for (int database = 0; database < shape.databases; ++database, ++next) {
                const auto folder =
                    ownFolder(shape.data[next % shape.data.size()]) / ("data-" + std::to_string(next + 1));
                folders += (folders.empty() ? "" : ", ") + tomlText(folder.string());
            }
            const auto log = ownFolder(shape.log) / ("log-" + std::to_string(group));
            std::string entry = "name = " + tomlText(name) + "\ndatabases = [" + folders
                + "]\nlog = " + tomlText(log.string()) + "\n";
            if (!shape.size.empty())
                entry += "database_size = " + tomlText(shape.size) + "\n";
            if (const auto added = changed.append("groups", entry); !added)
                return added;
        }
        // Those that were stand before the new ones; the list is never empty in between.
        for (std::size_t old = changed.size("groups"); old > static_cast<std::size_t>(shape.groups); --old)
            if (const auto gone = changed.remove("groups", 0); !gone)
                return gone;
        return {};
    });
}

GroupLayout::GroupLayout(PlanModel& model, std::vector<LocalVolume> volumes, QWidget* parent)
    : QDialog(parent)
    , m_model(model)
    , m_volumes(std::move(volumes))
    , m_data(new QListWidget)
    , m_log(new QComboBox)
    , m_groups(new QSpinBox)
    , m_databases(new QSpinBox)
    , m_size(new QLineEdit)
    , m_words(makeProse())
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Lay out storage groups"));
    m_data->setWordWrap(true); // reasons are sentences
    m_data->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (std::size_t i = 0; i < m_volumes.size(); ++i) {
        const LocalVolume& volume = m_volumes[i];
        const QString words = tr("%1 (%2 free)").arg(text(volume.mount.string()), formatSize(volume.free));
        const bool isGood = volume.refusal.empty();
        auto* item =
            new QListWidgetItem(isGood ? words : tr("%1: %2").arg(words, text(volume.refusal)), m_data);
        item->setData(Qt::UserRole, static_cast<int>(i));
        item->setFlags(
            isGood ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable : Qt::NoItemFlags);
        if (isGood)
            item->setCheckState(Qt::Unchecked);
        if (isGood)
            m_log->addItem(words, static_cast<int>(i));
    }
    for (int i = 0; i < m_data->count(); ++i)
        if (m_data->item(i)->flags().testFlag(Qt::ItemIsUserCheckable)) {
            m_data->item(i)->setCheckState(Qt::Checked);
            break;
        }
    if (m_log->count() > 1)
        m_log->setCurrentIndex(1); // another one than the databases'
    m_groups->setRange(1, kMostGroups);
    m_databases->setRange(1, kMostDatabases);
    const Document& document = m_model.document();
    m_groups->setValue(std::max(1, static_cast<int>(document.size("groups"))));
    m_databases->setValue(std::max(1, static_cast<int>(document.size("groups[0].databases"))));
    m_size->setText(text(document.getText("groups[0].database_size").value_or("1 GB")));
    const bool byMailboxes = effectiveText(document, "load.pacing") == "mailboxes";
    m_size->setEnabled(!byMailboxes);
    if (byMailboxes)
        m_size->setPlaceholderText(tr("as the mailboxes need"));
    auto* form = new QFormLayout(this);
    form->addRow(makeProse(
        tr("Databases are spread over the ticked volumes in turn. The groups of the plan are replaced.")));
    const auto add = [&](const QString& words, QWidget* field) {
        auto* label = new QLabel(words);
        label->setBuddy(field);
        field->setAccessibleName(QString(words).remove(QLatin1Char('&')).remove(QLatin1Char(':')));
        form->addRow(label, field);
    };
    add(tr("&Databases on:"), m_data);
    add(tr("&Logs on:"), m_log);
    add(tr("&Groups:"), m_groups);
    add(tr("Data&bases of a group:"), m_databases);
    add(tr("&Size of a database:"), m_size);
    form->addRow(m_words);
    form->addRow(m_buttons);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("&Write the groups"));
    connect(m_buttons, &QDialogButtonBox::accepted, this, &GroupLayout::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &GroupLayout::reject);
    connect(m_data, &QListWidget::itemChanged, this, &GroupLayout::follow);
    connect(m_log, &QComboBox::currentIndexChanged, this, &GroupLayout::follow);
    connect(m_groups, &QSpinBox::valueChanged, this, &GroupLayout::follow);
    connect(m_databases, &QSpinBox::valueChanged, this, &GroupLayout::follow);
    connect(m_size, &QLineEdit::textChanged, this, &GroupLayout::follow);
    resize(620, sizeHint().height());
    follow();
}

GroupShape GroupLayout::shape() const
{
    GroupShape shape;
    for (int i = 0; i < m_data->count(); ++i)
        if (m_data->item(i)->checkState() == Qt::Checked)
            shape.data.push_back(
                m_volumes[static_cast<std::size_t>(m_data->item(i)->data(Qt::UserRole).toInt())].folder);
    if (m_log->currentIndex() >= 0)
        shape.log = m_volumes[static_cast<std::size_t>(m_log->currentData().toInt())].folder;
    shape.groups = m_groups->value();
    shape.databases = m_databases->value();
    if (m_size->isEnabled())
        shape.size = bytes(m_size->text().trimmed());
    return shape;
}

void GroupLayout::follow()
{
    const GroupShape wanted = shape();
    QString words;
    bool isGood = true;
    if (wanted.data.empty() || wanted.log.empty()) {
        words = tr("Tick a volume for the databases.");
        isGood = false;
    } else if (m_size->isEnabled()) {
        const auto size = parseBytes(wanted.size);
        if (!size) {
            words = text(size.error().message);
            isGood = false;
        } else {
            const int all = wanted.groups * wanted.databases;
            const double need = static_cast<double>(all) * static_cast<double>(*size) * kRoomToGrow;
            words = tr("%1, %2 in total with the usual room to grow.")
                        .arg(all == 1 ? tr("1 database") : tr("%1 databases").arg(all),
                            formatSize(static_cast<std::uint64_t>(need)));
            double free = 0;
            for (const LocalVolume& volume : m_volumes)
                for (const auto& folder : wanted.data)
                    free += folder == volume.folder ? static_cast<double>(volume.free) : 0;
            if (need > free)
                words += tr(" That is more than the %1 that are free.")
                             .arg(formatSize(static_cast<std::uint64_t>(free)));
        }
    }
    if (isGood && std::ranges::find(wanted.data, wanted.log) != wanted.data.end())
        words += tr(" Logs share a volume with databases: their transfers disturb each other.");
    m_words->setText(words);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(isGood);
}

void GroupLayout::accept()
{
    QString why;
    const auto refused =
        connect(&m_model, &DocumentModel::refused, this, [&](const QString& words) { why = words; });
    const bool done = m_model.edit([this](Document& document) { return layOut(document, shape()); });
    disconnect(refused);
    if (!done) {
        QMessageBox::warning(this, windowTitle(), why);
        return;
    }
    QDialog::accept();
}

} // namespace loadstone::ui
