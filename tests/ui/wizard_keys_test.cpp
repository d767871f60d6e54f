// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of a plan has a field in the wizard of its kind of plan, and what is entered there stands in the plan.
#include "engine/plan/key_documents.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"
#include "wizard_fixture.h"

#include <loadstone/units.h>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// The places of a key in a document: one for each entry of the lists that it is in.
void placesOf(const Document& document, const std::string& path, std::vector<std::string>& to)
{
    const std::size_t list = path.find("[]");
    if (list == std::string::npos) {
        to.push_back(path);
        return;
    }
    for (std::size_t i = 0; i < document.size(path.substr(0, list)); ++i)
        placesOf(document, path.substr(0, list) + "[" + std::to_string(i) + "]" + path.substr(list + 2), to);
}

/// Where the key applies; nothing: nowhere in this plan.
std::optional<std::string> placeOf(const Document& document, const KeyRow& row)
{
    std::vector<std::string> places;
    placesOf(document, std::string(row.path), places);
    const auto applies = [&](const std::string& path) {
        const KeyRow* each = findKey(FileKind::plan, path);
        return each == nullptr || (!isOfOtherKind(document, *each) && whyNot(document, path).isEmpty());
    };
    // With all tables that it is in.
    const auto isGood = [&](std::string path) {
        for (; !path.empty(); path = tableOf(path)) {
            const std::string list = path.ends_with(']') ? path.substr(0, path.rfind('[')) : path;
            if (!applies(path) || !applies(list))
                return false;
        }
        return true;
    };
    const auto place = std::find_if(places.begin(), places.end(), isGood);
    return place == places.end() ? std::nullopt : std::optional(*place);
}

/// A value that the key may have and does not have now.
QString valueFor(const KeyRow& row, const QString& now)
{
    const auto number = [&](double value) {
        QString words = QString::number(value, 'g', 12);
        return words == now ? QString::number(value + 1, 'g', 12) : words;
    };
    const double least = row.least.value_or(0), most = row.most.value_or(1e9);
    switch (row.type) {
    case KeyType::flag:
        return now == QLatin1String("true") ? QStringLiteral("false") : QStringLiteral("true");
    case KeyType::choice:
        for (const std::string_view choice : row.choices)
            if (QString::fromStdString(std::string(choice)) != now)
                return QString::fromStdString(std::string(choice));
        return now;
    case KeyType::integer:
        return number(std::max(least, std::min(most - 1, 7.0)));
    case KeyType::number:
        return number(std::clamp(7.0, least, most));
    case KeyType::duration:
        return QString::fromStdString(
            formatDuration(Nanoseconds(std::llround(std::clamp(37.0, least, most) * 1e9))));
    case KeyType::bytes:
        return QStringLiteral("%1 B").arg(static_cast<qulonglong>(std::max(least, std::min(most, 8192.0))));
    case KeyType::rate:
        return QStringLiteral("3/s");
    case KeyType::percent:
        return QStringLiteral("%1 %").arg(std::clamp(17.0, least, most));
    case KeyType::numbers:
        return QStringLiteral("3");
    case KeyType::text:
        return now == QLatin1String("another one") ? QStringLiteral("yet another")
                                                   : QStringLiteral("another one");
    default:
        return QStringLiteral("another");
    }
}

/// The value as the document has it; of a list its first element.
std::string saidOf(const Document& document, const std::string& path)
{
    return document.getText(path).value_or(document.getText(path + "[0]").value_or(""));
}

