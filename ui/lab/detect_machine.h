// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>

#include <QString>

class QWidget;

namespace loadstone::ui {

class LabModel;

/// Whether this build can find out what a machine is.
bool canDetect();
/// Asks what the machine is on which this program runs, and writes it to the item beside what is typed. Blocks for about a second, with
/// a cursor that says so. Empty: it was done; else what could not be read, or what went wrong.
QString detectThisMachine(LabModel& model, const std::string& machine);

} // namespace loadstone::ui
