// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: the page joins tree, form, diagram and text over one document, and each join is a few lines here.
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
#include "plan_view.h"

#include <loadstone/lab_tables.h>

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QShortcutEvent>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QTextOption>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <charconv>

namespace loadstone::ui {

namespace {
constexpr int kTypingMilliseconds = 400; // a text is read when nobody has typed for so long
const QString kColumns = QStringLiteral("lab/columns");
const QString kMiddle = QStringLiteral("lab/middle");
const QString kRows = QStringLiteral("lab/rows");
const QString kTab = QStringLiteral("lab/tab");

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
    : Page(parent)
    , m_model(*new LabModel(std::move(document)))
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
    , m_text(new PlanView)
    , m_problems(new QListWidget)
    , m_fields(new FieldsBar(m_model))
    , m_note(new QLabel)
    , m_tabs(new QTabWidget)
    , m_columns(new QSplitter)
    , m_middle(new QSplitter(Qt::Vertical))
    , m_rows(new QSplitter(Qt::Vertical))
    , m_typing(new QTimer(this))
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
    m_text->setReadOnly(false);
    m_text->setUndoRedoEnabled(false); // the document's own undo knows all views
    m_text->setAccessibleName(tr("Text of the lab"));
    m_text->installEventFilter(this);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kTypingMilliseconds);
    connect(m_typing, &QTimer::timeout, this, &LabPage::takeText);
    connect(m_text->document(), &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (m_text->hasFocus() && (removed > 0 || added > 0)) {
            m_typed = true;
            m_typing->start();
        }
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
    connect(m_problems, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        goTo(item->data(Qt::UserRole).toString().toStdString(), item->data(Qt::UserRole + 1).toInt());
    });
    connect(m_problems, &QListWidget::itemClicked, m_problems, &QListWidget::itemActivated);
    connect(m_variant, &QComboBox::activated, this,
        [this] { m_model.setVariant(bytes(m_variant->currentData().toString())); });
    connect(m_tabs, &QTabWidget::currentChanged, this, &LabPage::showTab);
    connect(&m_model, &LabModel::changed, this, &LabPage::follow);
    connect(&m_model, &LabModel::refused, this, [this](const QString& why) { emit message(why); });
    follow();
    if (!m_model.lab().items.empty())
        m_tree->choose(m_model.lab().items.front().id);
    m_model.setParent(this); // children are deleted in the order in which they came
}

void LabPage::makeActions()
{
    const auto make = [this](const QString& words, const QKeySequence& keys, auto work) {
        auto* action = new QAction(words, this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    m_undo = make(tr("&Undo"), QKeySequence::Undo, [this] {
        m_form->commit();
        takeText();
        m_model.undo();
    });
    m_redo = make(tr("&Redo"), QKeySequence::Redo, [this] { m_model.redo(); });
    m_save = make(tr("&Save lab"), QKeySequence::Save, [this] { save(); });
    m_saveAs = make(tr("Save lab &as…"), QKeySequence::SaveAs, [this] { saveAs(); });
    m_resetPlaces = make(tr("Reset &places"), {}, [this] {
        m_model.edit([this](Document& document) { return resetPlaces(document, m_model.lab()); });
    });
    m_toDiagram = make(tr("&Go to the diagram"), QKeySequence(Qt::Key_F6), [this] {
        m_tabs->setCurrentIndex(0);
        m_diagram->setFocus(Qt::ShortcutFocusReason);
    });
    m_detect = make(tr("&Detect this machine"), {}, [this] { detect(); });
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
    auto* bar = new QHBoxLayout;
    for (QAction* action : { m_save, m_undo, m_redo }) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        bar->addWidget(button);
    }
    m_variant->setAccessibleName(tr("Variant"));
    m_variant->setToolTip(tr("The lab as it stands, or one of its variants"));
    m_variant->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar->addWidget(m_variant);
    m_note->setWordWrap(true);
    bar->addWidget(m_note, 1);
    bar->addWidget(m_fields);
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
    m_tabs->addTab(drawing, tr("Dia&gram"));
    m_tabs->addTab(m_links, tr("&Links"));
    m_tabs->addTab(m_tables, tr("Ta&bles"));
    m_tabs->addTab(makeDifferences(), tr("Differe&nces"));
    m_tabs->addTab(m_text, tr("Te&xt"));
    m_columns->addWidget(m_tree);
    m_columns->addWidget(m_middle);
    m_columns->addWidget(m_tabs);
    m_columns->setSizes({ 260, 360, 560 });
    m_columns->setStretchFactor(2, 1);
    m_problems->setAccessibleName(tr("Problems"));
    m_problems->setWordWrap(true);
    m_rows->addWidget(m_columns);
    m_rows->addWidget(m_problems);
    m_rows->setSizes({ 620, 90 });
    m_rows->setStretchFactor(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    layout->addWidget(m_rows, 1);
}

bool LabPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the page's action takes it
            return true;
        }
    }
    if (watched == m_text && event->type() == QEvent::FocusOut)
        takeText();
    return Page::eventFilter(watched, event);
}

