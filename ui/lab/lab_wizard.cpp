// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: eight small classes of pages, which only this file uses.
#include "lab/lab_wizard.h"

#include "confirm.h"
#include "format.h"
#include "forms/entries_table.h"
#include "icons.h"
#include "lab/detect_machine.h"
#include "lab/diagram_view.h"
#include "lab/fields_bar.h"
#include "lab/item_form.h"
#include "lab/item_tree_model.h"
#include "lab/lab_edits.h"
#include "plan_view.h"

#include <loadstone/lab_tables.h>

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

/// What a lab begins with where no template was chosen: one of each thing that a report asks for, to be filled in or removed.
Document emptyLab()
{
    Lab lab;
    const auto item = [&](const char* id, ItemKind kind, const char* in, const char* name, const char* role) {
        LabItem& made = lab.items.emplace_back();
        made.id = id;
        made.kind = kind;
        made.in = in;
        made.name = name;
        if (*role != '\0')
            made.roles.emplace_back(role);
    };
    item("srv1", ItemKind::machine, "", "Mail server", "system under test");
    item("srv1.cpu", ItemKind::processor, "srv1", "", "");
    item("srv1.os", ItemKind::os, "srv1", "", "");
    item(kPlaceholderSoftware, ItemKind::software, "srv1", "Mail server software", "");
    item("srv1.disk", ItemKind::drive, "srv1", "", "");
    item("lan", ItemKind::network, "", "Network", "");
    item("gen", ItemKind::machine, "", "Generator", "generator");
    for (const char* from : { "srv1", "gen" }) {
        LabLink& link = lab.links.emplace_back();
        link.from = from;
        link.to = "lan";
    }
    return Document(writeLab(lab), "lab.toml");
}

bool hasRole(const LabItem& item, std::string_view role)
{
    return std::find(item.roles.begin(), item.roles.end(), role) != item.roles.end();
}

bool isOneOf(ItemKind kind, std::initializer_list<ItemKind> kinds)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// A copy of the template's text has no place of its own.
Document fromTemplate(const std::filesystem::path& file)
{
    auto read = Document::read(file);
    return read ? Document(read->text(), "lab.toml") : emptyLab();
}

/// Title, template, and where the lab is to be saved.
class StartPage : public QWizardPage {
public:
    explicit StartPage(LabModel& model)
        : m_model(model)
        , m_template(new QComboBox)
        , m_title(new QLineEdit)
        , m_description(new QPlainTextEdit)
        , m_file(new QLineEdit)
    {
        setTitle(LabWizard::tr("What is the lab?"));
        setSubTitle(LabWizard::tr(
            "A lab says what is tested and with what. Reports print their configuration tables from it."));
        m_template->addItem(LabWizard::tr("Empty: one server, one generator, one network"), QString());
        for (const auto& file : shippedLabs())
            if (const auto lab = checkLab(file))
                m_template->addItem(text(lab->lab.title), text(file.string()));
        m_template->setAccessibleName(LabWizard::tr("Template"));
        m_description->setTabChangesFocus(true);
        m_description->setMaximumHeight(90);
        m_file->setPlaceholderText(LabWizard::tr("later, with File > Save lab"));
        auto* browse = new QPushButton(LabWizard::tr("&Browse…"));
        auto* line = new QHBoxLayout;
        line->addWidget(m_file, 1);
        line->addWidget(browse);
        auto* form = new QFormLayout(this);
        form->addRow(LabWizard::tr("Te&mplate:"), m_template);
        form->addRow(LabWizard::tr("&Title:"), m_title);
        form->addRow(LabWizard::tr("&Description:"), m_description);
        auto* where = new QLabel(LabWizard::tr("&Save as:"));
        where->setBuddy(m_file);
        form->addRow(where, line);
        m_wrong = new QLabel;
        m_wrong->setWordWrap(true);
        m_wrong->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        form->addRow(m_wrong);
        registerField(QStringLiteral("file"), m_file);
        connect(browse, &QPushButton::clicked, this, [this] {
            const QString file = askTomlFile(this, LabWizard::tr("Save lab as"), QStringLiteral("lab.toml"),
                LabWizard::tr("Labs (*.toml)"));
            if (file.isEmpty())
                return;
            m_mayReplace = file; // the dialog has asked
            m_file->setText(file);
        });
        m_made = text(m_model.document().text());
        connect(m_template, &QComboBox::activated, this, &StartPage::takeTemplate);
        connect(m_title, &QLineEdit::textEdited, this, [this] {
            m_model.setValue("title", m_title->text());
            emit completeChanged();
        });
        connect(m_description, &QPlainTextEdit::textChanged, this, [this] {
            if (m_description->hasFocus())
                m_model.setValue("description", m_description->toPlainText());
        });
        connect(m_file, &QLineEdit::textChanged, this, &QWizardPage::completeChanged);
    }
    void initializePage() override
    {
        show();
        // What has to be typed; the wizard itself puts the focus on the page's first field when it shows it.
        QMetaObject::invokeMethod(m_title, qOverload<>(&QWidget::setFocus), Qt::QueuedConnection);
    }
    [[nodiscard]] bool isComplete() const override
    {
        const QString file = m_file->text().trimmed();
        const bool noFolder = !file.isEmpty() && !QFileInfo(file).absoluteDir().exists();
        const bool isThere = !file.isEmpty() && file != m_mayReplace && QFileInfo::exists(file);
        m_wrong->setText(m_title->text().trimmed().isEmpty() ? LabWizard::tr("The lab needs a title.")
                : noFolder                           ? LabWizard::tr("The folder of the file does not exist.")
                : isThere && QFileInfo(file).isDir() ? LabWizard::tr("This is a folder. Add the file's name.")
                : isThere                            ? LabWizard::tr(
                                                 "This file exists. Choose it with Browse to replace it, or write another name.")
                          : QString());
        return m_wrong->text().isEmpty();
    }

private:
    void show()
    {
        m_title->setText(text(m_model.lab().title));
        m_description->setPlainText(text(m_model.lab().description));
        emit completeChanged();
    }

