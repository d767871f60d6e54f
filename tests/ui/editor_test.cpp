// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "banner.h"
#include "editor/completion.h"
#include "editor/editor_page.h"
#include "editor/recovery.h"
#include "editor/text_bytes.h"
#include "editor/toml_editor.h"
#include "findings_fixture.h"
#include "format.h"
#include "run/tabs/plan_highlighter.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFileSystemWatcher>
#include <QSignalSpy>
#include <QTextBlock>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A text with a "|" where the cursor is, as the editor has it.
struct Cursor {
    explicit Cursor(const QString& marked)
    {
        const auto at = marked.indexOf(QLatin1Char('|'));
        REQUIRE(at >= 0);
        document.setPlainText(QString(marked).remove(at, 1));
        new PlanHighlighter(&document);
        QCoreApplication::processEvents(); // the highlighter looks at new texts from the event loop
        block = document.findBlock(static_cast<int>(at));
        column = static_cast<int>(at) - block.position();
    }
    [[nodiscard]] TomlContext context(FileKind kind = FileKind::plan) const
    {
        return contextAt(kind, block, column);
    }
    [[nodiscard]] QStringList offered(FileKind kind = FileKind::plan) const
    {
        QStringList words;
        for (const Suggestion& one :
            suggestionsAt(kind, context(kind), Document(bytesOf(textOf(document), {}))))
            words.append(one.words);
        return words;
    }
    QTextDocument document;
    QTextBlock block;
    int column = 0;
};

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

std::string read(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

const std::string kPlan = R"(format = 1
kind = "mail"
title = "Small"   # the name
seed = 1

[target]
user = "u{n:3}"
password = "secret"

[target.embedded]

[workload]
pacing = "closed"

[[workload.steps]]
action = "send message"
size = "10 KB"

[[mixes]]
name = "10 users"
clients = 1
threads_per_client = 10
mailboxes_per_client = 10
measurement = "1 min"
)";

/// A page over a file of a folder of its own.
struct Opened {
    explicit Opened(const std::string& text = kPlan)
    {
        write(file, text);
        auto document = Document::read(file);
        REQUIRE(document);
        page = std::make_unique<EditorPage>(*document, store);
        page->resize(900, 600);
        page->show();
        page->editor()->setFocus();
        settle();
    }
    void settle() const
    {
        QSignalSpy checked(page.get(), &EditorPage::checked);
        REQUIRE((checked.wait(kWait) || checked.count() > 0));
    }
    test::ScratchFolder folder;
    std::filesystem::path file { folder / "plan.toml" };
    RecoveryStore store { text((folder / "recovery").string()) };
    std::unique_ptr<EditorPage> page;
};

} // namespace

TEST_CASE("an edited text keeps the line ends of lines that were not edited, and a byte order mark")
{
    const std::string original = "\xef\xbb\xbf"
                                 "a = 1\r\nb = 2\nc = 3\rd = 4\r\n";
    CHECK(bytesOf(shownText(original), original) == original);
    QString edited = shownText(original);
    edited.replace(QStringLiteral("c = 3"), QStringLiteral("c = 3\nx = 9"));
    CHECK(bytesOf(edited, original)
        == "\xef\xbb\xbf"
           "a = 1\r\nb = 2\nc = 3\rx = 9\r\nd = 4\r\n");
    CHECK(bytesOf(QString(), original) == "\xef\xbb\xbf");
}

