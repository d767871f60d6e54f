// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/recovery.h"
#include "format.h"
#include "forms/key_form.h"
#include "forms/map_editor.h"
#include "result/result_model.h"
#include "result/result_page.h"
#include "result/result_table_model.h"
#include "support/catch.h"
#include "support/program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <set>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

const char* const kResult = R"(# typed from page 3
kind = "result"
title = "Two systems"
load_unit = "users"

[[figure]]
id = "response"
name = "Response time"
unit = "ms"

[[system]]
id = "a"

[[system]]
id = "b"

[[table]]
title = "Table 1" # as the report calls it
columns = ["a", "b"]
rows = [
    { figure = "response", load = 1000, cells = ["12.5", "13.0"] },
]
)";

Document someResult()
{
    return Document(kResult, "result.toml");
}

} // namespace

TEST_CASE("a result that is not saved is kept within moments, and the next start has it as a change")
{
    const test::ScratchFolder folder;
    std::string kept;
    {
        RecoveryStore store(text((folder / "recovery").string()));
        ResultPage page(someResult());
        page.setRecovery(store);
        const auto isKept = [&] {
            return QDir(store.folder()).entryList({ QStringLiteral("*.text") }).size() == 1;
        };
        REQUIRE(page.model().setValue("publisher", QStringLiteral("Ours")));
        kept = page.model().document().text();
        CHECK(QTest::qWaitFor(isKept));
        REQUIRE(page.model().saveAs(folder / "result.toml"));
        CHECK(QTest::qWaitFor([&] { return !isKept(); })); // nothing is left to lose
        REQUIRE(page.model().setValue("publisher", QStringLiteral("Theirs")));
        page.flush();
        CHECK(isKept());
    } // the lock goes, the text stays, as after kill -9
    const auto left = RecoveryStore(text((folder / "recovery").string())).leftBehind();
    REQUIRE(left.size() == 1);
    CHECK(left[0].origin == folder / "result.toml");
    ResultPage page(*Document::read(left[0].origin));
    page.restore(left[0]);
    CHECK(page.isModified());
    CHECK(page.model().result().publisher == "Theirs");
    page.model().undo();
    CHECK(page.model().document().text() == kept);
}

TEST_CASE("the forms of a published result have the keys of results, and no others")
{
    const ResultPage page(someResult());
    std::set<std::string> keys;
    for (const KeyForm* form : page.findChildren<KeyForm*>())
        keys.merge(form->keys());
    for (const char* key :
        { "publisher", "date", "load_unit", "system[].id", "figure[].key", "figure[].unit" }) {
        INFO(key);
        CHECK(keys.contains(key));
    }
    CHECK_FALSE(keys.contains("seed"));
}

TEST_CASE("actions and conditions are typed one on each line, with an example of their own")
{
    ResultPage page(someResult());
    const auto editor = [&](const char* path) -> QPlainTextEdit& {
        for (const MapEditor* one : page.findChildren<MapEditor*>())
            if (one->row().path == path)
                return *qobject_cast<QPlainTextEdit*>(one->field());
        throw std::runtime_error(path);
    };
    CHECK(editor("actions").placeholderText().contains(QStringLiteral("Send message")));
    CHECK(editor("conditions").placeholderText().contains(QStringLiteral("page-size")));
    editor("actions").setPlainText(QStringLiteral("Send message = 12\nRead message = 1,000"));
    for (KeyForm* form : page.findChildren<KeyForm*>())
        form->commit();
    const Document& document = page.model().document();
    CHECK(document.getText("actions.\"Send message\"") == "12");
    CHECK(document.getText("actions.\"Read message\"") == "1,000");
    CHECK_FALSE(editor("actions").isReadOnly());
    editor("actions").setPlainText(QStringLiteral("Send message = 14"));
    for (KeyForm* form : page.findChildren<KeyForm*>())
        form->commit();
    CHECK(document.getText("actions.\"Send message\"") == "14");
    CHECK_FALSE(document.has("actions.\"Read message\""));
}

