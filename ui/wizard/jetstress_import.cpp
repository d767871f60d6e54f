// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/jetstress_import.h"

#include "banner.h"
#include "format.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

constexpr int kRowsInSight = 4;
constexpr auto kKept = "jetstress", kKeptFile = "jetstress/file", kKeptFolders = "jetstress/folders";

void addValues(const Document& plan, const std::string& path, QStringList& to)
{
    if (const auto value = plan.get(path); value && plan.keys(path).empty()) {
        to.append(QStringLiteral("%1 = %2").arg(text(path), text(*value)));
        return;
    }
    for (const std::string& key : plan.keys(path))
        addValues(plan, path.empty() ? key : path + "." + key, to);
    for (std::size_t i = 0; i < plan.size(path); ++i)
        addValues(plan, path + "[" + std::to_string(i) + "]", to);
}

} // namespace

QStringList valuesOf(const Document& plan)
{
    QStringList values;
    for (const std::string& key : plan.keys(""))
        addValues(plan, key, values);
    return values;
}

JetstressImport::JetstressImport(QWidget* parent)
    : QDialog(parent)
    , m_file(new QLineEdit)
    , m_folders(new QTableWidget(0, 2))
    , m_taken(new QListWidget)
    , m_left(new QListWidget)
    , m_status(makeProse())
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Import a Jetstress configuration"));
    resize(860, 620);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("&Open in the wizard"));
    m_folders->setHorizontalHeaderLabels({ tr("Folder in the configuration"), tr("Folder here") });
    m_folders->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_folders->verticalHeader()->hide();
    m_folders->setTabKeyNavigation(false);
    m_folders->setFixedHeight(m_folders->horizontalHeader()->sizeHint().height()
        + kRowsInSight * (fontMetrics().lineSpacing() + 10) + 4);
    m_folders->setAccessibleName(tr("Folders and their counterparts here"));
    m_taken->setAccessibleName(tr("Taken over"));
    m_left->setAccessibleName(tr("Not taken over"));
    m_left->setWordWrap(true);
    auto* browseButton = new QPushButton(tr("&Browse…"));
    auto* line = new QHBoxLayout;
    auto* fileLabel = new QLabel(tr("&Configuration (XML):"));
    fileLabel->setBuddy(m_file);
    line->addWidget(fileLabel);
    line->addWidget(m_file, 1);
    line->addWidget(browseButton);
    auto* lists = new QGridLayout;
    auto* takenLabel = new QLabel(tr("&Taken over:"));
    takenLabel->setBuddy(m_taken);
    auto* leftLabel = new QLabel(tr("&Not taken over:"));
    leftLabel->setBuddy(m_left);
    lists->addWidget(takenLabel, 0, 0);
    lists->addWidget(leftLabel, 0, 1);
    lists->addWidget(m_taken, 1, 0);
    lists->addWidget(m_left, 1, 1);
    auto* foldersLabel = new QLabel(tr("&Folders; those without a counterpart begin with /CHANGE-ME:"));
    foldersLabel->setBuddy(m_folders);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(line);
    layout->addWidget(m_status);
    layout->addWidget(foldersLabel);
    layout->addWidget(m_folders);
    layout->addLayout(lists, 1);
    layout->addWidget(m_buttons);
    connect(browseButton, &QPushButton::clicked, this, &JetstressImport::browse);
    connect(m_file, &QLineEdit::editingFinished, this, &JetstressImport::read);
    connect(m_folders, &QTableWidget::itemChanged, this, [this] {
        if (!m_filling)
            read();
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &JetstressImport::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &JetstressImport::reject);
    const QSettings settings;
    m_file->setText(settings.value(QLatin1String(kKeptFile)).toString());
    m_kept = settings.value(QLatin1String(kKeptFolders)).toMap();
    read();
}

void JetstressImport::done(int result)
{
    QSettings().remove(QLatin1String(kKept)); // given up, or the wizard has it
    QDialog::done(result);
}

void JetstressImport::keepInput() const
{
    QVariantMap folders;
    for (int row = 0; row < m_folders->rowCount(); ++row)
        folders[m_folders->item(row, 0)->text()] = m_folders->item(row, 1)->text();
    QSettings settings;
    settings.setValue(QLatin1String(kKeptFile), m_file->text());
    settings.setValue(QLatin1String(kKeptFolders), folders);
}

QString JetstressImport::status() const
{
    return m_status->text();
}

QPushButton* JetstressImport::acceptButton() const
{
    return m_buttons->button(QDialogButtonBox::Ok);
}

void JetstressImport::browse()
{
    const QString file = QFileDialog::getOpenFileName(
        this, windowTitle(), m_file->text(), tr("Jetstress configurations (*.xml);;All files (*)"));
    if (file.isEmpty())
        return;
    m_file->setText(file);
    read();
}

std::vector<FolderMapping> JetstressImport::mappings() const
{
    std::vector<FolderMapping> mappings;
    for (int row = 0; row < m_folders->rowCount(); ++row)
        if (const QString here = m_folders->item(row, 1)->text().trimmed(); !here.isEmpty())
            mappings.emplace_back(bytes(m_folders->item(row, 0)->text()), bytes(here));
    return mappings;
}

void JetstressImport::showFolders(const std::vector<std::string>& folders)
{
    bool isSame = m_folders->rowCount() == static_cast<int>(folders.size());
    for (int row = 0; isSame && row < m_folders->rowCount(); ++row)
        isSame = bytes(m_folders->item(row, 0)->text()) == folders[static_cast<std::size_t>(row)];
    if (isSame)
        return;
    m_filling = true;
    m_folders->setRowCount(static_cast<int>(folders.size()));
    for (int row = 0; row < m_folders->rowCount(); ++row) {
        auto* there = new QTableWidgetItem(text(folders[static_cast<std::size_t>(row)]));
        there->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_folders->setItem(row, 0, there);
        m_folders->setItem(row, 1, new QTableWidgetItem(m_kept.value(there->text()).toString()));
    }
    m_filling = false;
}

void JetstressImport::read()
{
    const QString file = m_file->text().trimmed();
    m_taken->clear();
    m_left->clear();
    acceptButton()->setEnabled(false);
    if (file.isEmpty()) {
        m_status->setText(tr(
            "Choose the configuration that Jetstress saved. It becomes a storage plan, which the wizard then "
            "opens."));
        showFolders({});
        return;
    }
    const auto made = readJetstressPlan(bytes(file), mappings());
    if (!made) {
        m_status->setText(text(made.error().message));
        showFolders({});
        return;
    }
    m_plan = Document(made->text, bytes(QFileInfo(file).completeBaseName()) + ".toml");
    m_taken->addItems(valuesOf(m_plan));
    for (const JetstressLeft& left : made->leftOut)
        m_left->addItem(tr("Line %1: %2: %3").arg(left.line).arg(text(left.what), text(left.why)));
    if (made->leftOut.empty())
        m_left->addItem(tr("Everything was taken over."));
    const bool wasEmpty = m_folders->rowCount() == 0;
    showFolders(made->folders);
    if (wasEmpty && !mappings().empty()) // those that were entered before
        return read();
    keepInput();
    m_status->setText(tr("%1 values were taken over, %2 settings have no counterpart.")
                          .arg(m_taken->count())
                          .arg(made->leftOut.size()));
    acceptButton()->setEnabled(true);
}

} // namespace loadstone::ui
