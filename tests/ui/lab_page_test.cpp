// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/entries_table.h"
#include "forms/value_editor.h"
#include "lab/diagram_view.h"
#include "lab/item_form.h"
#include "lab/item_tree.h"
#include "lab/item_tree_model.h"
#include "lab/lab_edits.h"
#include "lab/lab_page.h"
#include "plan_view.h"
#include "support/catch.h"
#include "support/program.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTabWidget>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

const char* const kLab = R"(kind = "lab"
title = "Two machines"

[[item]]
id = "srv1"
kind = "machine"
name = "Mail server"
role = ["system under test"]
memory = "64 GB" # four modules

[[item]]
id = "srv1.disk"
kind = "drive"
in = "srv1"
count = 4
size = "600 GB"

[[item]]
id = "lan"
kind = "network"

[[link]]
from = "srv1"
to = "lan"
)";

Document smallLab()
{
    return Document(kLab, "lab.toml");
}

} // namespace

TEST_CASE("a value that is typed into the form of an item goes into the file, and undo takes it back")
{
    LabPage page(smallLab());
    page.show();
    page.tree()->choose("srv1");
    REQUIRE(page.form()->enter("memory"));
    QWidget* field = page.form()->editor("memory")->field();
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("128 GB"));
    QTest::keyClick(field, Qt::Key_Return);
    CHECK(page.model().document().getText("item[0].memory") == "128 GB");
    CHECK(page.model().document().text().find("# four modules") != std::string::npos);
    CHECK(page.title() == QStringLiteral("Two machines *"));
    // Ctrl+Z in the field is the document's now, and not the field's own.
    CHECK_FALSE(qobject_cast<QLineEdit*>(field)->isUndoAvailable());
    page.model().undo();
    CHECK(page.model().document().text() == kLab);
    CHECK(page.form()->editor("memory")->text() == QStringLiteral("64 GB"));
}

TEST_CASE("a name that is being typed in the tree is saved, and asked about before the page goes")
{
    const test::ScratchFolder folder;
    const auto file = folder / "lab.toml";
    std::ofstream(file) << kLab;
    auto read = Document::read(file);
    REQUIRE(read);
    LabPage page(*std::move(read));
    page.show();
    page.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&page)); // shortcuts are the active window's
    auto* view = page.tree()->findChild<QTreeView*>();
    const auto type = [&](const QString& name) {
        page.tree()->choose("srv1");
        view->setFocus();
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = qobject_cast<QLineEdit*>(page.focusWidget());
        REQUIRE(editor != nullptr);
        QTest::keyClicks(editor, name);
        return editor;
    };
    CHECK_FALSE(page.isModified());
    QTest::keyClick(type(QStringLiteral("Store")), Qt::Key_S, Qt::ControlModifier);
    CHECK(page.model().document().getText("item[0].name") == "Store");
    CHECK_FALSE(page.isModified());
    CHECK(Document::read(file).value().getText("item[0].name") == "Store");
    type(QStringLiteral("Front end"));
    page.flush(); // as at the program's end, after the questions
    CHECK(page.model().document().getText("item[0].name") == "Front end");
    CHECK(page.isModified());
}

