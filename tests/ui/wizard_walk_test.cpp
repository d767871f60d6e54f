// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A wizard that is walked through leaves a plan as it is, to the byte; one value that is changed is one line that is changed.
#include "engine/plan/key_documents.h"
#include "forms/value_editor.h"
#include "wizard/text_diff.h"
#include "wizard_fixture.h"

#include <loadstone/plan_file.h>

#include <QLineEdit>

#include <algorithm>
#include <functional>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

const std::filesystem::path kGood = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans/good";

std::vector<std::filesystem::path> planFiles()
{
    std::vector<std::filesystem::path> files = shippedPlans();
    for (const auto& entry : std::filesystem::directory_iterator(kGood))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// All pages, there and back, with each opened wide.
void walk(PlanWizard& wizard)
{
    for (int page = 0; page < wizard.pageCount(); ++page)
        wizard.goTo(page);
    for (int page = wizard.pageCount(); page-- > 0;)
        wizard.goTo(page);
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

bool isHeader(const std::string& line)
{
    return line.starts_with("[");
}

/// Changes lines that stand outside of texts and lists of several lines.
std::string changedLines(
    const std::string& text, const std::function<std::string(const std::string&)>& change)
{
    std::string all;
    bool isText = false;
    int depth = 0;
    for (const std::string& line : linesOf(text)) {
        const bool isPlain = !isText && depth == 0;
        for (std::size_t at = line.find("\"\"\""); at != std::string::npos; at = line.find("\"\"\"", at + 3))
            isText = !isText;
        if (!isText && !isHeader(line))
            for (const char c : line)
                depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        all += isPlain && !isText && depth == 0 ? change(line) : line;
    }
    return all;
}

std::string withoutEnd(const std::string& line)
{
    std::string plain = line;
    while (!plain.empty() && (plain.back() == '\n' || plain.back() == '\r'))
        plain.pop_back();
    return plain;
}

/// Other layouts of a plan that say the same: as people write them.
std::vector<std::string> layoutsOf(const std::string& plan)
{
    std::string text = plan;
    if (text.starts_with("\xef\xbb\xbf"))
        text.erase(0, 3);
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    const auto lines = [&](auto change) { return changedLines(text, change); };
    std::vector<std::string> all;
    all.push_back("# a plan of ours\n\n" + text + "\n\n# the end\n");
    all.push_back(lines([](const std::string& line) {
        return line == "\n" || isHeader(line) ? line : withoutEnd(line) + "  # why\n";
    }));
    all.push_back(lines(
        [](const std::string& line) { return isHeader(line) ? "\n# about this table\n" + line : line; }));
    all.push_back(lines([](const std::string& line) { return isHeader(line) ? line : "\t" + line; }));
    all.push_back(lines([](const std::string& line) { return line + (isHeader(line) ? "" : "\n"); }));
    all.push_back(lines([](const std::string& line) { return withoutEnd(line) + "   \n"; }));
    all.push_back("\xef\xbb\xbf" + text);
    all.push_back(withoutEnd(text));
    all.push_back(lines([](const std::string& line) {
        const std::size_t sign = line.find(" = ");
        return sign == std::string::npos || line.starts_with("#")
            ? line
            : line.substr(0, sign) + "=" + line.substr(sign + 3);
    }));
    all.push_back(lines([](const std::string& line) {
        return isHeader(line) ? line + "# seed = 7\n#[[mixes]]\n# größer ≥ 10 µs\n" : line;
    }));
    std::string windows;
    for (const char c : text)
        windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    all.push_back(windows);
    return all;
}

/// Keys of plain values that the plan states in a line of its own.
std::vector<std::string> plainKeys(const Document& document)
{
    std::vector<std::string> found;
    for (const char* key :
        { "seed", "title", "mixes[0].measurement", "mix.measurement", "target.domain", "target.password",
            "device.size", "load.threads", "groups[0].log", "tests[0].duration", "mixes[1].clients" })
        if (document.getText(key))
            found.emplace_back(key);
    return found;
}

QString another(const std::string& key)
{
    return key == "seed" || key.ends_with("clients") || key.ends_with("threads") ? QStringLiteral("23")
        : key.ends_with("measurement") || key.ends_with("duration")              ? QStringLiteral("43 min")
        : key == "device.size"                                                   ? QStringLiteral("3 GB")
                                                                                 : QStringLiteral("/another");
}

/// One value that is changed through its field changes one line; in a text all on one line, that.
void changeOne(PlanWizard& wizard)
{
    const std::string before = wizard.document().text();
    for (const std::string& key : plainKeys(wizard.document())) {
        INFO(key);
        FieldEditor* editor = wizard.reveal(key);
        REQUIRE(editor != nullptr);
        CHECK(wizard.document().text() == before); // to look at it changes nothing
        typeInto(editor->field(), another(key));
        wizard.page(wizard.currentPage())->commit();
        CHECK(wizard.document().getText(key) == another(key).toStdString());
        const auto diff =
            diffOf(QString::fromStdString(before), QString::fromStdString(wizard.document().text()));
        CHECK(ui::changedLines(diff) == 2); // one removed, one added
        wizard.model().undo();
        REQUIRE(wizard.document().text() == before);
    }
}

} // namespace

TEST_CASE("each shipped plan and each good one is the same after a walk through its wizard")
{
    for (const auto& file : planFiles()) {
        INFO(file);
        auto document = Document::read(file);
        REQUIRE(document);
        const auto wizard = PlanWizard::openFor(*document);
        REQUIRE(wizard);
        (*wizard)->show();
        walk(**wizard);
        (*wizard)->accept();
        CHECK((*wizard)->document().text() == fileText(file));
        CHECK_FALSE((*wizard)->document().isModified());
        CHECK_FALSE((*wizard)->document().canUndo());
    }
}

TEST_CASE("one value that is changed through its field is one line of a hand-written plan")
{
    for (const auto& file : planFiles()) {
        INFO(file);
        const auto document = Document::read(file);
        REQUIRE(document);
        PlanWizard wizard(*document);
        wizard.show();
        changeOne(wizard);
    }
}

TEST_CASE("130 layouts of plans stay as they are written")
{
    std::vector<std::string> plans;
    for (const auto& file : planFiles())
        plans.push_back(fileText(file));
    std::size_t count = 0;
    // One wizard for each kind: what is written is what counts here, and fields are many.
    std::map<RunKind, std::unique_ptr<PlanWizard>> wizards;
    for (const std::string& plan : plans)
        for (const std::string& layout : layoutsOf(plan)) {
            const Document document(layout, "plan.toml");
            INFO(layout);
            REQUIRE(document.isWellFormed());
            auto& wizard = wizards[planKindOf(document)];
            if (!wizard) {
                wizard = std::make_unique<PlanWizard>(document);
                wizard->show();
            } else
                wizard->model().edit([&](Document& edited) -> Result<void> {
                    edited.replaceText(layout);
                    return {};
                });
            REQUIRE(wizard->document().text() == layout);
            for (int page = 0; page < wizard->pageCount(); ++page)
                wizard->goTo(page);
            CHECK(wizard->document().text() == layout);
            ++count;
        }
    CHECK(count >= 130);
}

TEST_CASE("one value is one line in odd layouts as well")
{
    for (const char* name : { "storage-small", "raw-device", "pop-smtp-suite-small" }) {
        const std::string plan = fileText(findPlan(name));
        for (const std::string& layout : layoutsOf(plan)) {
            INFO(layout);
            PlanWizard wizard { Document(layout, "plan.toml") };
            wizard.show();
            const std::string key = plainKeys(wizard.document()).back();
            FieldEditor* editor = wizard.reveal(key);
            REQUIRE(editor != nullptr);
            typeInto(editor->field(), another(key));
            wizard.page(wizard.currentPage())->commit();
            CHECK(wizard.document().getText(key) == another(key).toStdString());
            CHECK(ui::changedLines(diffOf(
                      QString::fromStdString(layout), QString::fromStdString(wizard.document().text())))
                == 2);
        }
    }
}
