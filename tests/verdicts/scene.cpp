// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <utility>

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

std::vector<LoggedCommand> SceneTarget::commands()
{
    totals();
    const auto rows = csvRows(m_commandLog);
    const std::size_t protocol = columnOf(rows, "protocol"), verb = columnOf(rows, "verb"), reply = columnOf(rows, "reply"),
                      connection = columnOf(rows, "connection"), received = columnOf(rows, "received_ns"),
                      replied = columnOf(rows, "replied_ns");
    std::vector<LoggedCommand> commands;
    for (auto row = rows.begin() + 1; row != rows.end(); ++row)
        commands.push_back({ row->at(protocol), row->at(verb), row->at(reply), std::stoull(row->at(connection)),
            std::stoull(row->at(received)), std::stoull(row->at(replied)) });
    return commands;
}

std::vector<LoggedCopy> SceneTarget::copies()
{
    totals();
    const auto rows = csvRows(m_messageLog);
    const std::size_t mailbox = columnOf(rows, "mailbox"), fate = columnOf(rows, "fate"),
                      accepted = columnOf(rows, "accepted_ns"), visible = columnOf(rows, "visible_ns");
    std::vector<LoggedCopy> copies;
    for (auto row = rows.begin() + 1; row != rows.end(); ++row)
        copies.push_back({ row->at(mailbox), row->at(fate), std::stoull(row->at(accepted)), std::stoull(row->at(visible)) });
    return copies;
}

std::uint64_t SceneTarget::copies(const std::string& fate)
{
    const auto all = copies();
    return static_cast<std::uint64_t>(std::ranges::count(all, fate, &LoggedCopy::fate));
}

std::uint64_t SceneTarget::answers(
    const std::string& protocol, const std::string& verb, const std::string& reply, double within)
{
    const auto all = commands();
    if (all.empty())
        return 0;
    const std::uint64_t first = std::ranges::min(all, {}, &LoggedCommand::received).received;
    return static_cast<std::uint64_t>(std::ranges::count_if(all, [&](const LoggedCommand& one) {
        return one.protocol == protocol && one.verb == verb && one.reply == reply && one.replied != 0
            && static_cast<double>(one.received - first) / 1e9 < within;
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
    m_targets.at(n)->totals();
    const auto folder = m_folder.path() / fmt::format("target-{}", m_started++);
    auto fresh = std::make_unique<SceneTarget>(folder, options, m_targets[n]->ports());
    m_ended.push_back(std::exchange(m_targets[n], std::move(fresh)));
    return *m_ended.back();
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
    nlohmann::json ended;
    int exitCode = 0;
    unsigned ticks = 0;
    double lasted = 0;
    {
        WatchedProgram program(words, environment);
        std::string phase;
        std::optional<std::chrono::steady_clock::time_point> begun;
        unsigned tick = 0;
        for (auto text = program.line(); text; text = program.line()) {
            Json json = Json::parse(*text, nullptr, false);
            if (json.is_discarded())
                continue; // cut off by a kill
            const auto now = std::chrono::steady_clock::now();
            begun = begun.value_or(now);
            lasted = std::chrono::duration<double>(now - *begun).count();
            const std::string event = json.value("event", "");
            if (event == "phase") {
                phase = json.value("kind", "");
                tick = 0;
            } else if (event == "tick") {
                ++ticks;
                ++tick;
                if (onTick)
                    onTick(program, phase, tick);
            } else if (event == "end")
                ended = std::move(json);
        }
        exitCode = program.wait();
    }
    RunEnd end = last(exitCode);
    end.end = std::move(ended);
    end.ticks = ticks;
    end.lasted = lasted;
    return end;
}

RunEnd Scene::refused(const std::vector<std::string>& arguments, const std::string& why)
{
    const ProgramEnd ended = program(arguments);
    insist((ended.output + ended.errors).find(why) != std::string::npos,
        "it does not say \"" + why + "\": " + ended.output + ended.errors);
    insist(program({ "list", "--json" }).output.empty(), "there is a recording");
    RunEnd end;
    end.exitCode = ended.exitCode;
    return end;
}

RunEnd Scene::last(int exitCode) const
{
    RunEnd end;
    end.exitCode = exitCode;
    const ProgramEnd shown = program({ "show", "last", "--json" });
    end.showExitCode = shown.exitCode;
    end.shown = Json::parse(shown.output, nullptr, false);
    if (end.shown.is_discarded())
        throw std::runtime_error("show last --json printed no JSON: " + shown.output + shown.errors);
    const std::string listed = program({ "list", "--json" }).output;
    end.listed = Json::parse(listed.substr(0, listed.find('\n')), nullptr, false); // the newest comes first
    end.text = program({ "show", "last" }).output;
    return end;
}

std::string agree(const std::string& what, std::uint64_t ours, std::uint64_t witness)
{
    return agree(what, ours, witness, 0);
}

std::string agree(const std::string& what, std::uint64_t ours, std::uint64_t witness, std::uint64_t tolerance)
{
    const std::uint64_t apart = ours > witness ? ours - witness : witness - ours;
    insist(apart <= tolerance, fmt::format("{}: the program has {}, the witness {}", what, ours, witness));
    return fmt::format("{}: {} and {}", what, ours, witness);
}

std::string none(const std::string& what, std::uint64_t witness)
{
    insist(witness == 0, fmt::format("{}: {}", what, witness));
    return what + ": none";
}

std::string agreeTimes(const std::string& what, double ours, double witness, double tolerance)
{
    insist(std::abs(ours - witness) <= tolerance,
        fmt::format("{}: the program has {:.3f} s, the witness {:.3f} s", what, ours, witness));
    return fmt::format("{}: {:.2f} s and {:.2f} s", what, ours, witness);
}

void insist(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error(what);
}

} // namespace loadstone::test