TEST_CASE("a lab that another program writes is read again, and not over what is not saved here")
{
    const test::ScratchFolder folder;
    const auto file = folder / "lab.toml";
    const auto write = [&](const std::string& text) { std::ofstream(file, std::ios::trunc) << text; };
    write(kLab);
    auto read = Document::read(file);
    REQUIRE(read);
    LabPage page(*std::move(read));
    page.resize(1200, 700);
    page.setVisible(true);
    QStringList said;
    QObject::connect(&page, &Page::message, &page, [&](const QString& words) { said.append(words); });
    for (const char* title : { "Changed in place", "Changed again" }) {
        write("kind = \"lab\"\ntitle = \"" + std::string(title) + "\"\n");
        REQUIRE(QTest::qWaitFor([&] { return page.title() == QLatin1String(title); }, 20'000));
        CHECK_FALSE(page.isModified());
        CHECK(said.last().contains(QStringLiteral("read again")));
    }
    page.textView()->setFocus();
    page.tabs()->setCurrentWidget(page.textView());
    QTest::keyClicks(page.textView(), QStringLiteral("# mine"));
    QTest::keyClick(page.textView(), Qt::Key_Enter);
    REQUIRE(QTest::qWaitFor([&] { return page.isModified(); }, 20'000));
    write("kind = \"lab\"\ntitle = \"Theirs\"\n");
    REQUIRE(QTest::qWaitFor(
        [&] { return said.last().contains(QStringLiteral("Save asks which one to keep")); }, 20'000));
    CHECK(page.title() == QStringLiteral("Changed again *"));
}

TEST_CASE("undo takes back what the words below the form say about a wrong value")
{
    LabPage page(smallLab());
    page.show();
    page.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&page));
    page.tree()->choose("srv1");
    REQUIRE(page.form()->enter("memory"));
    QWidget* field = page.form()->editor("memory")->field();
    const auto* words = page.form()->findChild<QLabel*>(QStringLiteral("words"));
    REQUIRE(words != nullptr);
    field->setFocus();
    const QString help = words->text();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("much"));
    QTest::keyClick(field, Qt::Key_Return);
    CHECK(words->text() != help);
    page.model().undo();
    REQUIRE(page.form()->editor("memory")->text() == QStringLiteral("64 GB"));
    CHECK(words->text() == help);
}

TEST_CASE("an item that is added from a field of another one leaves the keyboard on the lab")
{
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* elsewhere = new QComboBox; // where the focus would go, as the plan chooser is
    elsewhere->addItems({ QStringLiteral("one"), QStringLiteral("two") });
    auto* page = new LabPage(smallLab());
    layout->addWidget(elsewhere);
    layout->addWidget(page);
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    page->tree()->choose("srv1");
    REQUIRE(page->form()->enter("memory"));
    page->form()->editor("memory")->field()->setFocus();
    const auto buttons = page->tree()->findChildren<QToolButton*>();
    const auto add = std::ranges::find_if(buttons, [](const QToolButton* b) { return b->menu() != nullptr; });
    REQUIRE(add != buttons.end());
    QMenu* menu = (*add)->menu();
    emit menu->aboutToShow();
    const QList<QAction*> kinds = menu->actions();
    const auto network = std::ranges::find_if(
        kinds, [](const QAction* a) { return a->text() == kindName(ItemKind::network); });
    REQUIRE(network != kinds.end());
    (*network)->trigger();
    for (int i = 0; i < 3; ++i)
        QApplication::processEvents();
    REQUIRE(QApplication::focusWidget() != nullptr);
    CHECK(page->isAncestorOf(QApplication::focusWidget()));
}

TEST_CASE("a click on a field is survived where the text that is left takes the field's item away")
{
    LabPage page(smallLab());
    page.resize(1200, 700);
    page.show();
    page.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&page));
    page.tree()->choose("srv1");
    auto* words = page.findChild<PlanView*>();
    REQUIRE(words != nullptr);
    auto* tabs = page.findChild<QTabWidget*>();
    REQUIRE(tabs != nullptr);
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->widget(i)->isAncestorOf(words) || tabs->widget(i) == words)
            tabs->setCurrentIndex(i);
    words->setFocus();
    QTest::keyClicks(words, QStringLiteral("[[")); // is no TOML, and so there are no items
    QWidget* field = page.form()->editor("memory")->field();
    QTest::mouseClick(field, Qt::LeftButton);
    CHECK(page.model().document().text().starts_with("[["));
    CHECK(page.form()->editor("memory") == nullptr);
}

