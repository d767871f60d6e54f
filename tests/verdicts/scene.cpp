// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <stdexcept>

namespace loadstone::test {

using Json = nlohmann::json;

namespace {

constexpr auto kProgram = LOADSTONE_BIN_DIR "/loadstone";

std::vector<std::vector<std::string>> csvRows(const std::filesystem::path& file)
{
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> fields { "" };
        for (const char c : line)
            if (c == ',')
                fields.emplace_back();
            else
                fields.back() += c;
        rows.push_back(std::move(fields));
    }
    return rows;
}

/// Place of a column by its header; rows without it are none.
std::size_t columnOf(const std::vector<std::vector<std::string>>& rows, const std::string& name)
{
    if (rows.empty())
        throw std::runtime_error("the target has written no log");
    const auto at = std::find(rows[0].begin(), rows[0].end(), name);
    if (at == rows[0].end())
        throw std::runtime_error("the target's log has no column " + name);
    return static_cast<std::size_t>(at - rows[0].begin());
}

} // namespace

SceneTarget::SceneTarget(const std::filesystem::path& folder, std::vector<std::string> options, const Json& ports)
    : m_commandLog(folder / "commands.csv")
    , m_messageLog(folder / "messages.csv")
{
    std::filesystem::create_directories(folder);
    std::vector<std::string> command { kProgram, "target", "--log", m_commandLog.string(), "--message-log",
        m_messageLog.string() };
    for (const char* protocol : { "smtp", "pop3", "imap" })
        command.insert(command.end(),
            { fmt::format("--{}-port", protocol), std::to_string(ports.is_object() ? ports.value(protocol, 0) : 0) });
    command.insert(command.end(), options.begin(), options.end());
    m_program = std::make_unique<WatchedProgram>(command);
    const auto ready = m_program->line();
    if (!ready)
        throw std::runtime_error("the target did not start");
    m_ready = Json::parse(*ready);
}

const Json& SceneTarget::totals()
{
    if (!m_totals.is_null())
        return m_totals;
    m_program->signal(SIGCONT);
    m_program->signal(SIGTERM);
    for (auto line = m_program->line(); line; line = m_program->line())
        m_totals = Json::parse(*line);
    m_program->wait();
    return m_totals;
}

void SceneTarget::kill()
{
    m_program->signal(SIGKILL);
    m_program->wait();
}

std::size_t SceneTarget::copies(const std::vector<std::string>& fates) const
{
    const auto rows = csvRows(m_messageLog);
    const std::size_t fate = columnOf(rows, "fate");
    return static_cast<std::size_t>(std::count_if(rows.begin() + 1, rows.end(), [&](const auto& row) {
        return row.size() > fate && std::find(fates.begin(), fates.end(), row[fate]) != fates.end();
    }));
}

std::size_t SceneTarget::replies(const std::string& verb) const
{
    const auto rows = csvRows(m_commandLog);
    const std::size_t name = columnOf(rows, "verb"), replied = columnOf(rows, "replied_ns");
    return static_cast<std::size_t>(std::count_if(rows.begin() + 1, rows.end(), [&](const auto& row) {
        return row.size() > std::max(name, replied) && row[name] == verb && row[replied] != "0";
    }));
}

std::vector<std::string> RunEnd::unmet() const
{
    std::vector<std::string> names;
    const auto add = [&](const Json& criteria) {
        for (const Json& one : criteria)
            if (!one.at("met").get<bool>()) {
                std::string subject = one.value("subject", "");
                if (const auto colon = subject.find(": "); colon != std::string::npos)
                    subject.erase(0, colon + 2); // the volume, which is the machine's
                names.push_back(one.at("criterion").get<std::string>() + (subject.empty() ? "" : " " + subject));
            }
    };
    const Json& criteria = shown.at("judgement").at("criteria");
    for (const Json& mix : criteria.at("mixes"))
        add(mix.at("criteria"));
    add(criteria.at("wholeRun"));
    std::sort(names.begin(), names.end());
    return names;
}

std::uint64_t RunEnd::audit(const char* fate) const
{
    const Json& audit = results().at("audit");
    return audit.is_object() ? audit.value(fate, std::uint64_t { 0 }) : 0;
}

std::string Scene::file(const std::string& name, const std::string& content) const
{
    const auto path = m_folder.path() / name;
    std::ofstream(path) << content;
    return path.string();
}

SceneTarget& Scene::target(const std::vector<std::string>& options)
{
    const auto folder = m_folder.path() / fmt::format("target-{}", m_started++);
    return *m_targets.emplace_back(std::make_unique<SceneTarget>(folder, options));
}

SceneTarget& Scene::restart(std::size_t n, const std::vector<std::string>& options)
{
    m_targets.at(n)->kill();
    const auto folder = m_folder.path() / fmt::format("target-{}", m_started++);
    m_targets[n] = std::make_unique<SceneTarget>(folder, options, m_targets[n]->ports());
    return *m_targets[n];
}

std::vector<std::string> Scene::commandLine(std::vector<std::string> arguments) const
{
    std::vector<std::string> command { kProgram, "--history", (m_folder.path() / "history").string() };
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

ProgramEnd Scene::program(std::vector<std::string> arguments) const
{
    return runProgram(commandLine(std::move(arguments)), std::chrono::seconds(60));
}

RunEnd Scene::run(const std::string& plan, const OnTick& onTick, std::vector<std::string> before,
    const std::map<std::string, std::string>& environment, const std::string& command)
{
    std::vector<std::string> words = std::move(before);
    std::vector<std::string> own { command };
    if (command == "storage")
        own.emplace_back("run");
    own.insert(own.end(), { plan, "--json", "--no-preflight" });
    const auto line = commandLine(own);
    words.insert(words.end(), line.begin(), line.end());
    RunEnd end;
    {
        WatchedProgram program(words, environment);
        std::string phase;
        unsigned tick = 0;
        for (auto text = program.line(); text; text = program.line()) {
            Json json = Json::parse(*text, nullptr, false);
            if (json.is_discarded())
                continue; // cut off by a kill
            const std::string event = json.value("event", "");
            if (event == "phase") {
                phase = json.value("kind", "");
                tick = 0;
            } else if (event == "tick" && onTick)
                onTick(program, phase, ++tick);
            else if (event == "end")
                end.end = std::move(json);
        }
        end.exitCode = program.wait();
    }
    const ProgramEnd shown = program({ "show", "last", "--json" });
    end.showExitCode = shown.exitCode;
    end.shown = Json::parse(shown.output, nullptr, false);
    if (end.shown.is_discarded())
        throw std::runtime_error("show last --json printed no JSON: " + shown.output + shown.errors);
    end.listed = Json::parse(program({ "list", "--json" }).output, nullptr, false);
    end.text = program({ "show", "last" }).output;
    return end;
}

void agree(const std::string& what, std::uint64_t ours, std::uint64_t witness)
{
    insist(ours == witness, fmt::format("{}: the program has {}, the witness {}", what, ours, witness));
}

void insist(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error(what);
}

} // namespace loadstone::test
