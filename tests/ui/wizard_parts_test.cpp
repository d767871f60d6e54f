// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages of wizards are made of, and the import that leads to one.
#include "support/program.h"
#include "wizard/group_layout.h"
#include "wizard/jetstress_import.h"
#include "wizard/load_picture.h"
#include "wizard/plan_model.h"
#include "wizard/shell_line.h"
#include "wizard/storage_pages.h"
#include "wizard/text_diff.h"
#include "wizard/volume_list.h"
#include "wizard_fixture.h"

#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTreeWidget>

#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Two mixes, whose times and threads stand in [mix].
constexpr const char* kPlan = R"(format = 1
kind = "mail"
[mix]
threads_per_client = 2
mailboxes_per_client = 4
measurement = "1 s"
[[mixes]]
clients = 1
[[mixes]]
clients = 2
)";

bool says(const QListWidget& list, const char* words)
{
    for (int i = 0; i < list.count(); ++i)
        if (list.item(i)->text().contains(QLatin1String(words)))
            return true;
    return false;
}

} // namespace

TEST_CASE("the picture of the load has the mixes with what they inherit")
{
    const auto steps = loadSteps(Document(kPlan));
    REQUIRE(steps.size() == 2);
    CHECK(steps[1].height == 8);
    CHECK(steps[1].measurement == std::chrono::seconds(1));
    CHECK(loadWords(steps, true) == QStringLiteral("2 mixes, 2 s of load, up to 8 users"));
    CHECK(loadSteps(Document("mixes = 3\n")).empty());
    LoadPicture picture;
    picture.showSteps({}, true);
    picture.resize(400, picture.sizeHint().height());
    CHECK_FALSE(picture.grab().isNull());
    LoadStep endless;
    endless.height = 1e300;
    endless.measurement = Nanoseconds::max() / 2;
    picture.showSteps({ endless }, true);
    CHECK_FALSE(picture.grab().isNull());
}

TEST_CASE("what fits no value of its key is kept as a text and named, until it is put right")
{
    PlanModel model { Document(kPlan) };
    const auto isNamed = [&](const char* path) {
        const auto problems = model.document().problems();
        return std::ranges::find(problems, path, &Problem::field) != problems.end();
    };
    REQUIRE(model.setValue("mix.threads_per_client", QStringLiteral("many")));
    CHECK(model.document().getText("mix.threads_per_client") == "many");
    CHECK(isNamed("mix.threads_per_client"));
    REQUIRE(model.setValue("mix.threads_per_client", QStringLiteral("3")));
    CHECK(model.document().get("mix.threads_per_client") == "3");
    CHECK_FALSE(isNamed("mix.threads_per_client"));
}

TEST_CASE("groups are laid out over the volumes that can be used")
{
    const test::ScratchFolder folder;
    LocalVolume good { "/data", "sda1", "ext4", 100U << 20U, 50U << 20U, folder.path(), "", "" };
    LocalVolume logs = good;
    logs.mount = "/log";
    logs.folder = "/log/loadstone"; // one of Loadstone's own already
    LocalVolume refused = good;
    refused.mount = "/nfs";
    refused.refusal = "is NFS";
    PlanModel model(PlanWizard::newPlan(RunKind::storage));
    GroupLayout dialog(model, { good, logs, refused });
    dialog.show();
    auto* list = dialog.findChild<QListWidget*>();
    CHECK(list->item(0)->checkState() == Qt::Checked);
    CHECK_FALSE(list->item(2)->flags().testFlag(Qt::ItemIsEnabled));
    CHECK(list->item(2)->text().contains(QLatin1String("is NFS")));
    const auto spins = dialog.findChildren<QSpinBox*>();
    REQUIRE(spins.size() == 2);
    spins[0]->setValue(2);
    spins[1]->setValue(3);
    typeInto(dialog.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly), QStringLiteral("64 MB"));
    dialog.accept();
    const Document& made = model.document();
    CHECK(made.size("groups") == 2);
    CHECK(made.size("groups[1].databases") == 3);
    CHECK(made.getText("groups[1].databases[2]") == (folder.path() / "loadstone/data-6").string());
    CHECK(made.getText("groups[0].log") == "/log/loadstone/log-1");
    CHECK(made.getText("groups[1].database_size") == "64 MB");
    CHECK(made.undoName() == "groups");
    model.undo();
    CHECK_FALSE(model.document().isModified());
    Document none = made;
    CHECK_FALSE(layOut(none, {}));
}

TEST_CASE("volumes that are refused are grey with their reason and cannot be chosen")
{
    VolumeList list;
    LocalVolume good { "/data", "sda1", "ext4", 100U << 20U, 50U << 20U, "/data", "", "" };
    LocalVolume refused = good;
    refused.refusal = "is mounted read-only";
    list.setVolumes({ good, refused });
    REQUIRE(list.topLevelItemCount() == 2);
    CHECK(list.chosen() == nullptr);
    list.setCurrentItem(list.topLevelItem(1));
    CHECK(list.chosen() == nullptr);
    CHECK(list.topLevelItem(1)->isDisabled());
    CHECK(list.topLevelItem(1)->text(5) == QStringLiteral("is mounted read-only"));
    list.setCurrentItem(list.topLevelItem(0));
    REQUIRE(list.chosen() != nullptr);
    CHECK(list.chosen()->mount == "/data");
}

