// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "result/result_page.h"

#include "confirm.h"
#include "format.h"
#include "forms/entry_list.h"
#include "forms/field_editor.h"
#include "forms/key_form.h"
#include "forms/scrolled.h"
#include "icons.h"
#include "result/result_table_model.h"
#include "tables/column_widths.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <charconv>

namespace loadstone::ui {

namespace {

constexpr qint64 kMostCsv = 16 * 1024 * 1024; // bytes

/// 3 of "table[3].rows[1]"; -1: the field is of another list.
int numberAfter(std::string_view field, std::string_view start)
{
    const std::size_t at = field.find(start);
    int number = -1;
    if (at != std::string_view::npos)
        std::from_chars(field.data() + at + start.size(), field.data() + field.size(), number);
    return number;
}

} // namespace

ResultPage::ResultPage(Document document, QWidget* parent)
    : ResultPage(*new ResultModel(std::move(document)), parent)
{
}

ResultPage::ResultPage(ResultModel& model, QWidget* parent)
    : DocumentPage(model, { tr("result"), tr("Published result"), tr("Results") }, parent)
    , m_model(model)
    , m_head(new KeyForm(m_model, "", { {}, { "figure", "system", "table", "value", "point", "kind" }, {} }))
    , m_tableForm(new KeyForm(m_model, "table[]", { {}, { "columns", "rows" }, {} }))
    , m_figures(new EntryList(m_model, "figure"))
    , m_systems(new EntryList(m_model, "system"))
    , m_values(new EntryList(m_model, "value"))
    , m_points(new EntryList(m_model, "point"))
    , m_table(new QComboBox)
    , m_grid(new ResultTableModel(m_model, this))
    , m_gridView(new QTableView)
    , m_help(new QLabel)
{
    makeActions();
    layOut();
    m_head->setPlace("");
    m_figures->setPlace("figure");
    m_systems->setPlace("system");
    m_values->setPlace("value");
    m_points->setPlace("point");
    for (KeyForm* form : { m_head, m_tableForm })
        connect(form, &KeyForm::explained, m_help, &QLabel::setText);
    for (EntryList* list : { m_figures, m_systems, m_values, m_points })
        connect(list, &EntryList::explained, m_help, &QLabel::setText);
    begin(tabs());
}

void ResultPage::makeActions()
{
    m_paste = makeAction(tr("&Paste cells"), QKeySequence::Paste, [this] { paste(); });
    m_paste->setShortcutContext(Qt::WidgetShortcut);
    m_import = makeAction(tr("&Import CSV…"), {}, [this] { importCsv(); });
    m_export = makeAction(tr("All figures as &CSV…"), {}, [this] { exportCsv(); });
    m_compare = makeAction(tr("&Compare"), {}, [this] {
        if ((!isModified() && !file().empty()) || save())
            emit compareWanted(file());
    });
    m_compare->setIcon(icon(QStringLiteral("compare")));
    m_compare->setToolTip(tr("Opens a comparison of these systems"));
}

QWidget* ResultPage::makeTables()
{
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("&Table:"));
    label->setBuddy(m_table);
    m_table->setAccessibleName(tr("Table of the report"));
    m_table->setMinimumContentsLength(24);
    bar->addWidget(label);
    bar->addWidget(m_table, 1);
    const auto button = [&](const QString& words, const QString& tip, auto work) {
        auto* made = new QToolButton;
        made->setText(words);
        made->setToolTip(tip);
        connect(made, &QToolButton::clicked, this, work);
        bar->addWidget(made);
        return made;
    };
    button(tr("New table"), tr("Adds an empty table"), [this] { addTable(); });
    button(tr("Add column…"), tr("A column for a system or a figure"), [this] { addColumn(); });
    button(tr("Add row"), tr("Adds a row below"), [this] {
        if (m_grid->addRow())
            m_gridView->setCurrentIndex(m_grid->index(m_grid->rowCount() - 1, 0));
    });
    button(tr("Remove row"), tr("Removes the chosen row"),
        [this] { m_grid->removeRow(m_gridView->currentIndex().row()); });
    auto* pasteButton = new QToolButton;
    pasteButton->setDefaultAction(m_paste);
    m_paste->setToolTip(tr("Writes the cells of the clipboard from the chosen cell on (Ctrl+V)"));
    bar->addWidget(pasteButton);
    layout->addLayout(bar);
    m_gridView->setModel(m_grid);
    m_gridView->setAccessibleName(tr("Numbers as printed"));
    m_gridView->addAction(m_paste);
    m_gridView->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed);
    m_gridView->horizontalHeader()->setDefaultSectionSize(70);
    const auto widen = [this] { widenColumns(*m_gridView); };
    connect(m_grid, &QAbstractItemModel::modelReset, m_gridView, widen);
    connect(m_grid, &QAbstractItemModel::dataChanged, m_gridView, widen);
    connect(
        m_gridView->horizontalHeader(), &QHeaderView::sectionDoubleClicked, this, &ResultPage::renameColumn);
    auto* clear = new QAction(tr("&Empty the cells"), this);
    clear->setShortcut(QKeySequence::Delete);
    clear->setShortcutContext(Qt::WidgetShortcut);
    connect(clear, &QAction::triggered, this, [this] {
        for (const QModelIndex& index : m_gridView->selectionModel()->selectedIndexes())
            m_grid->setData(index, QString(), Qt::EditRole);
    });
    auto* removeColumn = new QAction(tr("&Remove the column"), this);
    connect(removeColumn, &QAction::triggered, this,
        [this] { m_grid->removeColumn(m_gridView->currentIndex().column() - ResultTableModel::PlaceCount); });
    m_gridView->addActions({ clear, removeColumn });
    m_gridView->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* split = new QSplitter;
    split->addWidget(m_gridView);
    split->addWidget(scrolled(m_tableForm));
    split->setSizes({ 700, 300 });
    split->setStretchFactor(0, 1);
    layout->addWidget(split, 1);
    connect(m_table, &QComboBox::activated, this, [this](int at) {
        m_grid->setTable(at);
        m_tableForm->setPlace("table[" + std::to_string(at) + "]");
    });
    return whole;
}

