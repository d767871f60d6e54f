// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/plan_pages.h"

#include "wizard/load_page.h"
#include "wizard/mail_pages.h"
#include "wizard/storage_pages.h"

namespace loadstone::ui {

namespace {

QString tr(const char* words)
{
    return PlanPage::tr(words);
}

PlanPage* headPage(PlanModel& model)
{
    auto* page = new PlanPage(model, tr("Plan"),
        tr("What the plan is called, and what it tests. Everything that you enter goes into the plan's text; "
           "what you "
           "leave alone stays as it is written."));
    std::vector<std::string> keys { "title", "description", "seed", "workers", "kind", "format" };
    page->addForm({}, { keys });
    page->finish();
    return page;
}

PlanPage* countersPage(PlanModel& model)
{
    auto* page = new PlanPage(model, tr("Counters"),
        tr("Counters of this machine and of the mail server's or storage's own side: a Linux machine over "
           "ssh, an exporter, "
           "or a command. Each is read beside the load and stands in the run's charts."));
    page->addForm({}, { { "counters", "derived" } });
    page->finish();
    return page;
}

PlanPage* labPage(PlanModel& model)
{
    auto* page = new PlanPage(model, tr("Lab"),
        tr("The description of the hardware, which reports print. Each run keeps it as it was."));
    page->addBox(new LabChoice(model));
    page->addForm({}, { { "lab", "variant" } });
    page->finish();
    return page;
}

PlanPage* healthPage(PlanModel& model)
{
    auto* page = new PlanPage(model, tr("Validity"),
        tr("When the generator itself was the bottleneck, and the figures of a run are invalid."));
    page->addForm("health");
    page->finish();
    return page;
}

} // namespace

const std::set<std::string>& optionalTables()
{
    static const std::set<std::string> tables { "target.smtp", "target.pop3", "target.imap", "target.caldav",
        "target.carddav", "target.embedded", "targets[].smtp", "targets[].pop3", "targets[].imap",
        "targets[].caldav", "targets[].carddav", "targets[].embedded", "workload.initial",
        "criteria.processor", "criteria.actions" };
    return tables;
}

std::vector<PageMaker> pagesOf(PlanModel& model, RunKind kind)
{
    PlanModel* of = &model;
    const QString plans = QStringLiteral("plans"), storage = QStringLiteral("storage-plans");
    std::vector<PageMaker> pages { { tr("Plan"), [of] { return headPage(*of); },
        { plans, QStringLiteral("At the top") } } };
    const auto add = [&](const QString& title, PlanPage* (*make)(PlanModel&), const QString& topic,
                         const char* heading) {
        pages.push_back({ title, [of, make] { return make(*of); }, { topic, QLatin1String(heading) } });
    };
    switch (kind) {
    case RunKind::mail:
        add(tr("Servers"), makeServersPage, plans, "[target]");
        add(tr("Mailboxes"), makeMailboxesPage, plans, "Making the mailboxes");
        add(tr("Workload"), makeWorkloadPage, plans, "[workload]");
        add(tr("Load"), makeLoadPage, plans, "[mix]");
        add(tr("Criteria"), makeCriteriaPage, plans, "[criteria]");
        break;
    case RunKind::storage:
        add(tr("Volumes"), makeVolumesPage, storage, "[[groups]]");
        add(tr("Databases"), makeDatabasesPage, storage, "[database]");
        add(tr("Transactions"), makeTransactionsPage, storage, "[load]");
        add(tr("Tests"), makeTestsPage, storage, "[[tests]]");
        add(tr("Thresholds"), makeThresholdsPage, storage, "[limits]");
        break;
    case RunKind::raw:
        add(tr("Device"), makeDevicePage, plans, "Raw device tests");
        add(tr("Load"), makeLoadPage, plans, "Raw device tests");
        add(tr("Validity"), healthPage, plans, "[health]");
        break;
    }
    add(tr("Counters"), countersPage, plans, "[[counters]]");
    add(tr("Lab"), labPage, QStringLiteral("labs"), "");
    return pages;
}

} // namespace loadstone::ui
