// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_page.h"

#include "format.h"
#include "forms/entries_table.h"
#include "icons.h"
#include "lab/detect_machine.h"
#include "lab/diagram_view.h"
#include "lab/fields_bar.h"
#include "lab/item_form.h"
#include "lab/item_tree.h"
#include "lab/lab_edits.h"

#include <loadstone/lab_tables.h>

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTextOption>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <charconv>

namespace loadstone::ui {

namespace {
const QString kColumns = QStringLiteral("lab/columns");
const QString kMiddle = QStringLiteral("lab/middle");

/// 3 of "item[3].size" and what follows; -1: the field is of another list.
int entryOf(const std::string& field, std::string_view list, std::string& rest)
{
    if (!field.starts_with(std::string(list) + "["))
        return -1;
    int at = -1;
    const auto [end, error] =
        std::from_chars(field.data() + list.size() + 1, field.data() + field.size(), at);
    const auto from = static_cast<std::size_t>(end - field.data());
    rest = from + 2 <= field.size() ? field.substr(from + 2) : std::string();
    return error == std::errc() ? at : -1;
}

enum Compared { withDetected, withFile, withBase, withOther };
}

LabPage::LabPage(Document document, QWidget* parent)
    : LabPage(*new LabModel(std::move(document)), parent)
{
}

LabPage::LabPage(LabModel& model, QWidget* parent)
    : DocumentPage(model, { tr("lab"), tr("Lab"), tr("Labs") }, parent)
    , m_model(model)
    , m_tree(new ItemTree(m_model))
    , m_form(new ItemForm(m_model))
    , m_tunings(new EntriesTable(m_model, keysBelow(FileKind::lab, "item[].changed[]"),
          tr("Changed settings"), [] { return std::string("name = \"\"\nvalue = \"\"\n"); }))
    , m_links(new EntriesTable(
          m_model,
          [] {
              std::vector<const KeyRow*> rows;
              for (const KeyRow* row : keysBelow(FileKind::lab, "link[]"))
                  if (row->type != KeyType::table && row->type != KeyType::tables)
                      rows.push_back(row);
              return rows;
          }(),
          tr("Links"), [this] { return "from = " + tomlText(m_tree->current()) + "\nto = \"\"\n"; }))
    , m_diagram(new DiagramView)
    , m_tables(new QTextBrowser)
    , m_differences(new QTextBrowser)
    , m_compared(new QComboBox)
    , m_variant(new QComboBox)
    , m_fields(new FieldsBar(m_model))
    , m_note(new QLabel)
    , m_columns(new QSplitter)
    , m_middle(new QSplitter(Qt::Vertical))
{
    makeActions();
    layOut();
    m_links->entries()->setList("link");
    m_links->setChoices([this](const KeyRow& row) {
        QStringList ids;
        if (const std::string key = keyOf(row); key == "from" || key == "to")
            for (const LabItem& item : m_model.lab().items)
                ids.append(text(item.id));
        return ids;
    });
    connect(m_tree, &ItemTree::chosen, this, &LabPage::showItem);
    connect(m_diagram, &DiagramView::chosen, m_tree, &ItemTree::choose);
    connect(m_diagram, &DiagramView::message, this, &LabPage::message);
    connect(m_diagram, &DiagramView::moved, this, [this](const std::string& id, double column, double row) {
        if (const auto path = itemPath(m_model.document(), id))
            m_model.edit([&](Document& edited) {
                return edited.set(*path + ".place", bytes(QStringLiteral("[%1, %2]").arg(column).arg(row)));
            });
    });
    connect(m_fields, &FieldsBar::wanted, this, [this](const std::string& item, const std::string& key) {
        if (item.empty())
            return m_tree->view()->setFocus();
        m_tree->choose(item);
        m_form->enter(key);
    });
    connect(m_variant, &QComboBox::activated, this,
        [this] { m_model.setVariant(bytes(m_variant->currentData().toString())); });
    begin(m_columns);
    if (!m_model.lab().items.empty())
        m_tree->choose(m_model.lab().items.front().id);
}

void LabPage::makeActions()
{
    m_resetPlaces = makeAction(tr("Reset &places"), {}, [this] {
        m_model.edit([this](Document& document) { return resetPlaces(document, m_model.lab()); });
    });
    m_toDiagram = makeAction(tr("&Go to the diagram"), QKeySequence(Qt::Key_F6), [this] {
        tabs()->setCurrentIndex(0);
        m_diagram->setFocus(Qt::ShortcutFocusReason);
    });
    m_detect = makeAction(tr("&Detect this machine"), {}, [this] { detect(); });
    m_detect->setVisible(canDetect());
}

QWidget* LabPage::makeDifferences()
{
    m_compared->addItem(tr("What is described, and what was detected"), withDetected);
    m_compared->addItem(tr("The file on disk, and as edited"), withFile);
    m_compared->addItem(tr("The lab as it stands, and the chosen variant"), withBase);
    m_compared->addItem(tr("Another file…, and this lab"), withOther);
    m_compared->setAccessibleName(tr("What is compared"));
    connect(m_compared, &QComboBox::activated, this, [this] {
        if (m_compared->currentData().toInt() == withOther)
            m_other = bytes(QFileDialog::getOpenFileName(
                this, tr("Compare with a lab"), {}, tr("Labs (*.toml);;All files (*)")));
        showDifferences();
    });
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->addWidget(m_compared);
    layout->addWidget(m_differences, 1);
    return whole;
}

void LabPage::layOut()
{
    m_variant->setAccessibleName(tr("Variant"));
    m_variant->setToolTip(tr("The lab as it stands, or one of its variants"));
    m_variant->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar()->addWidget(m_variant);
    m_note->setWordWrap(true);
    bar()->addWidget(m_note, 1);
    bar()->addWidget(m_fields);
    auto* settings = new QWidget;
    auto* below = new QVBoxLayout(settings);
    below->setContentsMargins(6, 0, 6, 0);
    below->addWidget(new QLabel(tr("Changed settings")));
    below->addWidget(m_tunings, 1);
    m_middle->addWidget(m_form);
    m_middle->addWidget(settings);
    m_middle->setSizes({ 460, 160 });
    for (QTextBrowser* view : { m_tables, m_differences }) // a wide table is scrolled, its words stay whole
        view->setWordWrapMode(QTextOption::WordWrap);
    m_tables->setAccessibleName(tr("Tables of the report"));
    m_differences->setAccessibleName(tr("Differences"));
    auto* drawing = new QWidget;
    auto* drawn = new QVBoxLayout(drawing);
    drawn->setContentsMargins(0, 0, 0, 0);
    auto* tools = new QHBoxLayout;
    QList<QAction*> actions = m_diagram->viewActions();
    actions.append(m_resetPlaces);
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        tools->addWidget(button);
    }
    tools->addStretch();
    drawn->addLayout(tools);
    drawn->addWidget(m_diagram, 1);
    tabs()->addTab(drawing, tr("Dia&gram"));
    tabs()->addTab(m_links, tr("&Links"));
    tabs()->addTab(m_tables, tr("Ta&bles"));
    tabs()->addTab(makeDifferences(), tr("Differe&nces"));
    m_columns->addWidget(m_tree);
    m_columns->addWidget(m_middle);
    m_columns->addWidget(tabs());
    m_columns->setSizes({ 260, 360, 560 });
    m_columns->setStretchFactor(2, 1);
}