    void takeTemplate()
    {
        const bool isEntered = text(m_model.document().text()) != m_made;
        if (isEntered
            && !confirmLoss(this, LabWizard::tr("Template"),
                LabWizard::tr("Replace everything that was entered by the template?"))) {
            m_template->setCurrentIndex(m_chosen);
            return;
        }
        m_chosen = m_template->currentIndex();
        const QString file = m_template->currentData().toString();
        m_made = text((file.isEmpty() ? emptyLab() : fromTemplate(bytes(file))).text());
        m_model.replace(m_made);
        show();
    }

    LabModel& m_model;
    QString m_made; // the template's text
    int m_chosen = 0;
    QComboBox* m_template;
    QLineEdit* m_title;
    QPlainTextEdit* m_description;
    QLineEdit* m_file;
    QString m_mayReplace; // an existing file that the user agreed to replace
    QLabel* m_wrong = nullptr;
};

/// What a step is about: which items, which kinds it adds, and what is printed of them.
struct Step {
    QString title, words;
    std::function<bool(const LabItem&)> shows;
    std::vector<ItemKind> adds;
    std::string role; ///< of machines that are added
    QString printed; ///< part of the titles of the report's tables
};

/// The items of one step: a list, the form of the chosen one, and what a report prints of them.
class ItemsPage : public QWizardPage {
public:
    ItemsPage(LabModel& model, Step step)
        : m_model(model)
        , m_step(std::move(step))
        , m_list(new QListWidget)
        , m_form(new ItemForm(model))
        , m_printed(new QTextBrowser)
        , m_wrong(new QLabel)
    {
        setTitle(m_step.title);
        setSubTitle(m_step.words);
        m_list->setAccessibleName(m_step.title);
        m_printed->setAccessibleName(LabWizard::tr("What a report prints"));
        m_wrong->setWordWrap(true);
        m_wrong->setTextFormat(Qt::PlainText);
        auto* left = new QWidget;
        auto* column = new QVBoxLayout(left);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(m_list, 1);
        auto* buttons = new QHBoxLayout;
        auto* add = new QToolButton;
        add->setText(LabWizard::tr("&Add"));
        add->setIcon(icon(QStringLiteral("add")));
        add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        add->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(add);
        for (const ItemKind kind : m_step.adds)
            menu->addAction(kindName(kind), this, [this, kind] { addOne(kind); });
        add->setMenu(menu);
        auto* remove = new QPushButton(LabWizard::tr("&Remove"));
        connect(remove, &QPushButton::clicked, this, [this] {
            m_model.edit(
                [this](Document& document) { return removeItem(document, m_model.lab(), current()); });
        });
        buttons->addWidget(add);
        buttons->addWidget(remove);
        if (canDetect() && !m_step.adds.empty() && m_step.adds.front() == ItemKind::machine) {
            auto* detect = new QPushButton(LabWizard::tr("&Detect"));
            detect->setToolTip(LabWizard::tr("Writes what this machine is beside what is typed"));
            connect(detect, &QPushButton::clicked, this, [this] {
                const LabItem* item = m_model.lab().find(current());
                if (item == nullptr || item->kind != ItemKind::machine)
                    return m_wrong->setText(LabWizard::tr("Choose a machine in the list first."));
                const QString words = detectThisMachine(m_model, current());
                if (const std::string unused = unusedPlaceholder(m_model.lab()); !unused.empty())
                    m_model.edit(
                        [&](Document& document) { return removeItem(document, m_model.lab(), unused); });
                if (!words.isEmpty())
                    QMessageBox::information(this, LabWizard::tr("Detect this machine"), words);
            });
            buttons->addWidget(detect);
        }
        column->addLayout(buttons);
        auto* across = new QSplitter;
        across->addWidget(left);
        across->addWidget(m_form);
        across->setSizes({ 240, 480 });
        auto* down = new QSplitter(Qt::Vertical);
        down->addWidget(across);
        down->addWidget(m_printed);
        down->setSizes({ 380, 140 });
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(down, 1);
        layout->addWidget(m_wrong);
        connect(m_list, &QListWidget::currentItemChanged, this, [this] {
            if (!m_filling)
                m_form->show(current());
        });
        connect(&m_model, &LabModel::changed, this, [this] {
            if (isVisible())
                fill();
        });
        connect(&m_model, &LabModel::refused, m_wrong, &QLabel::setText);
    }
    void initializePage() override { fill(); }
    bool validatePage() override
    {
        m_form->commit();
        return true;
    }
    [[nodiscard]] bool has(const std::string& id) const
    {
        const LabItem* item = m_model.lab().find(id);
        return item != nullptr && m_step.shows(*item);
    }
    /// To a field of an item of this page.
    void enter(const std::string& id, const std::string& key)
    {
        choose(id);
        m_form->enter(key);
    }

private:
    [[nodiscard]] std::string current() const
    {
        const QListWidgetItem* item = m_list->currentItem();
        return item == nullptr ? std::string() : item->data(Qt::UserRole).toString().toStdString();
    }
    void addOne(ItemKind kind)
    {
        const LabItem* chosen = m_model.lab().find(current());
        // A part goes into the machine that is chosen, or that the chosen one is in.
        std::string in;
        if (!isOneOf(kind, { ItemKind::machine, ItemKind::network, ItemKind::enclosure, ItemKind::cluster }))
            for (const LabItem* item = chosen; item != nullptr; item = m_model.lab().find(item->in)) {
                in = item->id;
                if (isOneOf(item->kind, { ItemKind::machine, ItemKind::enclosure, ItemKind::cluster }))
                    break;
            }
        if (in.empty()
            && !isOneOf(
                kind, { ItemKind::machine, ItemKind::network, ItemKind::enclosure, ItemKind::cluster }))
            for (const LabItem& item : m_model.lab().items)
                if (in.empty() && hasRole(item, "system under test"))
                    in = item.id;
        std::string id;
        m_model.edit([&](Document& document) -> Result<void> {
            auto added = addItem(document, m_model.lab(), kind, in);
            if (!added)
                return added.error();
            id = *added;
            const auto path = itemPath(document, id);
            return kind == ItemKind::machine && !m_step.role.empty() && path
                ? document.setText(*path + ".role", m_step.role)
                : Result<void>();
        });
        choose(id);
    }
    void choose(const std::string& id)
    {
        for (int i = 0; i < m_list->count(); ++i)
            if (m_list->item(i)->data(Qt::UserRole).toString().toStdString() == id)
                m_list->setCurrentRow(i);
    }
    void fill()
    {
        const std::string kept = current();
        m_filling = true;
        m_list->clear();
        for (const LabItem& item : m_model.lab().items)
            if (m_step.shows(item)) {
                const LabItem* in = m_model.lab().find(item.in);
                QString words = calledName(item);
                if (words == text(item.id)) // which a newcomer has not chosen
                    words = kindName(item.kind);
                if (item.count > 1)
                    words = QStringLiteral("%1 × %2").arg(item.count).arg(words);
                if (in != nullptr)
                    words = LabWizard::tr("%1 in %2").arg(words, calledName(*in));
                auto* line = new QListWidgetItem(words, m_list);
                line->setData(Qt::UserRole, text(item.id));
            }
        m_filling = false;
        choose(kept);
        if (m_list->currentRow() < 0 && m_list->count() > 0)
            m_list->setCurrentRow(0);
        m_form->show(current());
        std::vector<ReportTable> printed;
        for (ReportTable& table : defaultLabTables(m_model.lab()))
            if (text(table.title).contains(m_step.printed, Qt::CaseInsensitive))
                printed.push_back(std::move(table));
        m_printed->setHtml(
            printed.empty() ? LabWizard::tr("<p>A report prints nothing of this yet.</p>") : htmlOf(printed));
        QStringList wrong;
        for (const Problem& problem : m_model.problems())
            if (problem.severity == ProblemSeverity::error)
                wrong.append(problemWords(m_model, problem));
        m_wrong->setText(wrong.isEmpty() ? QString() : wrong.front());
    }

