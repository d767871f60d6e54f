// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect_machine.h"

#include "format.h"
#include "lab/lab_model.h"

#include <QCoreApplication>
#include <QGuiApplication>

#if __has_include(<loadstone/lab_detect.h>)
#include <loadstone/lab_detect.h>
#define LOADSTONE_DETECTS 1
#else
#define LOADSTONE_DETECTS 0
#endif

namespace loadstone::ui {

bool canDetect()
{
    return LOADSTONE_DETECTS != 0;
}

QString detectThisMachine([[maybe_unused]] LabModel& model, [[maybe_unused]] const std::string& machine)
{
#if LOADSTONE_DETECTS
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    const auto found = detectLab();
    QGuiApplication::restoreOverrideCursor();
    if (!found)
        return text(found.error().message);
    std::size_t values = 0, added = 0;
    const bool done = model.edit([&](Document& document) -> Result<void> {
        const auto merged = mergeDetected(document, machine, *found);
        if (!merged)
            return merged.error();
        values = merged->values;
        added = merged->added.size();
        return {};
    });
    if (!done)
        return {};
    QString words = QCoreApplication::translate("LabPage", "%1 values and %2 new items were detected.")
                        .arg(values)
                        .arg(added);
    if (!found->notRead.empty())
        words += QStringLiteral("\n\n")
            + QCoreApplication::translate(
                "LabPage", "What could not be read, and has to be typed where it matters:");
    for (const NotRead& missing : found->notRead)
        words += QStringLiteral("\n• ") + text(missing.format());
    return words;
#else
    return {};
#endif
}

} // namespace loadstone::ui