void LabPage::follow()
{
    const Document& document = m_model.document();
    m_resetPlaces->setEnabled(m_model.isEditable());
    m_detect->setEnabled(m_model.isEditable());
    m_diagram->setEditable(m_model.isEditable());
    m_diagram->setFolder(document.file().empty() ? QString() : text(document.file().parent_path().string()));
    m_note->setText(!document.isWellFormed() ? tr("The text is not TOML: put it right in the tab Text.")
            : m_model.variant().empty()      ? QString()
                                        : tr("A variant is edited as text: [[variant.set]] and others."));
    updateVariants();
    m_diagram->showLab(m_model.lab());
    showItem(m_tree->current());
}

void LabPage::updateVariants()
{
    m_variant->clear();
    m_variant->addItem(tr("The lab as it stands"), QString());
    for (const LabVariant& variant : m_model.lab().variants)
        m_variant->addItem(tr("Variant: %1").arg(text(variant.title.empty() ? variant.id : variant.title)),
            text(variant.id));
    m_variant->setCurrentIndex(std::max(0, m_variant->findData(text(m_model.variant()))));
    m_variant->setVisible(m_variant->count() > 1);
}

void LabPage::showItem(const std::string& id)
{
    m_form->show(id);
    m_diagram->choose(id);
    const auto path = itemPath(m_model.document(), id);
    m_tunings->entries()->setList(path ? *path + ".changed" : std::string());
}