TEST_CASE("a field that somebody passes through leaves the file as it is")
{
    LabPage page(smallLab());
    page.show();
    page.tree()->choose("srv1.disk");
    for (const char* key : { "count", "size", "in", "vendor" }) {
        page.form()->enter(key);
        QTest::keyClick(page.form()->editor(key)->field(), Qt::Key_Return);
    }
    CHECK(page.model().document().text() == kLab);
}

TEST_CASE("the form of the next item has nothing of the one before")
{
    LabPage page(
        Document(std::string(kLab) + "\n[[item]]\nid = \"srv2\"\nkind = \"machine\"\nname = \"Second\"\n",
            "lab.toml"));
    page.show();
    page.tree()->choose("srv1");
    REQUIRE(page.form()->enter("memory"));
    QTest::keyClick(page.form()->editor("memory")->field(), Qt::Key_End);
    QTest::keyClicks(page.form()->editor("memory")->field(), QStringLiteral(" bananas"));
    page.tree()->choose("srv2");
    CHECK(page.model().document().getText("item[0].memory")
        == "64 GB bananas"); // with its problem, and not lost
    CHECK(page.form()->item() == "srv2");
    CHECK(page.form()->editor("name")->text() == QStringLiteral("Second"));
    CHECK(page.form()->editor("memory")->text().isEmpty());
    page.form()->commit();
    CHECK_FALSE(page.model().document().has("item[3].memory"));
    page.tree()->choose("srv1");
    CHECK(page.form()->editor("memory")->text() == QStringLiteral("64 GB bananas"));
}

TEST_CASE("a problem leads to its field")
{
    LabPage page(smallLab());
    page.show();
    CHECK(page.model().setValue("item[1].size", QStringLiteral("12 bananas")));
    REQUIRE_FALSE(page.model().problems().empty());
    page.tree()->choose("lan");
    page.goTo("item[1].size", 0);
    CHECK(page.tree()->current() == "srv1.disk");
    CHECK(page.form()->item() == "srv1.disk");
}

TEST_CASE("a copy has its contents and its links under ids of its own")
{
    Document document = smallLab();
    const Lab lab = readLab(document.text(), "lab.toml").lab;
    const auto copy = duplicateItem(document, lab, "srv1");
    REQUIRE(copy);
    CHECK(*copy == "srv1-2");
    const Lab now = readLab(document.text(), "lab.toml").lab;
    CHECK(now.below("srv1-2").size() == 1);
    CHECK(now.links.size() == 2);
    document.undo();
    CHECK(document.text() == kLab);
}

TEST_CASE("an item is removed with its contents and links, and moves to where it may go")
{
    Document document = smallLab();
    const Lab lab = readLab(document.text(), "lab.toml").lab;
    CHECK_FALSE(moveItem(document, lab, "srv1", "srv1.disk"));
    REQUIRE(removeItem(document, lab, "srv1"));
    const Lab now = readLab(document.text(), "lab.toml").lab;
    CHECK(now.items.size() == 1);
    CHECK(now.links.empty());
}

TEST_CASE("a new id is taken by all that name the item")
{
    Document document = smallLab();
    const Lab lab = readLab(document.text(), "lab.toml").lab;
    CHECK_FALSE(renameItem(document, lab, "srv1", "lan"));
    REQUIRE(renameItem(document, lab, "srv1", "mail"));
    const Lab now = readLab(document.text(), "lab.toml").lab;
    CHECK(now.below("mail").size() == 1);
    CHECK(now.links.at(0).from == "mail");
}

TEST_CASE("the models of tree and links keep the rules of models while the file changes")
{
    LabModel model(smallLab());
    ItemTreeModel tree(model);
    const QAbstractItemModelTester treeTester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EntriesModel links(model, { findKey(FileKind::lab, "link[].from"), findKey(FileKind::lab, "link[].to") });
    const QAbstractItemModelTester linksTester(&links, QAbstractItemModelTester::FailureReportingMode::Fatal);
    links.setList("link");
    CHECK(links.rowCount() == 1);
    const auto edit = [&](auto change) { return model.edit(change); };
    CHECK(edit([&](Document& d) { return moveItem(d, model.lab(), "lan", "srv1"); }));
    CHECK(tree.parent(tree.indexOf("lan")) == tree.indexOf("srv1"));
    CHECK(edit([&](Document& d) { return removeItem(d, model.lab(), "srv1"); }));
    CHECK(tree.rowCount({}) == 0);
    CHECK(links.rowCount() == 0);
    model.undo();
    CHECK(links.rowCount() == 1);
}