TEST_CASE("the size of a storage plan is told by its mailboxes")
{
    Document made = PlanWizard::newPlan(RunKind::storage);
    CHECK_THAT(sizingWords(made).toStdString(), ContainsSubstring("1 GB of data in 1 database;"));
    REQUIRE(made.setText("load.pacing", "mailboxes"));
    REQUIRE(made.setText("load.mailboxes", "1000"));
    REQUIRE(made.setText("load.iops_per_mailbox", "0.2"));
    REQUIRE(made.setText("load.quota", "10 MB"));
    REQUIRE(made.setText("load.headroom", "20 %"));
    CHECK_THAT(sizingWords(made).toStdString(),
        ContainsSubstring("1,000 mailboxes") && ContainsSubstring("250 transfers"));
}

TEST_CASE(
    "a Jetstress configuration is imported with its folders mapped, and what has no counterpart is named")
{
    const std::filesystem::path sample =
        std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans/jetstress/2013.xml";
    JetstressImport dialog;
    dialog.show();
    CHECK_FALSE(dialog.acceptButton()->isEnabled());
    typeInto(dialog.fileField(), QString::fromStdString(sample.string()));
    CHECK(dialog.acceptButton()->isEnabled());
    CHECK(says(*dialog.taken(), "load.threads = 24"));
    CHECK(says(*dialog.left(), "Line "));
    REQUIRE(dialog.folders()->rowCount() > 0);
    CHECK(dialog.plan().text().find("/CHANGE-ME") != std::string::npos);
    for (int row = 0; row < dialog.folders()->rowCount(); ++row)
        dialog.folders()->item(row, 1)->setText(QStringLiteral("/mnt/%1").arg(row));
    CHECK(dialog.plan().text().find("/CHANGE-ME") == std::string::npos);
    CHECK(dialog.plan().getText("groups[0].databases[0]") == "/mnt/0");
    const auto wizard = PlanWizard::openFor(dialog.plan());
    REQUIRE(wizard);
    CHECK((*wizard)->document().name() == "2013.toml");
    dialog.accept();
}

TEST_CASE("an import that was cut short begins again where it was, and one that was ended does not")
{
    const auto sample = QStringLiteral(LOADSTONE_SOURCE_DIR "/tests/plans/jetstress/2013.xml");
    {
        JetstressImport dialog; // goes without an answer
        dialog.show();
        typeInto(dialog.fileField(), sample);
        REQUIRE(dialog.folders()->rowCount() > 0);
        dialog.folders()->item(0, 1)->setText(QStringLiteral("/mnt/kept"));
    }
    {
        JetstressImport dialog;
        CHECK(dialog.fileField()->text() == sample);
        CHECK(dialog.plan().getText("groups[0].databases[0]") == "/mnt/kept");
        dialog.reject();
    }
    const JetstressImport dialog;
    CHECK(dialog.fileField()->text().isEmpty());
}

TEST_CASE("what is no configuration is refused with file and line")
{
    const test::ScratchFolder folder;
    std::ofstream(folder / "no.xml") << "<configuration>\n<broken\n";
    JetstressImport dialog;
    typeInto(dialog.fileField(), QString::fromStdString((folder / "no.xml").string()));
    CHECK_FALSE(dialog.acceptButton()->isEnabled());
    CHECK(dialog.status().contains(QLatin1String("no.xml:")));
    typeInto(dialog.fileField(), QStringLiteral("/no/such/file.xml"));
    CHECK_FALSE(dialog.acceptButton()->isEnabled());
    CHECK(dialog.status().contains(QLatin1String("/no/such/file.xml")));
}

TEST_CASE("a command is quoted so that a shell reads back each word")
{
    CHECK(runCommand("plan.toml") == "loadstone run plan.toml --report plan.html");
    CHECK(runCommand("/a b/it's $5.toml")
        == "loadstone run '/a b/it'\\''s $5.toml' --report '/a b/it'\\''s $5.html'");
    CHECK(runCommand("-p.toml") == "loadstone run ./-p.toml --report ./-p.html");
    for (const std::string word :
        { "", "a'b", "$(x)", "a\nb", "~/x", "*", "größe", "\\", "\"", "`", "!", "#x" }) {
        const auto echoed =
            test::runProgram({ "/bin/sh", "-c", "printf '%s' " + shellWord(word) }, std::chrono::seconds(10));
        CHECK(echoed.output == word);
    }
}

TEST_CASE("two texts are compared line by line")
{
    using Kind = DiffLine::Kind;
    CHECK(diffOf({}, {}).empty());
    CHECK(diffOf(QStringLiteral("a\nb\n"), QStringLiteral("a\nb\n"))
        == std::vector<DiffLine> {
            { Kind::same, QStringLiteral("a") }, { Kind::same, QStringLiteral("b") } });
    const auto diff = diffOf(QStringLiteral("a\nb\nc\n"), QStringLiteral("a\nx\nc\nd\n"));
    CHECK(diff
        == std::vector<DiffLine> { { Kind::same, QStringLiteral("a") },
            { Kind::removed, QStringLiteral("b") }, { Kind::added, QStringLiteral("x") },
            { Kind::same, QStringLiteral("c") }, { Kind::added, QStringLiteral("d") } });
    CHECK(changedLines(diff) == 3);
    // So many lines that they are not compared with each other.
    QString many, others;
    for (int i = 0; i < 3000; ++i) {
        many += QStringLiteral("a%1\n").arg(i);
        others += QStringLiteral("b%1\n").arg(i);
    }
    CHECK(changedLines(diffOf(many, others)) == 6000);
}
