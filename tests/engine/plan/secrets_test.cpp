// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"
#include "support/catch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace loadstone;

namespace {

const char* const kSecret = "Tr0ub4dor&3";

/// Nothing that leaves the loader but `text` may hold the password.
void checkHidden(const std::string& text)
{
    const auto loaded = plan::parsePlan(text, "p.toml");
    CHECK(loaded.text == text);
    INFO(loaded.textWithoutSecrets);
    CHECK(loaded.textWithoutSecrets.find(kSecret) == std::string::npos);
    for (const PlanProblem& problem : loaded.problems)
        CHECK(problem.format("p.toml").find(kSecret) == std::string::npos);
    const auto edited = plan::editPlan(text, "target.nonsense[", "1");
    REQUIRE_FALSE(edited);
    CHECK(edited.error().message.find(kSecret) == std::string::npos);
}

} // namespace

TEST_CASE("a password never leaves the loader, however it is written")
{
    const std::string secret = kSecret;
    for (const std::string& text : {
             "[target]\npassword = \"" + secret + "\" # note\nuser = \"u{n}\"\n",
             "target = { password = '" + secret + "', user = \"u{n}\" }\n",
             "target.password = \"\"\"\n" + secret + "\n\"\"\"\n",
             "[target]\npassword = [\"" + secret + "\"]\n",
             "[target]\npassword = { text = \"" + secret + "\" }\n",
             "[target]\npassword = " + secret + "\n", // no TOML
             "[target]\npassword = \"" + secret + "\n",
             "[target]\npassword = \"\"\"\n" + secret + "\n",
             "[target]\n\"password\" = \"" + secret + "\"\nx = = 1\n",
         })
        checkHidden(text);
}

TEST_CASE("taking out the password leaves the rest of the text as it was")
{
    const auto loaded =
        plan::parsePlan("# top\n[target] # t\npassword   =  \"abc\"   # why\nuser = \"u{n}\"\n", "p");
    CHECK(
        loaded.textWithoutSecrets == "# top\n[target] # t\npassword   =  \"***\"   # why\nuser = \"u{n}\"\n");
    const std::string named = "[target]\npassword = { environment = \"NAME\" }\n";
    CHECK(plan::parsePlan(named, "p").textWithoutSecrets == named);
}

TEST_CASE("a password is read from the plan, the environment or a file")
{
    using Kind = plan::PasswordSource::Kind;
    CHECK(plan::readPassword({ Kind::literal, "abc" }).value() == "abc");

    ::setenv("LOADSTONE_TEST_PASSWORD", "from the environment", 1);
    CHECK(plan::readPassword({ Kind::environment, "LOADSTONE_TEST_PASSWORD" }).value()
        == "from the environment");
    ::unsetenv("LOADSTONE_TEST_PASSWORD");
    const auto unset = plan::readPassword({ Kind::environment, "LOADSTONE_TEST_PASSWORD" });
    REQUIRE_FALSE(unset);
    CHECK(unset.error().message.find("LOADSTONE_TEST_PASSWORD") != std::string::npos);

    const auto file =
        std::filesystem::temp_directory_path() / ("loadstone-secret-" + std::to_string(::getpid()));
    std::ofstream(file) << "from a file\r\nsecond line\n";
    CHECK(plan::readPassword({ Kind::file, file.string() }).value() == "from a file");
    std::ofstream(file, std::ios::trunc) << "\n";
    CHECK_FALSE(plan::readPassword({ Kind::file, file.string() }));
    std::filesystem::remove(file);
    CHECK_FALSE(plan::readPassword({ Kind::file, file.string() }));
}