    LabModel& m_model;
    Step m_step;
    QListWidget* m_list;
    ItemForm* m_form;
    QTextBrowser* m_printed;
    QLabel* m_wrong;
    bool m_filling = false;
};

/// The settings that were changed, of one item after the other.
class TuningsPage : public QWizardPage {
public:
    explicit TuningsPage(LabModel& model)
        : m_model(model)
        , m_item(new QComboBox)
        , m_table(new EntriesTable(model, keysBelow(FileKind::lab, "item[].changed[]"),
              LabWizard::tr("Changed settings"), [] { return std::string("name = \"\"\nvalue = \"\"\n"); }))
    {
        setTitle(LabWizard::tr("Which settings were changed?"));
        setSubTitle(LabWizard::tr("Whatever differs from its default: registry values, lines of "
                                  "configuration files, kernel settings."));
        auto* label = new QLabel(LabWizard::tr("&Of:"));
        label->setBuddy(m_item);
        auto* line = new QHBoxLayout;
        line->addWidget(label);
        line->addWidget(m_item, 1);
        auto* layout = new QVBoxLayout(this);
        layout->addLayout(line);
        layout->addWidget(m_table, 1);
        connect(m_item, &QComboBox::currentIndexChanged, this, [this] { showItem(); });
    }
    void initializePage() override
    {
        m_item->clear();
        for (const LabItem& item : m_model.lab().items)
            if (isOneOf(item.kind,
                    { ItemKind::software, ItemKind::os, ItemKind::filesystem, ItemKind::hypervisor,
                        ItemKind::machine, ItemKind::controller, ItemKind::pool }))
                m_item->addItem(LabWizard::tr("%1 (%2)").arg(calledName(item), kindName(item.kind).toLower()),
                    text(item.id));
        showItem();
    }

private:
    void showItem()
    {
        const auto path = itemPath(m_model.document(), bytes(m_item->currentData().toString()));
        m_table->entries()->setList(path ? *path + ".changed" : std::string());
    }