void ResultPage::layOut()
{
    auto* more = new QSplitter(Qt::Vertical);
    const auto titled = [more](const QString& title, QWidget* list) {
        auto* box = new QWidget;
        auto* layout = new QVBoxLayout(box);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(new QLabel(title));
        layout->addWidget(scrolledList(list), 1);
        more->addWidget(box);
    };
    titled(tr("Single figures"), m_values);
    titled(tr("Loads at which systems were measured or passed"), m_points);
    tabs()->addTab(scrolled(m_head), tr("Re&port"));
    tabs()->addTab(scrolledList(m_systems), tr("S&ystems"));
    tabs()->addTab(scrolledList(m_figures), tr("Fi&gures"));
    tabs()->addTab(makeTables(), tr("Ta&bles"));
    tabs()->addTab(more, tr("Si&ngle figures"));
    for (QAction* action : { m_import, m_compare }) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        bar()->addWidget(button);
        if (action == m_compare)
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    bar()->addWidget(m_help, 1);
}

void ResultPage::commit()
{
    m_head->commit();
    m_tableForm->commit();
    for (EntryList* list : { m_figures, m_systems, m_values, m_points })
        list->commit();
}

void ResultPage::follow()
{
    m_export->setEnabled(m_model.isUsable());
    m_compare->setEnabled(m_model.isUsable());
    fillTables();
}

void ResultPage::fillTables()
{
    const Document& document = m_model.document();
    QStringList names, listed;
    for (std::size_t i = 0; i < document.size("table"); ++i) {
        const auto title = document.getText("table[" + std::to_string(i) + "].title");
        names.append(title && !title->empty() ? text(*title) : tr("Table %1").arg(i + 1));
    }
    for (int i = 0; i < m_table->count(); ++i)
        listed.append(m_table->itemText(i));
    if (names == listed)
        return;
    const int at =
        std::clamp(m_table->currentIndex(), names.isEmpty() ? -1 : 0, static_cast<int>(names.size()) - 1);
    m_table->clear();
    m_table->addItems(names);
    m_table->setCurrentIndex(at);
    if (m_grid->table() != at)
        m_grid->setTable(at);
    if (at < 0)
        m_tableForm->clearPlace();
    else
        m_tableForm->setPlace("table[" + std::to_string(at) + "]");
}

bool ResultPage::reveal(const std::string& field)
{
    const auto inList = [&](EntryList* list, const char* name, int tab) {
        if (!field.starts_with(std::string(name) + "["))
            return false;
        tabs()->setCurrentIndex(tab);
        if (FieldEditor* editor = list->reveal(field))
            editor->field()->setFocus();
        return true;
    };
    if (inList(m_systems, "system", 1) || inList(m_figures, "figure", 2) || inList(m_values, "value", 4)
        || inList(m_points, "point", 4))
        return true;
    if (field.starts_with("table[")) {
        const int table = numberAfter(field, "table["), row = numberAfter(field, ".rows["),
                  cell = numberAfter(field, ".cells[");
        tabs()->setCurrentIndex(3);
        m_table->setCurrentIndex(table);
        m_grid->setTable(table);
        if (row >= 0) {
            m_gridView->setCurrentIndex(
                m_grid->index(row, cell >= 0 ? static_cast<int>(ResultTableModel::PlaceCount) + cell : 0));
            m_gridView->setFocus();
        }
        return true;
    }
    FieldEditor* editor = field.empty() ? nullptr : m_head->reveal(field);
    if (editor != nullptr) {
        tabs()->setCurrentIndex(0);
        editor->field()->setFocus();
    }
    return editor != nullptr;
}

