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

/// By folder, as Dovecot's own administration tells it: "INBOX messages=3". Without the two that Dovecot makes by itself,
/// which must stay empty.
std::set<std::string> statusOf(const MailServers& servers, int user)
{
    const ProgramEnd end = runProgram({ "doveadm", "-c", servers.dovecotConfig().string(), "mailbox",
                                          "status", "-u", fmt::format("u{:03}", user), "messages", "*" },
        std::chrono::seconds(20));
    INFO(end.errors);
    REQUIRE(end.exitCode == 0);
    std::set<std::string> lines;
    std::istringstream in(end.output);
    for (std::string line; std::getline(in, line);)
        if (line != "Sent messages=0" && line != "Trash messages=0")
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
    const auto file = folder / "init.toml";
    std::ofstream(file) << plan(servers);
    const auto command = [&](std::initializer_list<std::string> words) {
        std::vector<std::string> all { LOADSTONE_BIN_DIR "/loadstone", "--history",
            (folder / "history").string() };
        all.insert(all.end(), words);
        all.push_back(file.string());
        return all;
    };
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
    const std::set<std::string> expected { "Deleted Items messages=2", "Folder 001 messages=5",
        "Folder 002 messages=5", "Folder 003 messages=5", "Folder 004 messages=5", "Folder 005 messages=5",
        "INBOX messages=3", "Sent Items messages=0" };
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user) == expected);

    const ProgramEnd clean = runProgram(command({ "clean", "--yes", "--quiet" }), std::chrono::seconds(60));
    INFO(clean.output << clean.errors);
    CHECK(clean.exitCode == 0);
    CHECK(messageFiles(servers).empty());
    for (int user = 0; user < kMailboxes; ++user)
        CHECK(statusOf(servers, user) == std::set<std::string> { "INBOX messages=0" });
}
