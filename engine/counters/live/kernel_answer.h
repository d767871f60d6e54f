// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/kernel_snapshot.h"

#include <string>
#include <string_view>

/// How another machine's shell is asked for files of its kernel, and what it answers. Any POSIX shell does, with grep, ls, tail, tr,
/// head, find and wc as GNU or busybox have them. Nothing is written there, and a request starts a handful of processes, however many
/// files it asks for.
namespace loadstone::counters {

/// What a session begins with; has to be sent once.
std::string answerPreamble();
/// The commands that answer a request. `token`: a random word, which marks our lines among those of files.
/// `treeSeconds`: for how long each tree is counted, where the machine has a program "timeout".
std::string askingScript(const KernelRequest& request, std::string_view token, int treeSeconds);
/// The line that ends an answer, without its newline.
std::string lastLine(std::string_view token);
/// Takes an answer apart. What stands before its begin is left out. An Error: it has no begin or no end.
Result<void> readAnswer(
    std::string_view answer, std::string_view token, const KernelRequest& request, KernelSnapshot& into);

} // namespace loadstone::counters