TEST_CASE("a variant is shown and not written by the form")
{
    LabModel model(Document(std::string(kLab)
            + "\n[[variant]]\nid = \"big\"\n\n  [[variant.set]]\n  item = \"srv1\"\n  memory = \"1 TB\"\n",
        "lab.toml"));
    CHECK(model.isEditable());
    model.setVariant("big");
    CHECK_FALSE(model.isEditable());
    CHECK(model.lab().find("srv1")->text("memory") == "1 TB");
}

TEST_CASE("a box that is dropped below the others of its column gets a row after them")
{
    DiagramView view;
    view.showLab(readLab(kLab, "lab.toml").lab);
    view.showNow();
    const auto& boxes = view.diagram().boxes;
    REQUIRE_FALSE(boxes.empty());
    const DiagramRect& rect = boxes[0].rect;
    const auto [column, row] = view.placeAt(0, QPointF(rect.x + rect.width / 2, view.diagram().height + 500));
    CHECK(column == static_cast<int>(boxes[0].column));
    CHECK(row >= boxes[0].row);
}

TEST_CASE("a box of the diagram is moved by keys, and stays where it cannot go further")
{
    LabPage page(Document(std::string(kLab) + "\n[[item]]\nid = \"srv2\"\nkind = \"machine\"\n", "lab.toml"));
    DiagramView* view = page.diagram();
    view->showNow();
    const auto rowOf = [&](const char* id) {
        view->showNow();
        for (const DiagramBox& box : view->diagram().boxes)
            if (box.items.front() == id)
                return box.row;
        return -1;
    };
    REQUIRE(rowOf("srv1") + rowOf("srv2") == 1);
    const char* upper = rowOf("srv1") == 0 ? "srv1" : "srv2";
    page.tree()->choose(upper);
    QTest::keyClick(view, Qt::Key_Up, Qt::ControlModifier);
    CHECK(page.model().document().text().find("place") == std::string::npos);
    QTest::keyClick(view, Qt::Key_Down, Qt::ControlModifier);
    CHECK(rowOf(upper) == 1);
    CHECK(page.model().document().text().find("place = [2, ") != std::string::npos);
    CHECK(view->chosenItem() == upper);
    QTest::keyClick(view, Qt::Key_Right, Qt::ControlModifier);
    CHECK(page.model().document().text().find("place = [3, ") != std::string::npos);
}

TEST_CASE("the picture of a diagram is the same whatever is chosen on the page")
{
    LabPage page(smallLab());
    page.show();
    auto* diagram = page.findChild<DiagramView*>();
    REQUIRE(diagram != nullptr);
    diagram->choose({});
    const QImage none = diagram->picture(1);
    REQUIRE_FALSE(none.isNull());
    diagram->choose("srv1");
    CHECK(diagram->picture(1) == none);
    CHECK(diagram->chosenItem() == "srv1");
}

TEST_CASE("a lab in which nothing was detected is not said to agree with this machine")
{
    LabPage page(smallLab());
    page.show();
    const auto says = [&](const char* words) {
        const auto all = page.findChildren<QTextEdit*>();
        return std::ranges::any_of(
            all, [&](const QTextEdit* one) { return one->toPlainText().contains(QLatin1String(words)); });
    };
    for (QComboBox* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == QStringLiteral("What is compared")) {
            box->setCurrentIndex(0);
            emit box->activated(0);
        }
    CHECK(says("Nothing was detected in this lab yet"));
    CHECK_FALSE(says("There are no differences."));
}
