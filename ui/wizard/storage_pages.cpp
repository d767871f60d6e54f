// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/storage_pages.h"

#include "banner.h"
#include "format.h"
#include "forms/key_conditions.h"
#include "wizard/group_layout.h"
#include "wizard/preflight_box.h"
#include "wizard/test_programmes.h"
#include "wizard/volume_list.h"

#include <loadstone/units.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace loadstone::ui {

namespace {

double numberAt(const Document& document, const std::string& path)
{
    return std::max(0.0, text(effectiveText(document, path)).toDouble());
}

/// 0 to 1 of "20 %" or 20.
double shareAt(const Document& document, const std::string& path)
{
    QString words = text(effectiveText(document, path)).trimmed();
    if (words.endsWith(QLatin1Char('%')))
        words.chop(1);
    return std::clamp(words.trimmed().toDouble() / 100, 0.0, 0.999);
}

double sizeAt(const Document& document, const std::string& path)
{
    const auto size = parseBytes(effectiveText(document, path));
    return size ? static_cast<double>(*size) : 0;
}

QString sizeWords(double bytes)
{
    return formatSize(static_cast<std::uint64_t>(std::clamp(bytes, 0.0, 1e18)));
}

QString databaseWords(std::size_t count)
{
    return count == 1 ? PlanPage::tr("1 database") : PlanPage::tr("%1 databases").arg(formatCount(count));
}

class SizingLabel : public QLabel {
public:
    explicit SizingLabel(PlanModel& model)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        const auto follow = [this, &model] { setText(sizingWords(model.document())); };
        connect(&model, &DocumentModel::changed, this, follow);
        follow();
    }
};

/// The volumes of this machine above the forms, and a button that does something with the chosen one.
VolumeList* addVolumes(PlanPage& page, QPushButton* button)
{
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* volumes = new VolumeList;
    layout->addWidget(volumes, 1);
    layout->addWidget(button, 0, Qt::AlignTop);
    page.addFixed(box);
    return volumes;
}

} // namespace

QString sizingWords(const Document& document)
{
    std::size_t databases = 0;
    double stated = 0;
    for (std::size_t i = 0; i < document.size("groups"); ++i) {
        const std::string group = "groups[" + std::to_string(i) + "].";
        const std::size_t own = document.size(group + "databases");
        databases += own;
        stated += static_cast<double>(own) * sizeAt(document, group + "database_size");
    }
    const double reserve = shareAt(document, "database.growth_reserve");
    const std::string pacing = effectiveText(document, "load.pacing");
    if (pacing != "mailboxes")
        return PlanPage::tr("%1 of data in %2; %3 with the room to grow.")
            .arg(sizeWords(stated), databaseWords(databases), sizeWords(stated * (1 + reserve)));
    const double mailboxes = numberAt(document, "load.mailboxes");
    const double demand = mailboxes * numberAt(document, "load.iops_per_mailbox");
    const double target = demand / (1 - shareAt(document, "load.headroom"));
    const double data = mailboxes * sizeAt(document, "load.quota");
    return PlanPage::tr(
        "%1 mailboxes: %2 of data in %3 (%4 with the room to grow), and %5 transfers per second.")
        .arg(formatCount(static_cast<std::uint64_t>(std::min(mailboxes, 1e15))), sizeWords(data),
            databaseWords(databases), sizeWords(data * (1 + reserve)), formatValue(target));
}

PlanPage* makeVolumesPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Volumes"),
        PlanPage::tr("Where databases and logs lie, and how much they have to bear. Logs belong on another "
                     "volume than their "
                     "databases. Grey volumes cannot be used; the last column says why."));
    auto* layOut = new QPushButton(PlanPage::tr("&Lay out groups…"));
    VolumeList* volumes = addVolumes(*page, layOut);
    page->addFixed(new PreflightBox(model));
    page->addForm("load",
        { { "pacing", "mailboxes", "iops_per_mailbox", "quota", "headroom", "target_iops", "threads",
            "threads_of" } },
        PlanPage::tr("By mailboxes, by rate, or by threads"));
    page->addBox(new SizingLabel(model));
    page->addForm({}, { { "groups" } });
    QObject::connect(layOut, &QPushButton::clicked, page, [&model, page, volumes] {
        GroupLayout dialog(model, volumes->volumes(), page);
        dialog.exec();
    });
    page->finish();
    return page;
}

PlanPage* makeDatabasesPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Databases"),
        PlanPage::tr("The engine below the load. A preset has the values of a published product version; "
                     "what you enter "
                     "overrides it."));
    page->addForm({}, { { "preset" } });
    page->addForm({}, { { "database", "maintenance", "log_copies" } });
    page->finish();
    return page;
}

PlanPage* makeTransactionsPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Transactions"),
        PlanPage::tr("What a transaction is made of, and how many there are. Without a preset it is 40 % "
                     "inserts, 30 % deletes "
                     "and 5 % replaces; the rest are reads."));
    page->addForm("load");
    page->finish();
    return page;
}

PlanPage* makeTestsPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Tests"),
        PlanPage::tr(
            "The programme, one test after the other. Published results have a performance test of 2 hours, "
            "a stress "
            "test of 24 hours, a streaming backup, and a soft recovery; checksums stand at the end. A quick "
            "look "
            "shows that all works, and is too short to publish."));
    page->addFixed(new TestProgrammes(model));
    page->addForm({}, { { "tests" } });
    page->finish();
    return page;
}

PlanPage* makeThresholdsPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Thresholds"),
        PlanPage::tr("When a test passes. Published tests ask for averages of at most 20 ms for database "
                     "reads and 10 ms for log "
                     "writes."));
    page->addForm("limits");
    page->addForm({}, { { "health" } });
    page->finish();
    return page;
}

PlanPage* makeDevicePage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Device"),
        PlanPage::tr("The file that is read and written, or a block device, on which everything may be "
                     "overwritten. Grey volumes "
                     "cannot be used; the last column says why."));
    auto* use = new QPushButton(PlanPage::tr("Use this v&olume"));
    VolumeList* volumes = addVolumes(*page, use);
    const auto follow = [use, volumes] { use->setEnabled(volumes->chosen() != nullptr); };
    QObject::connect(volumes, &VolumeList::choiceChanged, use, follow);
    follow();
    page->addFixed(new PreflightBox(model));
    page->addForm("device");
    QObject::connect(use, &QPushButton::clicked, page, [&model, volumes] {
        if (const LocalVolume* volume = volumes->chosen())
            model.setValue("device.path", text((volume->folder / "loadstone-raw.dat").string()));
    });
    page->finish();
    return page;
}

} // namespace loadstone::ui
