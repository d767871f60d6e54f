// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/add_counters_dialog.h"

#include "format.h"
#include "run/chart/derived_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace loadstone::ui {

namespace {
constexpr int kIndexRole = Qt::UserRole + 1; // into the available lines
constexpr int kWordsRole = Qt::UserRole + 2; // what the search looks at
constexpr int kThereRole = Qt::UserRole + 3; // it is in the chart already

bool isCounter(const QModelIndex& at)
{
    return at.isValid() && at.siblingAtColumn(0).data(kIndexRole).isValid();
}

QString computerOf(const LineInfo& info)
{
    return info.role.empty() ? info.computer
                             : QStringLiteral("%1 (%2)").arg(info.computer, roleName(info.role));
}
}

AddCountersDialog::AddCountersDialog(
    const std::vector<LineInfo>& available, const std::vector<LineKey>& present, QWidget* parent)
    : QDialog(parent)
    , m_available(available)
    , m_search(new QLineEdit)
    , m_tree(new QTreeView)
    , m_help(new QLabel)
    , m_model(new QStandardItemModel(this))
    , m_proxy(new QSortFilterProxyModel(this))
{
    setWindowTitle(tr("Add counters"));
    resize(620, 560);
    auto* layout = new QVBoxLayout(this);
    m_search->setPlaceholderText(tr("Search, for instance: disk sec, or retr 95"));
    m_search->setClearButtonEnabled(true);
    layout->addWidget(m_search);
    layout->addWidget(m_tree, 1);
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setMinimumHeight(3 * fontMetrics().lineSpacing());
    layout->addWidget(m_help);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_add = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
    m_define = buttons->addButton(tr("&Derived counter…"), QDialogButtonBox::ActionRole);
    m_define->setToolTip(tr("Define a counter that is computed from others, or change one. It begins with "
                            "those that are selected."));
    m_define->hide();
    connect(m_define, &QPushButton::clicked, this, &AddCountersDialog::defineDerived);
    layout->addWidget(buttons);
    m_add->setDefault(true); // within the dialog: else Enter would cancel it
    m_search->installEventFilter(this);

    fill(present);
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterRole(kWordsRole);
    m_tree->setModel(m_proxy);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_tree->header()->setStretchLastSection(false);
    connect(m_search, &QLineEdit::textChanged, this, &AddCountersDialog::filter);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &AddCountersDialog::updateChoice);
    connect(m_tree, &QTreeView::doubleClicked, this, [this](const QModelIndex& at) {
        if (isCounter(at))
            accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    updateChoice();
}

bool AddCountersDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress
        || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Down)
        return QDialog::eventFilter(watched, event);
    // From the search down to what was found.
    QModelIndex first = m_proxy->index(0, 0);
    while (first.isValid() && (!isCounter(first) || first.data(kThereRole).toBool())) {
        if (m_proxy->hasChildren(first))
            m_tree->expand(first);
        first = m_tree->indexBelow(first);
    }
    if (first.isValid())
        m_tree->setCurrentIndex(first);
    m_tree->setFocus();
    return true;
}

QStandardItem* AddCountersDialog::heading(QStandardItem& above, const QString& title)
{
    QStandardItem*& item = m_headings[{ &above, title }];
    if (item == nullptr) {
        item = new QStandardItem(title);
        item->setSelectable(false);
        QFont bold = font();
        bold.setBold(true);
        item->setFont(bold);
        above.appendRow(item);
    }
    return item;
}

void AddCountersDialog::fill(const std::vector<LineKey>& present)
{
    m_model->setHorizontalHeaderLabels({ tr("Counter"), tr("Instance"), tr("Unit") });
    std::vector<std::size_t> order(m_available.size());
    std::iota(order.begin(), order.end(), 0);
    // What is measured comes before what measures it.
    std::stable_partition(
        order.begin(), order.end(), [&](std::size_t i) { return m_available[i].role == "sut"; });
    const bool several = std::any_of(m_available.begin(), m_available.end(),
        [&](const LineInfo& info) { return computerOf(info) != computerOf(m_available.front()); });
    for (const std::size_t i : order) {
        const LineInfo& info = m_available[i];
        QStandardItem* top = m_model->invisibleRootItem();
        if (several)
            top = heading(*top, computerOf(info));
        auto* name = new QStandardItem(info.counter);
        name->setData(static_cast<int>(i), kIndexRole);
        name->setData(
            QStringList { computerOf(info), info.object, info.counter, info.instance }.join(QLatin1Char(' ')),
            kWordsRole);
        QList<QStandardItem*> row { name, new QStandardItem(info.instance), new QStandardItem(info.unit) };
        const bool there = std::find(present.begin(), present.end(), info.key) != present.end();
        name->setData(there, kThereRole);
        for (QStandardItem* item : row)
            if (there) { // and a part of a derived counter all the same
                item->setForeground(palette().color(QPalette::Disabled, QPalette::Text));
                item->setToolTip(tr("Already in the chart; it can be a part of a derived counter"));
            }
        heading(*top, info.object)->appendRow(row);
    }
}

void AddCountersDialog::filter(const QString& words)
{
    // All words, in any order.
    QString pattern;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    m_proxy->setFilterRegularExpression(
        QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    words.trimmed().isEmpty() ? m_tree->collapseAll() : m_tree->expandAll();
}

void AddCountersDialog::done(int result)
{
    QDialog::done(result);
    // Where this dialog and the one above it close at once, some window managers give the keyboard to no window.
    if (QWidget* below = parentWidget())
        below->activateWindow();
}

void AddCountersDialog::setRecording(const std::filesystem::path& file, const std::string& target)
{
    m_recording = file;
    m_target = target;
    m_define->setVisible(!file.empty());
}

void AddCountersDialog::defineDerived()
{
    QStringList paths;
    for (const LineKey& key : selected(true))
        if (!key.isLatency())
            paths.append(quotedPath(text(key.name())));
    const QString formula = paths.size() > 1 ? QStringLiteral("sum(%1)").arg(paths.join(QStringLiteral(", ")))
                                             : paths.join(QString());
    DerivedDialog dialog(m_recording, m_target, formula, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_tree->clearSelection(); // they were its parts
    m_derived = derivedLine(dialog.definition().title);
    accept();
}

std::vector<LineKey> AddCountersDialog::chosen() const
{
    std::vector<LineKey> keys = selected(false);
    if (m_derived)
        keys.push_back(*m_derived);
    return keys;
}

std::vector<LineKey> AddCountersDialog::selected(bool thereToo) const
{
    std::vector<LineKey> keys;
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
        if (isCounter(row) && (thereToo || !row.data(kThereRole).toBool()))
            keys.push_back(m_available[row.data(kIndexRole).toUInt()].key);
    return keys;
}

void AddCountersDialog::updateChoice()
{
    const auto count = static_cast<int>(chosen().size());
    m_add->setEnabled(count > 0);
    m_add->setText(count > 1 ? tr("&Add %1").arg(count) : tr("&Add"));
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    m_help->setText(isCounter(current) ? m_available[current.data(kIndexRole).toUInt()].help
                                       : tr("Choose one or more counters. Ctrl and Shift choose several."));
}

} // namespace loadstone::ui