/// Whether what is entered into the field of a key stands in the plan.
bool takes(PlanWizard& wizard, const KeyRow& row, const std::string& place)
{
    FieldEditor* editor = wizard.reveal(place);
    if (editor == nullptr)
        return false;
    const auto wizardCommit = [&] { wizard.page(wizard.currentPage())->commit(); };
    // One of the ways in which a secret is kept, or a name that a person chooses.
    if (auto* secret = dynamic_cast<SecretEditor*>(editor); secret != nullptr) {
        const std::string way = editor->row().path == row.path ? std::string() : keyOf(row);
        using Way = SecretEditor::Way;
        const Way wanted = way.empty() ? Way::written
            : way == "environment"     ? Way::environment
            : way == "file"            ? Way::file
                                       : Way::prompt;
        if (!stepTo(secret->ways(), static_cast<int>(wanted)))
            return false;
        if (wanted != Way::prompt)
            typeInto(secret->field(), QStringLiteral("another"));
        wizardCommit();
        return wizard.document().getText(place) == (wanted == Way::prompt ? "true" : "another");
    }
    if (row.path.ends_with(".*")) {
        typeInto(editor->field(), QStringLiteral("IS Database = sda, sdb"));
        wizardCommit();
        return wizard.document().getText(tableOf(place) + ".\"IS Database\"[1]") == "sdb";
    }
    const QString value = valueFor(row, QString::fromStdString(saidOf(wizard.document(), place)));
    if (!enter(*editor, value))
        return false;
    wizardCommit();
    return saidOf(wizard.document(), place) == value.toStdString();
}

/// Connections with TLS to all servers, of which there are several.
constexpr const char* kSecure = R"(format = 1
kind = "mail"
[target]
authorised = "The lab's owner, 2026"
smtp = { tls = "implicit" }
pop3 = { tls = "implicit" }
imap = { tls = "implicit" }
caldav = { tls = "implicit" }
carddav = { tls = "implicit" }
[[targets]]
authorised = "The lab's owner, 2026"
smtp = { tls = "implicit" }
pop3 = { tls = "implicit" }
imap = { tls = "implicit" }
caldav = { tls = "implicit" }
carddav = { tls = "implicit" }
[workload]
pacing = "users"
)";

/// A rate that all mixes have in common.
constexpr const char* kRate = R"(format = 1
kind = "raw"
[mix]
rate = "1/s"
[[mixes]]
)";

/// Plans with a place for each key: those of the reader's test, and some for keys that stand in no other.
std::vector<std::string> documents()
{
    std::vector<std::string> all;
    for (const char* plan : test::plans())
        all.emplace_back(plan);
    all.insert(all.end(), { kSecure, kRate });
    all.push_back("lab = \"l\"\n" + all[0]
        + "[profile]\ntext = \"x\"\n[[profiles]]\nname = \"p\"\ntext = \"y\"\n[[targets]]\nname = "
          "\"one\"\nimap = { idle = true, tls = \"implicit\" }\n");
    // With a lab, whose items are named: the first plan of each other kind.
    for (const char* kind : { "kind = \"raw\"", "kind = \"storage\"" }) {
        const auto ofKind = [&](const std::string& plan) { return plan.find(kind) != std::string::npos; };
        const auto plan = std::find_if(test::plans().begin(), test::plans().end(), ofKind);
        REQUIRE(plan != test::plans().end());
        all.push_back("lab = \"l\"\n" + std::string(*plan));
    }
    return all;
}

} // namespace

TEST_CASE("each key of a plan is set through its field and found in the plan")
{
    std::set<std::string> left;
    for (const KeyRow& row : keysOf(FileKind::plan))
        left.emplace(row.path);
    std::vector<std::string> refused;
    for (const std::string& text : documents()) {
        PlanWizard wizard { Document(text, "plan.toml") };
        wizard.show();
        const std::set<std::string> fields = wizard.keys();
        for (const KeyRow& row : keysOf(FileKind::plan)) {
            const std::string path(row.path);
            if (!left.contains(path))
                continue;
            const auto place = placeOf(wizard.document(), row);
            if (!place)
                continue;
            if (row.type == KeyType::table || row.type == KeyType::tables) {
                if (fields.contains(path)) // has a group or a list, whose keys are set below
                    left.erase(path);
                continue;
            }
            if (takes(wizard, row, *place))
                left.erase(path);
            else
                refused.push_back(*place + " of " + text.substr(0, 40));
            while (wizard.model().document().canUndo())
                wizard.model().undo();
            REQUIRE(wizard.document().text() == text);
        }
    }
    CAPTURE(refused);
    CAPTURE(left);
    CHECK(left.empty()); // the keys without a field
}
