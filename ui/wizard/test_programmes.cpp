// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/test_programmes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <vector>

namespace loadstone::ui {

Result<void> setTests(Document& document, TestProgramme programme)
{
    std::vector<std::string> tests;
    if (programme == TestProgramme::quick)
        tests.emplace_back("kind = \"performance\"\nduration = \"2 min\"\nwarm_up = \"1 min\"\n");
    else
        tests.emplace_back("kind = \"performance\"\nduration = \"2 h\"\n");
    if (programme == TestProgramme::published)
        tests.emplace_back("kind = \"stress\"\nduration = \"24 h\"\n");
    if (programme != TestProgramme::quick) {
        tests.emplace_back("kind = \"backup\"\n");
        tests.emplace_back("kind = \"recovery\"\n");
    }
    tests.emplace_back("kind = \"checksum\"\n");
    return document.change("tests", [&](Document& changed) -> Result<void> {
        for (const std::string& test : tests)
            if (const auto added = changed.append("tests", test); !added)
                return added;
        // Those that were stand before the new ones; the list is never empty in between.
        for (std::size_t old = changed.size("tests"); old > tests.size(); --old)
            if (const auto gone = changed.remove("tests", 0); !gone)
                return gone;
        return {};
    });
}

TestProgrammes::TestProgrammes(PlanModel& model, QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("Replace them by:"));
    layout->addWidget(label);
    const auto add = [&](const QString& words, const QString& tip, TestProgramme programme) {
        auto* button = new QPushButton(words);
        button->setAutoDefault(false);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, [&model, programme] {
            model.edit([programme](Document& document) { return setTests(document, programme); });
        });
        layout->addWidget(button);
    };
    add(tr("&Quick look (2 min)"),
        tr("A performance test of 2 minutes and checksums: shows that all works, too short to publish"),
        TestProgramme::quick);
    add(tr("Usua&l (2 h)"), tr("A performance test of 2 hours, a backup, a recovery, checksums"),
        TestProgramme::usual);
    add(tr("As &published (26 h)"),
        tr("A performance test of 2 hours, a stress test of 24 hours, a backup, a recovery, checksums"),
        TestProgramme::published);
    layout->addStretch(1);
}

} // namespace loadstone::ui