bool LabPage::reveal(const std::string& field)
{
    std::string rest;
    if (const int at = entryOf(field, "item", rest); at >= 0) {
        m_tree->choose(m_model.document().getText("item[" + std::to_string(at) + "].id").value_or(""));
        std::string column;
        if (const int entry = entryOf(rest, "changed", column); entry >= 0) {
            m_tunings->setCurrent(entry);
            return true;
        }
        return m_form->enter(rest.substr(0, rest.find_first_of(".[")));
    }
    const int link = entryOf(field, "link", rest);
    if (link >= 0) {
        tabs()->setCurrentWidget(m_links);
        m_links->setCurrent(link);
    }
    return link >= 0;
}

void LabPage::showTab(QWidget* shown)
{
    if (shown == m_tables) {
        const LabTables made =
            labTables(m_model.document().text(), m_model.document().name(), m_model.variant());
        m_tables->setHtml(
            made.tables.empty() ? tr(
                "<p>The lab has nothing that a report prints yet: add machines and what they contain.</p>")
                                : htmlOf(made.tables));
    } else if (shown == m_differences->parentWidget())
        showDifferences();
}

void LabPage::showDifferences()
{
    std::vector<LabDifference> found;
    QString before, after;
    const Document& document = m_model.document();
    switch (m_compared->currentData().toInt()) {
    case withDetected:
        if (std::ranges::none_of(m_model.lab().items, [](const LabItem& item) {
                return std::ranges::any_of(item.properties, [](const LabProperty& property) {
                    return property.detected || property.value.origin == ValueOrigin::detected;
                });
            }))
            return m_differences->setPlainText(
                tr("Nothing was detected in this lab yet, so that there is nothing to compare with. Edit > "
                   "Detect this machine reads what this machine is."));
        found = differencesFromDetected(m_model.lab());
        before = tr("Described");
        after = tr("Detected");
        break;
    case withBase:
        found = differences(readLab(document.text(), document.name()).lab, m_model.lab());
        before = tr("As it stands");
        after = m_variant->currentText();
        break;
    default: {
        const bool onDisk = m_compared->currentData().toInt() == withFile;
        const std::filesystem::path file = onDisk ? document.file() : std::filesystem::path(m_other);
        if (file.empty())
            return m_differences->setPlainText(
                onDisk ? tr("The lab is not saved yet.") : tr("No file is chosen."));
        const auto read = checkLab(file, onDisk ? m_model.variant() : std::string());
        if (!read)
            return m_differences->setPlainText(text(read.error().message));
        found = differences(read->lab, m_model.lab());
        before = onDisk ? tr("On disk") : text(file.filename().string());
        after = onDisk ? tr("Edited") : tr("This lab");
    }
    }
    m_differences->setHtml(found.empty()
            ? tr("<p>There are no differences.</p>")
            : htmlOf({ labDifferenceTable(found, bytes(before), bytes(after)) }));
}

void LabPage::detect()
{
    std::string machine = m_tree->current();
    for (const LabItem* item = m_model.lab().find(machine);
         item != nullptr && item->kind != ItemKind::machine; item = m_model.lab().find(machine))
        machine = item->in;
    if (machine.empty())
        machine = freeId(m_model.lab(), "machine");
    const QString words = detectThisMachine(m_model, machine);
    m_tree->choose(machine);
    if (!words.isEmpty())
        QMessageBox::information(this, tr("Detect this machine"), words);
}

QString LabPage::givenTitle() const
{
    return text(m_model.lab().title);
}

void LabPage::commit()
{
    m_form->commit();
}

QIcon LabPage::picture() const
{
    return icon(QStringLiteral("plan"));
}

QList<QAction*> LabPage::actionsOf(PageMenu menu) const
{
    QList<QAction*> actions = DocumentPage::actionsOf(menu);
    if (menu == PageMenu::edit)
        actions += m_tree->itemActions() + QList<QAction*> { m_detect };
    if (menu == PageMenu::view)
        actions += m_diagram->viewActions() + QList<QAction*> { m_resetPlaces, m_toDiagram };
    return actions;
}

void LabPage::activated()
{
    m_tree->view()->setFocus();
}

void LabPage::saveTo(QSettings& settings) const
{
    DocumentPage::saveTo(settings);
    settings.setValue(kColumns, m_columns->saveState());
    settings.setValue(kMiddle, m_middle->saveState());
}

void LabPage::restoreFrom(const QSettings& settings)
{
    DocumentPage::restoreFrom(settings);
    m_columns->restoreState(settings.value(kColumns).toByteArray());
    m_middle->restoreState(settings.value(kMiddle).toByteArray());
}

} // namespace loadstone::ui