    LabModel& m_model;
    QComboBox* m_item;
    EntriesTable* m_table;
};

/// What was made: text, problems, fields of a report, diagram.
class LastPage : public QWizardPage {
public:
    explicit LastPage(LabModel& model)
        : m_model(model)
        , m_diagram(new DiagramView)
        , m_text(new PlanView)
        , m_problems(new QListWidget)
    {
        setTitle(LabWizard::tr("Is it right?"));
        setSubTitle(LabWizard::tr("The page of the lab, which opens next, has all of this and more."));
        m_problems->setAccessibleName(LabWizard::tr("Problems"));
        m_problems->setWordWrap(true);
        m_problems->setMaximumHeight(110);
        auto* tabs = new QTabWidget;
        tabs->addTab(m_diagram, LabWizard::tr("&Diagram"));
        tabs->addTab(m_text, LabWizard::tr("&Text"));
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(tabs, 1);
        layout->addWidget(m_problems);
    }
    void initializePage() override
    {
        m_diagram->showLab(m_model.lab());
        m_text->setText(text(m_model.document().text()));
        m_problems->clear();
        for (const Problem& problem : m_model.problems())
            m_problems->addItem(lineOf(problem));
        if (m_problems->count() == 0)
            m_problems->addItem(LabWizard::tr("No problems were found."));
    }

private:
    LabModel& m_model;
    DiagramView* m_diagram;
    PlanView* m_text;
    QListWidget* m_problems;
};