TEST_CASE("a number is typed into the grid with the digits of the report, and undo takes it back")
{
    ResultPage page(someResult());
    page.resize(1000, 700);
    page.show();
    page.tabs()->setCurrentIndex(3);
    page.gridView()->setFocus();
    page.gridView()->setCurrentIndex(page.grid()->index(0, ResultTableModel::PlaceCount));
    QTest::keyClicks(page.gridView(), QStringLiteral("1"));
    auto* editor = page.gridView()->findChild<QLineEdit*>();
    REQUIRE(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("4.50"));
    QTest::keyClick(editor, Qt::Key_Return);
    REQUIRE(QTest::qWaitFor([&] { // the delegate hands the text on when control returns to the event loop
        return page.model().document().getText("table[0].rows[0].cells[0]") == "14.50";
    }));
    CHECK(page.model().document().text().find("# as the report calls it") != std::string::npos);
    page.model().undo();
    CHECK(page.model().document().text() == kResult);
}

TEST_CASE("a table is pasted into the grid: rows are added, thousands stay together, and it is one step")
{
    ResultPage page(someResult());
    page.show();
    page.tabs()->setCurrentIndex(3);
    page.gridView()->setCurrentIndex(page.grid()->index(0, ResultTableModel::PlaceCount));
    QApplication::clipboard()->setText(QStringLiteral("14.0\t15\n36,589.88\t-\n"));
    page.paste();
    const Document& document = page.model().document();
    CHECK(document.size("table[0].rows") == 2);
    CHECK(document.getText("table[0].rows[0].cells[1]") == "15");
    CHECK(document.getText("table[0].rows[1].cells[0]") == "36,589.88");
    page.model().undo();
    CHECK(page.model().document().text() == kResult);
}

TEST_CASE("cells are divided by tabs, semicolons, or commas between quotes")
{
    CHECK(cellsOf(QStringLiteral("1,234\t5"))[0]
        == QStringList { QStringLiteral("1,234"), QStringLiteral("5") });
    CHECK(cellsOf(QStringLiteral("1,234;5"))[0]
        == QStringList { QStringLiteral("1,234"), QStringLiteral("5") });
    CHECK(cellsOf(QStringLiteral("\"1,234\",5,\"a \"\"b\"\"\""))[0]
        == QStringList { QStringLiteral("1,234"), QStringLiteral("5"), QStringLiteral("a \"b\"") });
    CHECK(cellsOf(QStringLiteral("1,234"))[0].size() == 1);
    CHECK(cellsOf(QStringLiteral("a\r\nb\r\n")).size() == 2);
}

TEST_CASE("what is wrong with a cell is listed while it is typed, and leads to the cell")
{
    ResultPage page(someResult());
    page.show();
    CHECK(page.grid()->setData(
        page.grid()->index(0, ResultTableModel::PlaceCount + 1), QStringLiteral("twelve"), Qt::EditRole));
    CHECK_FALSE(page.model().isUsable());
    REQUIRE(page.problemList()->count() >= 1);
    emit page.problemList()->itemActivated(page.problemList()->item(0));
    CHECK(page.tabs()->currentIndex() == 3);
    CHECK(page.gridView()->currentIndex().column() == ResultTableModel::PlaceCount + 1);
}

TEST_CASE("the grid keeps the rules of models while rows and columns come and go")
{
    ResultModel model(someResult());
    ResultTableModel grid(model);
    const QAbstractItemModelTester tester(&grid, QAbstractItemModelTester::FailureReportingMode::Fatal);
    grid.setTable(0);
    CHECK(grid.rowCount() == 1);
    CHECK(grid.addRow());
    CHECK(grid.addColumn(QStringLiteral("a: response")));
    CHECK(grid.cellColumns() == 3);
    CHECK(grid.renameColumn(2, QStringLiteral("b: response")));
    CHECK(grid.removeColumn(0));
    CHECK(grid.columnNames() == QStringList { QStringLiteral("b"), QStringLiteral("b: response") });
    CHECK(grid.removeRow(0));
    CHECK(grid.rowCount() == 1);
    grid.setTable(-1);
    CHECK(grid.rowCount() == 0);
    CHECK_FALSE(grid.addRow());
}

TEST_CASE("a new result asks for nothing that its form does not have")
{
    ResultPage page(newResult());
    page.show();
    CHECK(page.model().document().isWellFormed());
    CHECK(page.title().startsWith(QStringLiteral("New result")));
}
