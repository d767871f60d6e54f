// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/kernel_snapshot.h"

namespace loadstone::counters {

void KernelRequest::add(const KernelRequest& other)
{
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(files, other.files);
    append(folders, other.folders);
    append(entries, other.entries);
    append(firstArguments, other.firstArguments);
    append(trees, other.trees);
    everyProcess = everyProcess || other.everyProcess;
    interfaceStates = interfaceStates || other.interfaceStates;
}

std::string_view KernelSnapshot::text(std::string_view file) const
{
    const auto found = files.find(file);
    return found == files.end() ? std::string_view() : std::string_view(found->second);
}

const std::vector<std::string>* KernelSnapshot::namesIn(std::string_view folder) const
{
    const auto found = folders.find(folder);
    return found == folders.end() ? nullptr : &found->second;
}

std::string KernelSnapshot::reason(std::string_view path) const
{
    const auto found = reasons.find(path);
    return found == reasons.end() ? std::string() : found->second;
}

} // namespace loadstone::counters
