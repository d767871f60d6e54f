// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Derived counters that the user types.
#include "panel_fixture.h"
#include "run/chart/add_counters_dialog.h"
#include "run/chart/derived_dialog.h"
#include "run/view/counter_set.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Settings without derived counters, before and after.
struct NoDefinitions {
    NoDefinitions() { QSettings().remove(QStringLiteral("counters")); }
    ~NoDefinitions() { QSettings().remove(QStringLiteral("counters")); }
    NoDefinitions(const NoDefinitions&) = delete;
    NoDefinitions& operator=(const NoDefinitions&) = delete;
};

/// What a user types, and what the dialog says to it.
struct Typed {
    DerivedDialog dialog;
    explicit Typed(const QString& formula = {})
        : dialog(mailRun(), {}, formula)
    {
        dialog.setVisible(true);
    }
    QString check(const QString& name, const QString& unit, const QString& formula)
    {
        QSignalSpy checked(&dialog, &DerivedDialog::checked);
        dialog.findChild<QComboBox*>()->setEditText(name);
        const QList<QLineEdit*> fields =
            dialog.findChildren<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        REQUIRE(fields.size() == 2);
        fields[0]->setText(unit);
        fields[1]->setText(formula);
        CHECK_FALSE(canAdd()); // before it has been checked
        REQUIRE(waitUntil([&] { return !checked.isEmpty(); }));
        return checked.back().front().toString();
    }
    [[nodiscard]] bool canAdd() const
    {
        const QList<QPushButton*> buttons = dialog.findChildren<QPushButton*>();
        return std::any_of(buttons.begin(), buttons.end(),
            [](const QPushButton* button) { return button->isDefault() && button->isEnabled(); });
    }
    [[nodiscard]] bool says(const QString& words) const
    {
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().contains(words); });
    }
};

const QString kSent = QStringLiteral("\"\\Loadstone Mail(_Total)\\Messages Sent/sec\"");

} // namespace

TEST_CASE("what is wrong with a derived counter is said as one types, and only a good one can be added")
{
    const NoDefinitions none;
    Typed typed;
    const QString problem = typed.check(QStringLiteral("Sent"), {}, kSent + QStringLiteral(" + 5"));
    CHECK(problem.contains(QStringLiteral("column")));
    CHECK(typed.says(problem));
    CHECK_FALSE(typed.canAdd());
    typed.dialog.accept();
    CHECK(derivedDefinitions().empty());
    CHECK(typed.check(QStringLiteral("Sent"), {}, QStringLiteral("\"\\Nothing\\There\""))
              .contains(QStringLiteral("fits no counter")));
    CHECK(typed.check(QStringLiteral("Sent"), QStringLiteral("%"), kSent)
              .contains(QStringLiteral("not in \"%\"")));
    CHECK(typed
              .check(QStringLiteral("Sent a minute"), QStringLiteral("messages/min"),
                  kSent + QStringLiteral(" * 60"))
              .isEmpty());
    CHECK(typed.says(QStringLiteral("in messages/min, computed from one counter")));
    CHECK(typed.canAdd());
    typed.dialog.accept();
    REQUIRE(derivedDefinitions().size() == 1);
    CHECK(derivedDefinitions().front().text()
        == QStringLiteral("Sent a minute [messages/min] = ") + kSent + QStringLiteral(" * 60"));

    // It can be changed by its name, and deleted.
    Typed again;
    again.dialog.findChild<QComboBox*>()->textActivated(QStringLiteral("Sent a minute"));
    CHECK(again.dialog.definition().formula == kSent + QStringLiteral(" * 60"));
    CHECK(again.check(QStringLiteral("Sent a minute"), {}, kSent).isEmpty());
    again.dialog.accept();
    REQUIRE(derivedDefinitions().size() == 1);
    CHECK(derivedDefinitions().front().formula == kSent);
    removeDerivedDefinition(QStringLiteral("Sent a minute"));
    CHECK(derivedDefinitions().empty());
}

TEST_CASE("a derived counter that the user has defined is a line of every run that has its parts, and of "
          "named sets")
{
    const NoDefinitions none;
    keepDerivedDefinition({ QStringLiteral("Twice sent"), {}, kSent + QStringLiteral(" * 2") });
    const LineKey line = derivedLine(QStringLiteral("Twice sent"));
    Shown shown;
    shown.panel.addLines({ line });
    shown.read();
    const int row = shown.legend().rowOf(line);
    REQUIRE(row >= 0);
    const auto view = shown.read();
    CHECK(shown.cell(row, LegendModel::Unit) == QStringLiteral("messages/s"));
    const LineKey sent = LineKey::ofCounter(counterOf(Quantity::messagesSent));
    shown.panel.addLines({ sent });
    shown.read();
    const double average = shown.legend().statistics(shown.legend().rowOf(sent)).average;
    CHECK(average > 0);
    CHECK(shown.legend().statistics(row).average == Approx(2 * average));

    keepCounterSet({ QStringLiteral("Mine"), {} });
    shown.panel.chooseSet(QStringLiteral("Mine"));
    shown.panel.addLines({ line });
    Shown other; // another page, after that
    other.panel.chooseSet(QStringLiteral("Mine"));
    other.read();
    CHECK(other.legend().rowOf(line) == 0);

    // Another formula of the same name is another line at once, and a storage run, which has no messages, lacks it.
    keepDerivedDefinition({ QStringLiteral("Twice sent"), {}, kSent + QStringLiteral(" * 3") });
    Shown third;
    third.panel.addLines({ line });
    third.read();
    third.read();
    CHECK(third.legend().statistics(third.legend().rowOf(line)).average == Approx(3 * average));
    Shown storage(storageRun());
    const auto& lines = storage.legend().available();
    CHECK(std::none_of(lines.begin(), lines.end(), [&](const LineInfo& info) { return info.key == line; }));
}

TEST_CASE("a derived counter begins with the counters that are selected")
{
    const NoDefinitions none;
    const Typed typed(QStringLiteral("sum(%1, %2)").arg(quotedPath(QStringLiteral("\\A\\say \"x\"")), kSent));
    CHECK(typed.dialog.definition().formula
        == QStringLiteral("sum(\"\\A\\say \"\"x\"\"\", ") + kSent + QLatin1Char(')'));
    AddCountersDialog dialog({}, {});
    const auto offered = [&] {
        const QList<QPushButton*> buttons = dialog.findChildren<QPushButton*>();
        return std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return button->text().contains(QStringLiteral("Derived")) && !button->isHidden();
        });
    };
    CHECK_FALSE(offered()); // there is nothing to check a formula against
    dialog.setRecording(mailRun(), {});
    CHECK(offered());
}
