// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <filesystem>

using namespace loadstone;
using namespace std::chrono_literals;

namespace {

const std::string kHead =
    "format = 1\nkind = \"raw\"\n[device]\npath = \"/data/loadstone.raw\"\nsize = \"1 GB\"\n"
    "[[mixes]]\ndepth = 4\nmeasurement = \"60 s\"\n";

plan::LoadedPlan parsed(const std::string& counters)
{
    return plan::parsePlan(kHead + counters, "p.toml");
}

} // namespace

TEST_CASE("each kind of source of counters is read with what belongs to it", "[counters]")
{
    const auto loaded =
        plan::loadPlan(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans/good/counters.toml");
    REQUIRE(loaded);
    REQUIRE(loaded->ok());
    const auto& sources = loaded->plan.head().counters;
    REQUIRE(sources.size() == 4);
    CHECK(sources[0].name == "gen");
    CHECK(sources[0].role == plan::ComputerRole::generator);
    CHECK(sources[0].every == 2s);
    CHECK(sources[0].timeLimit == 1600ms); // the default of 4 s would not be over before the next reading
    const auto& local = std::get<plan::LocalHostSource>(sources[0].from).reads;
    CHECK(local.processes == std::vector<std::string> { "dovecot/imap", "service:postfix" });
    CHECK(local.postfixQueue == "/var/spool/postfix");
    REQUIRE(local.volumes.size() == 1);
    CHECK(local.volumes[0].first == "Databases");
    CHECK(local.volumes[0].second == std::vector<std::string> { "sda", "sdb" });
    CHECK(sources[1].timeLimit == 4s);
    const auto& ssh = std::get<plan::SshSource>(sources[1].from);
    CHECK(ssh.destination == "bench@ex1");
    CHECK(ssh.reads.processors == std::vector<std::uint32_t> { 1 });
    const auto& exporter = std::get<plan::OpenMetricsSource>(sources[2].from);
    CHECK(exporter.password->kind == plan::PasswordSource::Kind::environment);
    CHECK(exporter.verifyCertificate);
    CHECK(exporter.metrics.size() == 3);
    const auto& command = std::get<plan::CommandSource>(sources[3].from);
    CHECK(command.command == "mailq |\n\ttail -1");
    REQUIRE(command.values.size() == 2);
    CHECK(command.values[1].rises);
    CHECK(command.missingLine == 0.0);
}

TEST_CASE("what a source does on this machine is said in words that name all of it", "[counters]")
{
    const auto text = [](const std::string& keys) {
        const auto loaded = parsed("[[counters]]\nname = \"a\"\n" + keys);
        INFO((loaded.problems.empty() ? "" : loaded.problems.front().format("p")));
        REQUIRE(loaded.ok());
        return plan::agreementText(loaded.plan.head().counters.at(0));
    };
    CHECK(text("host = true\n") == "");
    CHECK(text("host = true\npostfix = \"/var/spool/postfix\"\n") == "read the folder /var/spool/postfix");
    CHECK(text("ssh = \"bench@ex1\"\n") == "connect with ssh to bench@ex1");
    CHECK(text("command = \"mailq | wc -l\"\n") == "run mailq | wc -l");
    CHECK(text("openmetrics = \"http://ex1:9100/metrics\"\n") == "");
    CHECK(
        text("openmetrics = \"https://ex1/m\"\nca_file = \"/lab.pem\"\ntoken = { file = \"/lab/.token\" }\n")
        == "read the file /lab.pem\nsend the first line of the file /lab/.token to https://ex1/m");
    CHECK(text("openmetrics = \"http://ex1/m\"\nuser = \"u\"\npassword = { environment = \"HOME\" }\n")
        == "send the environment variable HOME to http://ex1/m");
    CHECK(text("openmetrics = \"https://ex1/m\"\nverify_certificate = false\n").empty());
    CHECK(text("openmetrics = \"https://ex1/m\"\nverify_certificate = false\ntoken = { file = \"/t\" }\n")
        == "send the first line of the file /t to https://ex1/m, whose certificate is not verified");
}

TEST_CASE("what a user agrees to cannot be hidden behind blanks and control characters", "[counters]")
{
    const auto isRefused = [](const std::string& keys) {
        return !parsed("[[counters]]\nname = \"a\"\n" + keys).ok();
    };
    const std::string eight(8, ' ');
    CHECK_FALSE(isRefused("command = \"true" + eight + "; mailq\"\n"));
    CHECK(isRefused("command = \"true " + eight + "; mailq\"\n"));
    CHECK(isRefused("command = \"true\\n\\t\\n\\t\\n\\t\\n\\t\\n; mailq\"\n"));
    const std::string exporter = "openmetrics = \"http://ex1/m\"\ntoken = ";
    CHECK_FALSE(isRefused(exporter + "{ file = \"/lab/.token\" }\n"));
    CHECK(isRefused(exporter + "{ file = \"/lab/.token\\nrun ls\" }\n"));
    CHECK(isRefused(exporter + "{ environment = \"HOME\\u001b[2K\" }\n"));
}

TEST_CASE("passwords and tokens of sources are not in the text that is kept", "[counters][secrets]")
{
    const auto loaded =
        parsed("[[counters]]\nname = \"a\"\nopenmetrics = \"http://ex1/m\"\nuser = \"u\"\npassword = "
               "\"Tr0ub4dor\" # Tr0ub4dor\n[[counters]]\nname = \"b\"\nopenmetrics = "
               "\"http://ex2/m\"\ntoken = \"abcdef123\"\n");
    REQUIRE(loaded.ok());
    CHECK(std::get<plan::OpenMetricsSource>(loaded.plan.head().counters[1].from).token->text == "abcdef123");
    CHECK(loaded.textWithoutSecrets.find("Tr0ub4dor") == std::string::npos);
    CHECK(loaded.textWithoutSecrets.find("abcdef123") == std::string::npos);
    CHECK(plan::parsePlan(loaded.textWithoutSecrets, "kept").ok());
    const auto broken = parsed("[[counters]]\ntoken = \"abcdef123\nname =\n");
    CHECK(broken.textWithoutSecrets.find("abcdef123") == std::string::npos);
}