void LabPage::takeText()
{
    if (!m_typed)
        return;
    m_typed = false;
    m_typing->stop();
    m_model.replace(m_text->toPlainText());
}

void LabPage::follow()
{
    m_abandoned = false;
    const Document& document = m_model.document();
    m_undo->setEnabled(document.canUndo());
    m_redo->setEnabled(document.canRedo());
    m_undo->setToolTip(
        document.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(text(document.undoName())) : tr("Undo"));
    m_redo->setToolTip(document.canRedo() ? tr("Redo: %1").arg(text(document.redoName())) : tr("Redo"));
    m_save->setEnabled(document.isModified() || document.file().empty());
    m_resetPlaces->setEnabled(m_model.isEditable());
    m_detect->setEnabled(m_model.isEditable());
    m_diagram->setEditable(m_model.isEditable());
    m_diagram->setFolder(document.file().empty() ? QString() : text(document.file().parent_path().string()));
    m_note->setText(!document.isWellFormed() ? tr("The text is not TOML: put it right in the tab Text.")
            : m_model.variant().empty()      ? QString()
                                        : tr("A variant is edited as text: [[variant.set]] and others."));
    updateVariants();
    m_diagram->showLab(m_model.lab());
    showProblems();
    showItem(m_tree->current());
    showTab();
    if (const QString now = title(); now != m_title) {
        m_title = now;
        emit titleChanged();
    }
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

void LabPage::showProblems()
{
    m_problems->clear();
    for (const Problem& problem : m_model.problems()) {
        auto* item =
            new QListWidgetItem(icon(problem.severity == ProblemSeverity::error ? QStringLiteral("error")
                                                                                : QStringLiteral("warning")),
                lineOf(problem), m_problems);
        item->setData(Qt::UserRole, text(problem.field));
        item->setData(Qt::UserRole + 1, problem.line);
    }
    if (m_problems->count() == 0) {
        auto* none = new QListWidgetItem(tr("No problems were found."), m_problems);
        none->setFlags(Qt::ItemIsEnabled);
    }
}

void LabPage::goTo(const std::string& field, int line)
{
    std::string rest;
    if (const int at = entryOf(field, "item", rest); at >= 0) {
        const std::string id = m_model.document().getText("item[" + std::to_string(at) + "].id").value_or("");
        m_tree->choose(id);
        std::string column;
        if (const int entry = entryOf(rest, "changed", column); entry >= 0) {
            m_tunings->setCurrent(entry);
            return;
        }
        if (m_form->enter(rest.substr(0, rest.find_first_of(".["))))
            return;
    } else if (const int link = entryOf(field, "link", rest); link >= 0) {
        m_tabs->setCurrentWidget(m_links);
        m_links->setCurrent(link);
        return;
    }
    if (line > 0) {
        m_tabs->setCurrentWidget(m_text);
        m_text->markLine(line);
        m_text->setFocus();
    }
}

void LabPage::showTab()
{
    const QWidget* shown = m_tabs->currentWidget();
    if (shown == m_text) {
        if (!m_typed) {
            const int at = m_text->textCursor().position();
            m_text->setText(text(m_model.document().text()));
            if (QTextCursor cursor = m_text->textCursor(); cursor.position() != at) {
                cursor.setPosition(std::min(at, std::max(0, m_text->document()->characterCount() - 1)));
                m_text->setTextCursor(cursor);
            }
        }
    } else if (shown == m_tables) {
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

bool LabPage::save()
{
    m_form->commit();
    takeText();
    if (m_model.document().file().empty())
        return saveAs();
    if (!m_model.save(false)) {
        QMessageBox box(QMessageBox::Warning, tr("Save lab"),
            tr("The lab was not saved. Another program may have changed the file."), QMessageBox::Cancel,
            this);
        auto* anyway = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
        box.exec();
        if (box.clickedButton() != anyway || !m_model.save(true))
            return false;
    }
    emit message(tr("Saved: %1").arg(text(file().string())));
    emit saved(file());
    return true;
}

bool LabPage::saveAs()
{
    m_form->commit();
    takeText();
    const QString name = QFileDialog::getSaveFileName(this, tr("Save lab as"),
        file().empty() ? QStringLiteral("lab.toml") : text(file().string()), tr("Labs (*.toml)"));
    if (name.isEmpty() || !m_model.saveAs(bytes(name)))
        return false;
    emit message(tr("Saved: %1").arg(name));
    emit saved(file());
    return true;
}

bool LabPage::mayClose()
{
    m_form->commit();
    takeText();
    if (!m_model.document().isModified() || m_abandoned)
        return true;
    QMessageBox box(QMessageBox::Question, tr("Lab not saved"),
        tr("\"%1\" has changes that are not saved.").arg(text(m_model.lab().title)), QMessageBox::Cancel,
        this);
    auto* keep = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    auto* away = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep)
        return save();
    m_abandoned = box.clickedButton() == away;
    return m_abandoned;
}

QString LabPage::title() const
{
    const Document& document = m_model.document();
    const QString name = !m_model.lab().title.empty() ? text(m_model.lab().title)
        : document.file().empty()                     ? tr("New lab")
                                                      : text(document.name());
    return document.isModified() ? name + QStringLiteral(" *") : name;
}

QString LabPage::titleDetail() const
{
    return text(m_model.document().name());
}

QString LabPage::tip() const
{
    return file().empty() ? tr("Lab, not saved yet") : tr("Lab: %1").arg(text(file().string()));
}

QIcon LabPage::picture() const
{
    return icon(QStringLiteral("plan"));
}

QList<QAction*> LabPage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::file)
        return { m_save, m_saveAs };
    if (menu == PageMenu::edit)
        return QList<QAction*> { m_undo, m_redo } + m_tree->itemActions() + QList<QAction*> { m_detect };
    if (menu == PageMenu::view)
        return m_diagram->viewActions() + QList<QAction*> { m_resetPlaces, m_toDiagram };
    return {};
}

void LabPage::activated()
{
    m_tree->view()->setFocus();
}

void LabPage::saveTo(QSettings& settings) const
{
    settings.setValue(kColumns, m_columns->saveState());
    settings.setValue(kMiddle, m_middle->saveState());
    settings.setValue(kRows, m_rows->saveState());
    settings.setValue(kTab, m_tabs->currentIndex());
}

void LabPage::restoreFrom(const QSettings& settings)
{
    m_columns->restoreState(settings.value(kColumns).toByteArray());
    m_middle->restoreState(settings.value(kMiddle).toByteArray());
    m_rows->restoreState(settings.value(kRows).toByteArray());
    m_tabs->setCurrentIndex(settings.value(kTab, 0).toInt());
}

} // namespace loadstone::ui
