// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/load_page.h"

#include "forms/entries_table.h"
#include "forms/entry_list.h"
#include "wizard/load_picture.h"

namespace loadstone::ui {

PlanPage* makeLoadPage(PlanModel& model)
{
    const bool isMail = model.kind() == RunKind::mail;
    auto* page = new PlanPage(model, PlanPage::tr("Load"),
        isMail ? PlanPage::tr(
            "How many users, for how long: the mixes run one after the other. What stands below the table "
            "holds for the chosen mix; what all have in common stands at the end of the page.")
               : PlanPage::tr("How the file is read and written, and how many transfers are under way at "
                              "once: the mixes run "
                              "one after the other."));
    auto* picture = new LoadPicture;
    page->addFixed(picture);
    if (!isMail)
        page->addForm("io", {}, PlanPage::tr("Transfers"));
    KeyForm* mixes = page->addForm({}, { { "mixes" } });
    page->addForm("mix", {}, PlanPage::tr("What all mixes have in common"));
    if (isMail)
        page->addForm(
            {}, { { "final_window", "delivery_limit", "drain" } }, PlanPage::tr("Times of the whole run"));
    EntriesTable* table = mixes->listOf("mixes")->table();
    const auto follow = [&model, picture, isMail] {
        picture->showSteps(loadSteps(model.document()), isMail);
    };
    QObject::connect(&model, &DocumentModel::changed, picture, follow);
    QObject::connect(table, &EntriesTable::currentChanged, picture,
        [picture, table] { picture->setCurrent(table->current()); });
    QObject::connect(picture, &LoadPicture::clicked, table, [table](int step) { table->setCurrent(step); });
    follow();
    picture->setCurrent(table->current());
    page->finish();
    return page;
}

} // namespace loadstone::ui
