// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"

#include <fstream>

namespace loadstone::test {

ProgramEnd Cli::under(std::vector<std::string> command, const std::vector<std::string>& arguments) const
{
    command.emplace_back(LOADSTONE_BIN_DIR "/loadstone");
    command.insert(command.end(), arguments.begin(), arguments.end());
    return runProgram(command, std::chrono::seconds(60), { { "LOADSTONE_HISTORY", file("history") } });
}

ProgramEnd Cli::operator()(const std::vector<std::string>& arguments) const
{
    return under({}, arguments);
}

ProgramEnd Cli::interrupted(const std::string& after, const std::vector<std::string>& arguments) const
{
    return under({ "timeout", "--preserve-status", "--signal=INT", after }, arguments);
}

std::string Cli::file(const std::string& name, const std::string& content) const
{
    const auto path = m_folder.path() / name;
    if (!content.empty())
        std::ofstream(path) << content;
    return path.string();
}

} // namespace loadstone::test