std::vector<Step> steps()
{
    using K = ItemKind;
    return {
        { LabWizard::tr("Which servers are tested?"),
            LabWizard::tr(
                "One entry for machines that are alike, with their count. Parts are entries of their own."),
            [](const LabItem& item) {
                return (item.kind == K::machine && !hasRole(item, "generator"))
                    || isOneOf(item.kind, { K::processor, K::memory, K::cluster });
            },
            { K::machine, K::processor, K::memory, K::cluster }, "system under test",
            QStringLiteral("machine") },
        { LabWizard::tr("On what storage?"),
            LabWizard::tr(
                "Drives, what they are in, the pools made of them, and the volumes and file systems on top."),
            [](const LabItem& item) {
                return isOneOf(
                    item.kind, { K::controller, K::enclosure, K::drive, K::pool, K::volume, K::filesystem });
            },
            { K::drive, K::controller, K::enclosure, K::pool, K::volume, K::filesystem }, {},
            QStringLiteral("storage") },
        { LabWizard::tr("Over what network?"), LabWizard::tr("Networks, and the adapters of machines."),
            [](const LabItem& item) {
                return isOneOf(item.kind, { K::network, K::adapter });
            },
            { K::network, K::adapter }, {}, QStringLiteral("network") },
        { LabWizard::tr("What generates the load?"),
            LabWizard::tr("The machines that run generators, with the users of each."),
            [](const LabItem& item) { return item.kind == K::machine && hasRole(item, "generator"); },
            { K::machine }, "generator", QStringLiteral("generator") },
        { LabWizard::tr("Which software?"),
            LabWizard::tr("Operating systems, hypervisors, mail servers and what else takes part."),
            [](const LabItem& item) {
                return isOneOf(item.kind, { K::os, K::hypervisor, K::software });
            },
            { K::software, K::os, K::hypervisor }, {}, QStringLiteral("software") },
    };
}

} // namespace

LabWizard::LabWizard(QWidget* parent)
    : QWizard(parent)
    , m_model(*new LabModel(emptyLab()))
{
    setWindowTitle(tr("New lab"));
    setWizardStyle(QWizard::ClassicStyle);
    setOption(QWizard::NoBackButtonOnStartPage);
    resize(900, 680);
    auto* help = new QAction(this);
    help->setShortcut(QKeySequence::HelpContents);
    connect(help, &QAction::triggered, this, &LabWizard::helpWanted);
    addAction(help);
    addPage(new StartPage(m_model));
    std::vector<std::pair<int, ItemsPage*>> pages;
    for (Step& step : steps()) {
        auto* page = new ItemsPage(m_model, std::move(step));
        pages.emplace_back(addPage(page), page);
    }
    addPage(new TuningsPage(m_model));
    addPage(new LastPage(m_model));
    // One bar for all pages, so that the chosen report stays.
    auto* fields = new FieldsBar(m_model, this);
    connect(this, &QWizard::currentIdChanged, this, [this, fields] {
        auto* layout =
            currentPage() == nullptr ? nullptr : qobject_cast<QVBoxLayout*>(currentPage()->layout());
        if (layout != nullptr)
            layout->addWidget(fields);
        fields->setVisible(layout != nullptr); // the first page is not about fields yet
    });
    connect(fields, &FieldsBar::wanted, this, [this, pages](const std::string& item, const std::string& key) {
        for (const auto& [id, page] : pages) {
            if (!page->has(item))
                continue;
            while (currentId() > id)
                back();
            for (int before = -1; currentId() < id && currentId() != before;) {
                before = currentId();
                next(); // stays where a page is not complete
            }
            if (currentId() == id)
                page->enter(item, key);
            return;
        }
    });
    m_model.setParent(this); // children are deleted in the order in which they came
}

void LabWizard::accept()
{
    if (const QString file = field(QStringLiteral("file")).toString().trimmed(); !file.isEmpty()) {
        const bool replaces = QFileInfo::exists(file)
            && !confirmLoss(this, windowTitle(), tr("%1 exists. Replace it?").arg(file));
        if (replaces)
            return;
        QString why;
        const auto refused =
            connect(&m_model, &LabModel::refused, this, [&](const QString& words) { why = words; });
        const bool done = m_model.saveAs(bytes(file));
        disconnect(refused);
        if (!done) {
            QMessageBox::warning(this, windowTitle(), why);
            return;
        }
    }
    QWizard::accept();
}

void LabWizard::reject()
{
    if (m_model.document().canUndo()
        && !confirmLoss(this, windowTitle(), tr("Give up the new lab?"), QMessageBox::Discard))
        return;
    QWizard::reject();
}

} // namespace loadstone::ui
