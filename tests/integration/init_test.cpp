// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/mail_servers.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

using loadstone::test::MailServers;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

constexpr int kMailboxes = 20, kFolders = 5, kEach = 5, kInbox = 3, kDeleted = 2;
constexpr std::size_t kMessages = kMailboxes * (kInbox + kDeleted + kFolders * kEach);

std::string plan(const MailServers& servers)
{
    return fmt::format(R"(format = 1
kind = "mail"
seed = 5
[target]
user = "u{{n:3}}"
password = "secret"
[target.smtp]
port = {}
[target.imap]
port = {}
[workload]
pacing = "users"
profile = "light-4.0"
[workload.initial]
inbox = {}
deleted_items = {}
folders = {}
messages_per_folder = {}
[[mixes]]
users = {}
ramp_up = "1 s"
measurement = "10 s"
)",
        servers.smtpPort(), servers.imapPort(), kInbox, kDeleted, kFolders, kEach, kMailboxes);
}

/// The files in which Dovecot keeps messages; such as go while this looks are left out.
std::vector<std::filesystem::path> messageFiles(const MailServers& servers)
{
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    std::filesystem::recursive_directory_iterator entry(servers.mailFolder(), ignored);
    for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored))
        if (entry->path().filename().string().starts_with("u.")
            && entry->path().parent_path().filename() == "dbox-Mails")
            files.push_back(entry->path());
    return files;
}

/// The tokens of initial messages in these files.
std::set<std::string> tokensIn(const std::vector<std::filesystem::path>& files)
{
    std::set<std::string> tokens;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        for (std::string line; std::getline(in, line);)
            if (line.starts_with("X-Loadstone-Initial: ")) {
                tokens.insert(line.substr(21));
                break;
            }
    }
    return tokens;
}

/// Loadstone's command line for a plan's file.
std::vector<std::string> commandOf(const ScratchFolder& folder, std::vector<std::string> words)
{
    words.insert(
        words.begin(), { LOADSTONE_BIN_DIR "/loadstone", "--history", (folder / "history").string() });
    words.push_back((folder / "init.toml").string());
    return words;
}

/// By folder, as Dovecot's own administration tells it: "INBOX messages=3". Without the two that Dovecot makes by itself,
/// which must stay empty.
std::set<std::string> statusOf(const MailServers& servers, int user)
{
    const ProgramEnd end =
        runProgram({ "doveadm", "-c", servers.dovecotConfig().string(), "mailbox", "status", "-u",
                       fmt::format("u{:03}", user), "messages", "*", "INBOX", "INBOX.*" },
            std::chrono::seconds(20));
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    std::set<std::string> lines;
    std::istringstream in(end.output);
    for (std::string line; std::getline(in, line);)
        if (!line.ends_with("Sent messages=0") && !line.ends_with("Trash messages=0"))
            lines.insert(line);
    return lines;
}

} // namespace

TEST_CASE("Dovecot's mailboxes are filled exactly, though init is killed in the middle, and emptied by clean",
    "[server]")
{
    if (const std::string reason = MailServers::whyNot(); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    MailServers servers;
    const ScratchFolder folder;
    std::ofstream(folder / "init.toml") << plan(servers);
    const auto command = [&](std::vector<std::string> words) { return commandOf(folder, std::move(words)); };
    {
        WatchedProgram init(command({ "init", "--json", "--sessions", "4" }));
        while (messageFiles(servers).size() < kMessages / 5)
            REQUIRE_FALSE(init.ended(std::chrono::milliseconds(1)));
        init.signal(SIGKILL);
        CHECK(init.wait() == 128 + SIGKILL);
    }
    CHECK(messageFiles(servers).size() < kMessages);
    const ProgramEnd resumed = runProgram(command({ "init", "--quiet" }), std::chrono::seconds(60));
    INFO(resumed.output << resumed.errors);
    CHECK(resumed.exitCode == 0);
    const auto files = messageFiles(servers);
    CHECK(files.size() == kMessages);
    CHECK(tokensIn(files).size() == kMessages);
    // Dovecot marks Trash and Sent: they are filled in the places of Deleted Items and Sent Items, as users open them.
    const std::set<std::string> expected { "Folder 001 messages=5", "Folder 002 messages=5",
        "Folder 003 messages=5", "Folder 004 messages=5", "Folder 005 messages=5", "INBOX messages=3",
        "Trash messages=2" };
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user) == expected);

    const ProgramEnd clean = runProgram(command({ "clean", "--yes", "--quiet" }), std::chrono::seconds(60));
    INFO(clean.output << clean.errors);
    CHECK(clean.exitCode == 0);
    CHECK(messageFiles(servers).empty());
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user) == std::set<std::string> { "INBOX messages=0" });
}

TEST_CASE(
    "where folders' names have a prefix init fills those that users open, and clean leaves one that the "
    "server does not delete, tells it and goes on",
    "[server]")
{
    constexpr auto kLogins = MailServers::Logins::simple;
    constexpr auto kFolderNames = MailServers::Folders::prefixed;
    if (const std::string reason = MailServers::whyNot(kLogins, kFolderNames); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    MailServers servers(kLogins, kFolderNames);
    const ScratchFolder folder;
    std::ofstream(folder / "init.toml") << plan(servers);
    const ProgramEnd init = runProgram(commandOf(folder, { "init", "--quiet" }), std::chrono::seconds(60));
    INFO(init.output << init.errors);
    REQUIRE(init.exitCode == 0);
    const std::set<std::string> expected { "INBOX.Folder 001 messages=5", "INBOX.Folder 002 messages=5",
        "INBOX.Folder 003 messages=5", "INBOX.Folder 004 messages=5", "INBOX.Folder 005 messages=5",
        "INBOX messages=3", "INBOX.Trash messages=2" };
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user) == expected);

    const ProgramEnd run = runProgram(commandOf(folder, { "run", "--json" }), std::chrono::seconds(60));
    INFO(run.output << run.errors);
    const Json results =
        Json::parse(run.output.substr(run.output.rfind('\n', run.output.size() - 2) + 1)).at("results");
    CHECK(results["mixes"][0]["failures"] == 0);
    for (const Json& row : results["mixes"][0]["commands"]) // they have what they look for
        CHECK((row["name"] != "IMAP CREATE" || row["count"] == 0));
    std::set<std::string> names { "INBOX.Sent" }; // nor is there another one
    for (const std::string& line : expected)
        names.insert(line.substr(0, line.find(" messages=")));
    for (const std::string& line : statusOf(servers, 0))
        CHECK(names.count(line.substr(0, line.find(" messages="))) == 1);

    const ProgramEnd clean =
        runProgram(commandOf(folder, { "clean", "--yes", "--json" }), std::chrono::seconds(60));
    INFO(clean.output << clean.errors);
    CHECK(clean.exitCode == 0);
    CHECK(clean.output.find("in \\\"INBOX.Folder 002\\\", which the server does not delete")
        != std::string::npos);
    CHECK(messageFiles(servers).empty());
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user)
            == std::set<std::string> { "INBOX messages=0", "INBOX.Folder 002 messages=0" });
}