TEST_CASE("texts that cannot be kept byte for byte are not edited")
{
    CHECK(notEditable("a = 1\n").isEmpty());
    CHECK_FALSE(notEditable(std::string("a\0b", 3)).isEmpty());
    CHECK_FALSE(notEditable("a = \"\xff\"").isEmpty());
    CHECK_FALSE(notEditable("# \xe2\x80\xa9\n").isEmpty()); // U+2029, a line end to the widget
    CHECK_FALSE(notEditable(std::string(kMostEditedBytes + 1, 'a')).isEmpty());
    CHECK_FALSE(notEditable(std::string(30'000, 'a')).isEmpty()); // one line
}

TEST_CASE("every shipped file is shown and given back byte for byte")
{
    for (const auto& plan : shippedPlans()) {
        const std::string text = read(plan);
        QTextDocument document;
        document.setPlainText(shownText(text));
        CHECK(bytesOf(textOf(document), text) == text);
    }
}

TEST_CASE("the place in a text is known in the terms of the table of keys")
{
    using Place = TomlContext::Place;
    CHECK(Cursor(QStringLiteral("ki|")).context().path == "ki");
    const TomlContext mix = Cursor(QStringLiteral("[[mixes]]\nname = \"a\"\ncli|ents = 4\n")).context();
    CHECK(mix.place == Place::key);
    CHECK(mix.table == "mixes[]");
    CHECK(mix.path == "mixes[].clients");
    CHECK(mix.typed == "cli");
    CHECK(mix.stated.count("name") == 1);
    CHECK(mix.stated.count("clients") == 0); // the line itself does not count
    const TomlContext value = Cursor(QStringLiteral("[workload]\npacing = \"cl|\"\n")).context();
    CHECK(value.place == Place::value);
    CHECK(value.path == "workload.pacing");
    CHECK(value.quoted);
    CHECK(value.typed == "cl");
    CHECK(Cursor(QStringLiteral("[tar|\n")).context().place == Place::header);
    CHECK(Cursor(QStringLiteral("a = 1 # com|ment\n")).context().place == Place::nothing);
    CHECK(Cursor(QStringLiteral("a = \"# no com|ment\"\n")).context().place == Place::value);
    CHECK(Cursor(QStringLiteral("text = '''\n[mixes]\ncli|\n'''\n")).context().place == Place::nothing);
    CHECK(Cursor(QStringLiteral("text = '''\n[mixes]\n'''\nse|\n")).context().table.empty());
    const TomlContext inside = Cursor(QStringLiteral("[target]\npassword = { env|")).context();
    CHECK(inside.place == Place::key);
    CHECK(inside.path == "target.password.env");
    CHECK(Cursor(QStringLiteral("[target]\nsmtp.ho|")).context().path == "target.smtp.ho");
    CHECK(Cursor(QStringLiteral("[[item]]\nkind = \"drive\"\nsi|")).context(FileKind::lab).table
        == "item[drive]");
}

TEST_CASE("completion offers keys that the table lacks and that apply, and choices of values")
{
    const QStringList top = Cursor(QStringLiteral("kind = \"mail\"\n|\n")).offered();
    CHECK(top.contains(QStringLiteral("title")));
    CHECK_FALSE(top.contains(QStringLiteral("kind"))); // stated
    CHECK_FALSE(top.contains(QStringLiteral("preset"))); // of storage plans
    CHECK(Cursor(QStringLiteral("kind = \"storage\"\n|\n")).offered().contains(QStringLiteral("preset")));
    const QStringList kinds = Cursor(QStringLiteral("kind = |")).offered();
    CHECK(kinds == QStringList { QStringLiteral("mail"), QStringLiteral("raw"), QStringLiteral("storage") });
    CHECK(Cursor(QStringLiteral("kind = \"ra|\"")).offered().first() == QStringLiteral("raw"));
    CHECK(Cursor(QStringLiteral("[mi|")).offered().contains(QStringLiteral("mixes")));
    CHECK(Cursor(QStringLiteral("a = 1 # |")).offered().isEmpty());
}

TEST_CASE("a word that is typed is completed with Enter, and the value follows")
{
    Opened opened("kind = \"mail\"\n");
    TomlEditor* editor = opened.page->editor();
    editor->moveCursor(QTextCursor::End);
    QTest::keyClicks(editor, QStringLiteral("tit"));
    REQUIRE(waitUntil([&] { return editor->completer()->popup()->isVisible(); }));
    QTest::keyClick(editor->completer()->popup(), Qt::Key_Return);
    CHECK(editor->toPlainText() == QStringLiteral("kind = \"mail\"\ntitle = \"\""));
    QTest::keyClicks(editor, QStringLiteral("X"));
    CHECK(editor->toPlainText().endsWith(QStringLiteral("title = \"X\"")));
    // A choice: the list of values comes by itself.
    editor->setPlainText(QString());
    QTest::keyClicks(editor, QStringLiteral("kin"));
    REQUIRE(waitUntil([&] { return editor->completer()->popup()->isVisible(); }));
    QTest::keyClick(editor->completer()->popup(), Qt::Key_Return);
    REQUIRE(waitUntil([&] { return editor->completer()->popup()->isVisible(); }));
    QTest::keyClick(editor->completer()->popup(), Qt::Key_Down);
    QTest::keyClick(editor->completer()->popup(), Qt::Key_Return);
    CHECK(editor->toPlainText() == QStringLiteral("kind = \"raw\""));
}

TEST_CASE("problems are underlined and listed while one types, and the help of the key is shown")
{
    Opened opened;
    TomlEditor* editor = opened.page->editor();
    CHECK(opened.page->problemTable()->model()->rowCount() == 0);
    editor->goTo(21, 11); // clients = 1
    CHECK(editor->textCursor().block().text() == QStringLiteral("clients = 1"));
    CHECK(shows(*opened.page, QStringLiteral("mixes[].clients")));
    QTest::keyClick(editor, Qt::Key_End);
    QTest::keyClick(editor, Qt::Key_Backspace);
    QTest::keyClicks(editor, QStringLiteral("0"));
    opened.settle();
    REQUIRE(opened.page->problemTable()->model()->rowCount() == 1);
    bool underlined = false;
    for (const auto& mark : editor->extraSelections())
        underlined = underlined || mark.format.underlineStyle() == QTextCharFormat::WaveUnderline;
    CHECK(underlined);
    CHECK_FALSE(opened.page->tasks().action(PlanTask::run)->isEnabled() == false); // it says what is wrong
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    opened.settle();
    CHECK(opened.page->problemTable()->model()->rowCount() == 0);
    CHECK_FALSE(opened.page->isModified());
}

TEST_CASE("a text that is no TOML is a problem with its line, and can be mended")
{
    Opened opened("kind = \"mail\"\n= = =\n");
    REQUIRE(opened.page->problemTable()->model()->rowCount() == 1);
    CHECK(opened.page->problemTable()->model()->index(0, 0).data().toString() == QStringLiteral("2"));
    opened.page->editor()->setPlainText(text(kPlan));
    opened.settle();
    CHECK(opened.page->problemTable()->model()->rowCount() == 0);
}

TEST_CASE("saving changes the edited line alone, and clears what was kept for recovery")
{
    Opened opened(std::string("# first\r\n") + "title = \"x\"\r\n");
    TomlEditor* editor = opened.page->editor();
    editor->moveCursor(QTextCursor::End);
    QTest::keyClicks(editor, QStringLiteral("seed = 2"));
    CHECK(opened.page->title() == QStringLiteral("plan.toml *"));
    CHECK(opened.page->save());
    CHECK(opened.page->title() == QStringLiteral("plan.toml"));
    CHECK(read(opened.file) == "# first\r\ntitle = \"x\"\r\nseed = 2");
    CHECK(RecoveryStore(opened.store.folder()).leftBehind().empty());
}

TEST_CASE("a file that another program changed is not overwritten without a question")
{
    Opened opened;
    QTest::keyClicks(opened.page->editor(), QStringLiteral("#"));
    write(opened.file, "title = \"theirs\"\n");
    SECTION("cancelled")
    {
        Answers answers(QStringLiteral("Cancel"));
        CHECK_FALSE(opened.page->save());
        CHECK(answers.asked.size() == 1);
        CHECK(read(opened.file) == "title = \"theirs\"\n");
        CHECK(opened.page->isModified());
    }
    SECTION("overwritten")
    {
        Answers answers(QStringLiteral("Overwrite"));
        CHECK(opened.page->save());
        CHECK(read(opened.file) == "#" + kPlan);
    }
}

TEST_CASE("a text whose edits are taken back is still not what another program wrote meanwhile")
{
    Opened opened;
    QTest::keyClicks(opened.page->editor(), QStringLiteral("#"));
    write(opened.file, "title = \"theirs\"\n");
    REQUIRE(waitUntil([&] {
        const auto banners = opened.page->findChildren<Banner*>();
        return std::ranges::any_of(
            banners, [](const Banner* banner) { return banner->isVisibleTo(banner->parentWidget()); });
    }));
    opened.page->editor()->undo();
    CHECK(opened.page->isModified()); // else Run would run the file's text, and Save would be grey
    CHECK(opened.page->title().endsWith(QLatin1Char('*')));
    SECTION("saved over it")
    {
        Answers answers(QStringLiteral("Overwrite"));
        CHECK(opened.page->save());
        CHECK(answers.asked.size() == 1);
        CHECK(read(opened.file) == kPlan);
        CHECK_FALSE(opened.page->isModified());
    }
    SECTION("put back by the other program")
    {
        write(opened.file, kPlan);
        CHECK(waitUntil([&] { return !opened.page->isModified(); }));
    }
}

TEST_CASE("a file that another program changed is read again where nothing was edited")
{
    Opened opened;
    write(opened.file, "title = \"theirs\"\n");
    REQUIRE(waitUntil(
        [&] { return opened.page->editor()->toPlainText() == QStringLiteral("title = \"theirs\"\n"); }));
    CHECK_FALSE(opened.page->isModified());
}

TEST_CASE("while another program writes the file the page never shows a half of it")
{
    Opened opened;
    const QString before = opened.page->editor()->toPlainText();
    QStringList shown;
    QObject::connect(opened.page->editor(), &QPlainTextEdit::textChanged,
        [&] { shown.append(opened.page->editor()->toPlainText()); });
    QSignalSpy changes(opened.page->findChild<QFileSystemWatcher*>(), &QFileSystemWatcher::fileChanged);
    write(opened.file, "");
    REQUIRE(waitUntil([&] { return changes.count() > 0; }));
    write(opened.file, "title = \"theirs\"\n");
    REQUIRE(waitUntil(
        [&] { return !shown.isEmpty() && shown.last() == QStringLiteral("title = \"theirs\"\n"); }));
    for (const QString& text : shown)
        CHECK((text == before || text == shown.last()));
}

TEST_CASE("closing asks about what is not saved")
{
    Opened opened;
    QTest::keyClicks(opened.page->editor(), QStringLiteral("#"));
    SECTION("the page stays")
    {
        Answers answers(QStringLiteral("Cancel"));
        CHECK_FALSE(opened.page->mayClose());
    }
    SECTION("saved")
    {
        Answers answers(QStringLiteral("Save"));
        CHECK(opened.page->mayClose());
        CHECK(read(opened.file) == "#" + kPlan);
    }
    SECTION("given up, and not kept")
    {
        opened.page->flush();
        Answers answers(QStringLiteral("Discard"));
        CHECK(opened.page->mayClose());
        CHECK(read(opened.file) == kPlan);
        const QDir copies(opened.store.folder());
        CHECK(copies.entryList({ QStringLiteral("*.text") }).isEmpty());
        opened.page->stay(); // another page did not close, and so the window stays
        CHECK(copies.entryList({ QStringLiteral("*.text") }).size() == 1);
    }
}

TEST_CASE("what was typed is found by the next start after a sudden end, and only then")
{
    test::ScratchFolder folder;
    const QString kept = text((folder / "recovery").string());
    {
        auto dying = std::make_unique<RecoveryStore>(kept);
        dying->keep(dying->next(), "/tmp/plan.toml", QStringLiteral("plan.toml"), "title = \"half", true);
        CHECK(RecoveryStore(kept).leftBehind().empty()); // its program still runs
    } // the lock goes, the text stays, as after kill -9
    const RecoveryStore next(kept);
    const auto left = next.leftBehind();
    REQUIRE(left.size() == 1);
    CHECK(left[0].text == "title = \"half");
    CHECK(left[0].origin == "/tmp/plan.toml");
    RecoveryStore::discard(left[0]);
    CHECK(next.leftBehind().empty());
}

TEST_CASE("damaged and foreign files among those kept for recovery are left out")
{
    test::ScratchFolder folder;
    write(folder / "a.1.text", "not json\ntext");
    write(folder / "b.1.text", "");
    write(folder / "c.1.text", "{\"name\":\"n\"}\n" + std::string(kMostEditedBytes + 10, 'x'));
    std::filesystem::create_directory(folder / "d.1.text");
    CHECK(RecoveryStore(text(folder.path().string())).leftBehind().empty());
}

TEST_CASE("a text is kept within moments of typing and restored over its file as a change")
{
    Opened opened;
    QTest::keyClicks(opened.page->editor(), QStringLiteral("# mine"));
    REQUIRE(waitUntil(
        [&] { return !QDir(opened.store.folder()).entryList({ QStringLiteral("*.text") }).isEmpty(); }));
    RecoveryStore store(text((opened.folder / "other").string()));
    auto document = Document::read(opened.file);
    REQUIRE(document);
    EditorPage page(*document, store);
    RecoveredText left;
    left.text = "# mine" + kPlan;
    left.base = fingerprintOf(kPlan);
    page.restore(left);
    CHECK(page.isModified());
    CHECK(page.document().text() == "# mine" + kPlan);
    page.editor()->undo();
    CHECK(page.document().text() == kPlan);
}

TEST_CASE("a restored text does not overwrite what another program wrote since, without a question")
{
    std::vector<RecoveredText> left;
    const test::ScratchFolder kept;
    {
        Opened opened;
        auto document = Document::read(opened.file);
        REQUIRE(document);
        RecoveryStore store(text((kept / "recovery").string()));
        EditorPage page(*document, store);
        QTest::keyClicks(page.editor(), QStringLiteral("# mine"));
        page.flush();
    } // the lock goes, the text stays, as after kill -9
    left = RecoveryStore(text((kept / "recovery").string())).leftBehind();
    REQUIRE(left.size() == 1);
    CHECK(left[0].base == fingerprintOf(kPlan));
    for (const bool changed : { true, false }) {
        INFO(changed);
        const auto file = kept / "plan.toml";
        const std::string onDisk = changed ? kPlan + "# theirs\n" : kPlan;
        std::ofstream(file, std::ios::trunc) << onDisk;
        RecoveryStore store(text((kept / "other").string()));
        EditorPage page(*Document::read(file), store);
        page.restore(left[0]);
        {
            Answers answers(QStringLiteral("Cancel"));
            CHECK(page.save() == !changed);
            CHECK(answers.asked.size() == (changed ? 1 : 0));
        }
        CHECK(Document::read(file)->text() == (changed ? onDisk : left[0].text));
        if (changed) {
            Answers answers(QStringLiteral("Overwrite"));
            CHECK(page.save());
            CHECK(Document::read(file)->text() == left[0].text);
        }
    }
}

TEST_CASE("a file that the editor cannot keep is shown and never written")
{
    const std::string bad = "title = \"\xff\"\n";
    Opened opened(bad);
    CHECK(opened.page->editor()->isReadOnly());
    CHECK_FALSE(opened.page->isModified());
    CHECK(opened.page->document().text() == bad);
}

TEST_CASE("a shipped plan is saved under another name")
{
    auto document = Document::read(findPlan("first-run"));
    REQUIRE(document);
    test::ScratchFolder folder;
    RecoveryStore store(text((folder / "recovery").string()));
    EditorPage page(*document, store);
    QTest::keyClicks(page.editor(), QStringLiteral("#"));
    Answers answers;
    CHECK_FALSE(page.save()); // the question for a name was cancelled
    REQUIRE(answers.asked.size() == 1);
    CHECK(answers.asked[0] == QStringLiteral("Save as"));
    CHECK(read(findPlan("first-run")) == document->text());
}

TEST_CASE("Ctrl+/ makes lines comments and takes that back")
{
    Opened opened("a = 1\n\nb = 2\n");
    TomlEditor* editor = opened.page->editor();
    editor->selectAll();
    QTest::keyClick(editor, Qt::Key_Slash, Qt::ControlModifier);
    CHECK(editor->toPlainText() == QStringLiteral("# a = 1\n\n# b = 2\n"));
    editor->selectAll();
    QTest::keyClick(editor, Qt::Key_Slash, Qt::ControlModifier);
    CHECK(editor->toPlainText() == QStringLiteral("a = 1\n\nb = 2\n"));
}
