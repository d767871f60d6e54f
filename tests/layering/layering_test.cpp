// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "layering/layering.h"
#include "support/catch.h"
#include "support/program.h"

#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;
using loadstone::layering::checkTree;
using loadstone::layering::Findings;

namespace {

const std::string kLicence = "// SPDX-License-Identifier: GPL-3.0-or-later\n";

/// A small checkout in a temporary folder, gone with the object.
class Tree {
public:
    Tree()
    {
        write("engine/include/loadstone/time.h", "#include <chrono>\n#include <boost/system/result.hpp>\n");
        write("engine/base/clock.h", "#include <loadstone/time.h>\n#include <fmt/format.h>\n");
        write("engine/plan/model/plan.cpp",
            "#include \"base/clock.h\"\n#include \"plan.h\"\n#include <toml++/toml.h>\n");
        write("engine/plan/model/plan.h", "#include <string>\n");
        write("ui/history/page.h", "#include <QWidget>\n#include <loadstone/time.h>\n");
        write("ui/history/page.cpp", "#include \"history/page.h\"\n#include \"page.h\"\n");
        write("ui/charts/chart.cpp", "#include <QtCharts/QLineSeries>\n#include <QChartView>\n");
        write("app/cli/main.cpp", "#include <loadstone/time.h>\n#include <CLI/CLI.hpp>\n");
        write("app/workbench/main.cpp", "#include \"ui/history/page.h\"\n#include <QApplication>\n");
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    void write(const std::string& path, const std::string& text, const std::string& licence = kLicence) const
    {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << licence << text;
    }
    [[nodiscard]] const fs::path& root() const { return m_root; }

private:
    loadstone::test::ScratchFolder m_folder;
    const fs::path& m_root = m_folder.path();
};

/// The one violation that `text`, written to `path` of an otherwise clean tree, gives; "" when none, all when
/// several.
std::string violationOf(const std::string& path, const std::string& text)
{
    const Tree tree;
    tree.write(path, text);
    std::string all;
    for (const std::string& violation : checkTree(tree.root()).violations)
        all += (all.empty() ? "" : "\n") + violation;
    return all;
}

} // namespace

TEST_CASE("the sources of this checkout keep the layering rule")
{
    const Findings findings = checkTree(LOADSTONE_SOURCE_DIR);
    for (const std::string& violation : findings.violations)
        UNSCOPED_INFO(violation);
    CHECK(findings.violations.empty());
    CHECK(findings.files > 30);
    CHECK(findings.includes > 100);
}

TEST_CASE("a clean tree has no violation")
{
    const Tree tree;
    CHECK(checkTree(tree.root()).violations.empty());
}

TEST_CASE("a room that includes a later or a foreign room is named with its line")
{
    CHECK(violationOf("engine/base/bad.cpp", "\n#include \"plan/plan.h\"\n")
        == "engine/base/bad.cpp:3: room base may not include room plan");
    CHECK(violationOf("engine/metrics/bad.h", "#include \"plan/plan.h\"\n")
        == "engine/metrics/bad.h:2: room metrics may not include room plan");
    CHECK(violationOf("engine/storage/page/bad.h", "#include \"mail/factory.h\"\n")
        == "engine/storage/page/bad.h:2: room storage may not include room mail"
           "");
    CHECK(violationOf("engine/report/bad.h", "#include \"run/controller.h\"\n")
        == "engine/report/bad.h:2: room report may not include room run");
}

TEST_CASE("'and before' opens every room above the one named, and no more")
{
    CHECK(
        violationOf("engine/base/fine.cpp", "#include \"generated/texts.h\"\n").empty()); // made by the build
    CHECK(violationOf("engine/run/fine.h", "#include \"analysis/window.h\"\n#include \"plan/plan.h\"\n")
              .empty());
    CHECK(violationOf("engine/mail/run/fine.h", "#include \"run/a.h\"\n#include \"protocol/a.h\"\n").empty());
    CHECK(violationOf("engine/session/fine.h", "#include \"mail/a.h\"\n#include \"storage/a.h\"\n").empty());
    CHECK(violationOf("engine/mail/run/bad.h", "#include \"analysis/window/a.h\"\n")
        == "engine/mail/run/bad.h:2: room mail may not include room analysis");
    CHECK(violationOf("engine/run/bad.h", "#include \"protocol/a.h\"\n")
        == "engine/run/bad.h:2: room run may not include room protocol");
    CHECK(violationOf("engine/counters/host/bad.h", "#include \"history/a.h\"\n")
        == "engine/counters/host/bad.h:2: room counters may not include room history");
}

TEST_CASE("series are not found by their names")
{
    for (const char* line : { "if (info.object == kOurs)\n", "return info->instance != name;\n",
             "if (name == one.counter)\n", "if (c.computer.empty() && x == c.object)\n",
             "if (h.name == key.name && h.clock == clock)\n", "if (info.path() == path)\n",
             "return info.counter.starts_with(begin);\n", "if (line.counter.contains(word))\n",
             "if (pathOf(info.key) == path)\n", "if (text != latencyNameOf(info.key))\n",
             "m_counters.emplace(info.path(), info.id);\n", "ids[pathOf(info.key)] = info.id;\n",
             "std::ranges::find(header.histograms, name, &HistogramInfo::name);\n",
             "return info.foreign->computer\n    == other;\n", "return name ==\n    info.counter;\n" }) {
        CAPTURE(line);
        for (const char* file : { "engine/report/bad.cpp", "engine/series/bad.cpp", "ui/run/view/bad.cpp" })
            CHECK_THAT(violationOf(file, line), ContainsSubstring("compares a name of a series"));
        CHECK(violationOf("engine/series/typed_names.cpp", line).empty());
    }
    for (const char* line : { "row.counter = info.counter;\nint counter = one == two;\n",
             "// info.counter == name is what nobody writes\n", "print(\"info.counter == name\");\n",
             "if (info.key == key && info.name.empty())\n",
             "rows.push_back({ info.name, pathOf(info.key) });\n" }) {
        CAPTURE(line);
        CHECK(violationOf("engine/report/fine.cpp", line).empty());
    }
    const std::string folder = "return mailbox.name == kInbox;\n";
    CHECK(violationOf("engine/mail/users/fine.cpp", folder).empty());
    CHECK_FALSE(violationOf("engine/report/bad.cpp", folder).empty());
    CHECK(violationOf("engine/plan/read/fine.cpp", "if (mix.name != shown(mix.name))\n").empty());
}

TEST_CASE("the workbench names no counter, and nothing asks whether a run is of mail but by its kind")
{
    for (const char* line : { "find(\"Disk Reads/sec\");\n",
             "find(\"\\\\Database(group-1)\\\\Log Writes\");\n", "find(R\"(\\Memory\\Available MBytes)\");\n",
             "add(\"% Processor Time\");\n", "add(\"Available MBytes\");\n" }) {
        CAPTURE(line);
        CHECK_THAT(violationOf("ui/run/view/bad.cpp", line), ContainsSubstring("names a counter"));
        CHECK(violationOf("engine/counters/host/fine.cpp", line).empty());
    }
    CHECK(violationOf("ui/run/view/fine.cpp", "add(\"Users\"); // as \"Disk Reads/sec\"\n").empty());
    CHECK_THAT(violationOf("engine/report/bad.cpp", "if (ofMail(header))\n"), ContainsSubstring("RunKind"));
    CHECK(violationOf("engine/embedded/fine.cpp", "faults.ofMailbox(user);\n").empty());
}

TEST_CASE("folders of a room have an order, too")
{
    CHECK(violationOf(
        "engine/storage/log/fine.h", "#include \"storage/page/a.h\"\n#include \"storage/log/b.h\"\n")
              .empty());
    CHECK(violationOf("engine/storage/log/bad.h", "#include \"storage/store/a.h\"\n")
        == "engine/storage/log/bad.h:2: folder log may not include folder store");
    CHECK(violationOf("engine/protocol/imap/bad.h", "#include \"protocol/smtp/a.h\"\n")
        == "engine/protocol/imap/bad.h:2: folder imap may not include folder smtp");
    CHECK(violationOf("ui/run/page.cpp", "").empty()); // over all folders
    CHECK_THAT(violationOf("engine/mail/bad.cpp", ""), ContainsSubstring("stand in its folders"));
    CHECK_THAT(violationOf("engine/mail/misc/bad.cpp", ""), ContainsSubstring("\"misc\" is a folder"));
}

TEST_CASE("public headers include the standard library, boost/system and each other only")
{
    for (const char* include :
        { "<fmt/format.h>", "<boost/asio.hpp>", "<QString>", "\"base/clock.h\"", "<unistd.h>" }) {
        CAPTURE(include);
        CHECK_THAT(violationOf("engine/include/loadstone/bad.h", std::string("#include ") + include + "\n"),
            ContainsSubstring("a public header includes only"));
    }
}

TEST_CASE("ui and app see nothing of the engine but its public headers")
{
    CHECK_THAT(
        violationOf("ui/live/bad.cpp", "#include \"base/clock.h\"\n"), ContainsSubstring("leads outside"));
    CHECK_THAT(violationOf("ui/live/bad.cpp", "#include \"../../engine/base/clock.h\"\n"),
        ContainsSubstring("leads outside"));
    CHECK_THAT(
        violationOf("app/cli/bad.cpp", "#include <base/clock.h>\n"), ContainsSubstring("only <loadstone/"));
    CHECK_THAT(violationOf("app/cli/bad.cpp", "#include \"ui/history/page.h\"\n"),
        ContainsSubstring("leads outside"));
}

TEST_CASE("Qt stays in ui and the workbench, and its charts in ui/charts")
{
    CHECK_THAT(
        violationOf("engine/base/bad.cpp", "#include <QString>\n"), ContainsSubstring("Qt in the engine"));
    CHECK_THAT(violationOf("app/cli/bad.cpp", "#include <QtCore/QString>\n"), ContainsSubstring("has none"));
    for (const char* header :
        { "QChartView", "QtCharts/QChart", "QLineSeries", "QValueAxis", "QLegendMarker" }) {
        CAPTURE(header);
        CHECK_THAT(violationOf("ui/live/bad.cpp", std::string("#include <") + header + ">\n"),
            ContainsSubstring("QtCharts outside ui/charts"));
    }
}

TEST_CASE("no row of a QFormLayout is hidden")
{
    CHECK_THAT(violationOf("ui/lab/bad.cpp", "m_form->setRowVisible(field, false);\n"),
        ContainsSubstring("use FormRows"));
    CHECK(violationOf("ui/lab/good.cpp", "m_form->showRow(field, false);\n").empty());
}

TEST_CASE("slow headers, long files, missing licences and rooms without a row are found")
{
    CHECK_THAT(violationOf("engine/plan/model/bad.h", "#include <nlohmann/json.hpp>\n"),
        ContainsSubstring("one .cpp"));
    CHECK(violationOf("engine/plan/model/good.h", "#include <nlohmann/json_fwd.hpp>\n").empty());
    CHECK(violationOf("tests/long.cpp", std::string(599, '\n')).empty());
    CHECK_THAT(
        violationOf("tests/long.cpp", std::string(600, '\n')), ContainsSubstring("longer than 600 lines"));
    CHECK_THAT(violationOf("engine/magic/a.h", ""), ContainsSubstring("does not know"));
    const Tree tree;
    tree.write("tests/bare.cpp", "int x;\n", "");
    CHECK(checkTree(tree.root()).violations
        == std::vector<std::string> { "tests/bare.cpp:1: no SPDX-License-Identifier in the first lines" });
}

TEST_CASE("a class in more than two files is refused, unless its head says why")
{
    const auto violations = [](const std::string& head, std::size_t files, const std::string& method) {
        const Tree tree;
        tree.write("engine/base/wide.h", head + "class Wide {\n};\n");
        for (std::size_t i = 0; i < files; ++i)
            tree.write("engine/base/wide" + std::to_string(i) + ".cpp", method);
        return checkTree(tree.root()).violations;
    };
    const std::string method = "Result<std::vector<int>> Wide::all() const\n{\n    return {};\n}\n";
    CHECK(violations("", 2, method).empty());
    const auto refused = violations("", 3, method);
    REQUIRE(refused.size() == 1);
    CHECK_THAT(refused.front(), ContainsSubstring("engine/base: Wide: has methods in 3 files"));
    CHECK(violations("", 3, "Wide::Wide(int value)\n    : m_value(value)\n").size() == 1);
    CHECK(violations("", 3, "Wide::~Wide() = default;\n").size() == 1);
    CHECK(violations("", 3, "    Wide::all();\n").empty()); // a call
    CHECK(violations("", 3, "void Wide::Part::all()\n").size() == 1);
    CHECK(
        violations("/// All of it.\n/// Several files: one for each of its commands.\n", 3, method).empty());
    CHECK(violations("/// Several files: \n", 3, method).size() == 1);
    CHECK(violations("/// Several files: of another class.\nclass Other {\n};\n", 3, method).size() == 1);
}

TEST_CASE("the storage room knows nothing of the analysis")
{
    CHECK_THAT(violationOf("engine/storage/test/bad.cpp", "#include \"analysis/window/window.h\"\n"),
        ContainsSubstring("room storage may not include room analysis"));
}