QStringList ResultPage::columnIds() const
{
    QStringList ids;
    for (const ResultSystem& system : m_model.result().systems)
        ids.append(text(system.id));
    for (const ResultFigure& figure : m_model.result().figures)
        ids.append(text(figure.id));
    return ids;
}

void ResultPage::addColumn()
{
    bool ok = false;
    const QString name = QInputDialog::getItem(this, tr("Add a column"),
        tr("Id of a system, of a figure, or of both (\"ex1: processor\"):"), columnIds(), 0, true, &ok);
    if (ok && !name.trimmed().isEmpty())
        m_grid->addColumn(name.trimmed());
}

void ResultPage::renameColumn(int section)
{
    const int cell = section - ResultTableModel::PlaceCount;
    if (cell < 0)
        return;
    QStringList ids = columnIds();
    const QString now = m_grid->columnNames()[cell];
    if (!ids.contains(now))
        ids.prepend(now);
    bool ok = false;
    const QString name = QInputDialog::getItem(this, tr("Rename the column"),
        tr("Id of a system, of a figure, or of both:"), ids, static_cast<int>(ids.indexOf(now)), true, &ok);
    if (ok && !name.trimmed().isEmpty())
        m_grid->renameColumn(cell, name.trimmed());
}

void ResultPage::addTable()
{
    const QStringList ids = columnIds();
    const std::string column = ids.isEmpty() ? "a" : bytes(ids.front());
    if (!m_model.edit([&](Document& document) {
            return document.append("table",
                "title = \"Table " + std::to_string(document.size("table") + 1) + "\"\ncolumns = ["
                    + tomlText(column) + "]\nrows = [\n    { cells = [\"\"] },\n]\n");
        }))
        return;
    m_table->setCurrentIndex(m_table->count() - 1);
    m_grid->setTable(m_table->count() - 1);
    m_tableForm->setPlace("table[" + std::to_string(m_table->count() - 1) + "]");
}

void ResultPage::paste()
{
    m_grid->paste(m_gridView->currentIndex(), QApplication::clipboard()->text());
}

void ResultPage::importCsv()
{
    const QString name =
        QFileDialog::getOpenFileName(this, tr("Import CSV"), {}, tr("CSV (*.csv *.txt);;All files (*)"));
    if (name.isEmpty())
        return;
    QFile from(name);
    if (!from.open(QIODevice::ReadOnly)) {
        QMessageBox::warning(
            this, tr("Import CSV"), tr("%1 cannot be read: %2").arg(name, from.errorString()));
        return;
    }
    const ExternalResult& now = m_model.result();
    const ResultImport also { now.title, now.report, now.publisher, now.date, now.source, now.loadUnit,
        now.systems.size() == 1 ? now.systems.front().id : std::string() };
    const auto made =
        importResultCsv(from.read(kMostCsv).toStdString(), bytes(QFileInfo(name).fileName()), also);
    if (!made) {
        QMessageBox::warning(this, tr("Import CSV"), text(made.error().message));
        return;
    }
    if (!now.values.empty()
        && !confirmLoss(
            this, tr("Import CSV"), tr("Replace the figures of this result? Undo takes it back.")))
        return;
    m_model.replace(text(*made));
}

void ResultPage::exportCsv()
{
    const QString name = QFileDialog::getSaveFileName(
        this, tr("All figures as CSV"), QStringLiteral("result.csv"), tr("CSV (*.csv)"));
    if (name.isEmpty())
        return;
    QFile to(name);
    const std::string content = formatResultCsv(m_model.result());
    if (to.open(QIODevice::WriteOnly)
        && to.write(content.data(), static_cast<qint64>(content.size()))
            == static_cast<qint64>(content.size()))
        emit message(tr("Written: %1").arg(name));
    else
        QMessageBox::warning(
            this, tr("Export"), tr("%1 could not be written: %2").arg(name, to.errorString()));
}

QString ResultPage::givenTitle() const
{
    return text(m_model.result().title);
}

QIcon ResultPage::picture() const
{
    return icon(QStringLiteral("paper"));
}

QList<QAction*> ResultPage::actionsOf(PageMenu menu) const
{
    QList<QAction*> actions = DocumentPage::actionsOf(menu);
    if (menu == PageMenu::file)
        actions.append(m_import);
    if (menu == PageMenu::edit)
        actions.append(m_paste);
    if (menu == PageMenu::view)
        actions.append(m_compare);
    if (menu == PageMenu::exported)
        actions.append(m_export);
    return actions;
}

void ResultPage::activated()
{
    tabs()->setFocus();
}

} // namespace loadstone::ui
