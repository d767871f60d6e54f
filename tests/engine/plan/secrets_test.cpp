// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret_mask.h"
#include "plan/model/plan.h"
#include "plan/read/secrets.h"
#include "protocol/sasl/sasl.h"
#include "support/catch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
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
    for (const Problem& problem : loaded.problems)
        CHECK(problem.format("p.toml").find(kSecret) == std::string::npos);
    Document document(text);
    for (const char* path : { "target.nonsense[", "target.password.below.it" })
        if (const auto edited = document.set(path, "1"); !edited)
            CHECK(edited.error().message.find(kSecret) == std::string::npos);
    for (const Problem& problem : document.problems())
        CHECK(problem.format("p.toml").find(kSecret) == std::string::npos);
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

TEST_CASE("a password stays nowhere in the kept plan, comments and descriptions included")
{
    const std::string plan =
        "format = 1\nkind = \"mail\"\ndelivery_limit = \"1 s\"\n"
        "description = \"ask for Tr0ub4dor&3\" # or: Tr0ub4dor%263\n"
        "# AHUAVHIwdWI0ZG9yJjM= is what a client sends\n"
        "[target]\nuser = \"u{n}\"\npassword = \"Tr0ub4dor&3\" # Tr0ub4dor&3\n"
        "[target.embedded]\n[workload]\npacing = \"closed\"\n"
        "[[workload.steps]]\naction = \"send message\"\nsize = \"1 KB\"\nrecipients = 1\n"
        "[mix]\nthreads_per_client = 1\nmailboxes_per_client = 2\n"
        "ramp_up = \"1 s\"\nmeasurement = \"1 s\"\nramp_down = \"1 s\"\n[[mixes]]\nclients = 1\n";
    const auto loaded = plan::parsePlan(plan, "p.toml");
    REQUIRE(loaded.ok());
    INFO(loaded.textWithoutSecrets);
    for (const char* form : { "Tr0ub4dor&3", "Tr0ub4dor%263", "VHIwdWI0ZG9yJjM" })
        CHECK(loaded.textWithoutSecrets.find(form) == std::string::npos);
    CHECK(plan::parsePlan(loaded.textWithoutSecrets, "p.toml").ok());
    CHECK(loaded.textWithoutSecrets.find("kind = \"mail\"") != std::string::npos);

    // One that is a word of the plan's own goes from what people write, and leaves a plan that can be read.
    const std::string word = std::regex_replace(plan, std::regex("Tr0ub4dor&3"), "closed");
    const auto kept = plan::parsePlan(word, "p.toml");
    INFO(kept.textWithoutSecrets);
    CHECK(plan::parsePlan(kept.textWithoutSecrets, "p.toml").ok());
    CHECK(kept.textWithoutSecrets.find("ask for closed") == std::string::npos);
    CHECK(kept.textWithoutSecrets.find("pacing = \"closed\"") != std::string::npos);
    // A short one goes as a word and shreds no others.
    const auto brief = plan::parsePlan(std::regex_replace(plan, std::regex("Tr0ub4dor&3"), "a"), "p.toml");
    CHECK(brief.textWithoutSecrets.find("ask for ***") != std::string::npos);
    CHECK(brief.textWithoutSecrets.find("kind = \"mail\"") != std::string::npos);
}

TEST_CASE("credentials are taken out of what servers say in every form that they travel in")
{
    const SecretMask mask({ "pa55\"w0rd" });
    CHECK(mask.masked("S: 500 what is pa55\"w0rd?") == "S: 500 what is ***?");
    CHECK(mask.masked("a1 LOGIN \"u\" \"pa55\\\"w0rd\"") == "a1 LOGIN \"u\" \"***\"");
    for (const char* login : { "u", "user", "user7", "someone@load.test" }) {
        const std::string text = std::string(1, '\0') + login + std::string(1, '\0') + "pa55\"w0rd";
        const std::string said = mask.masked("S: echo " + protocol::base64Encode(text) + " end");
        CHECK(said == "S: echo *** end");
    }
    CHECK(mask.masked("S: 334 cGE1NSJ3MHJk") == "S: 334 ***"); // LOGIN
    CHECK(mask.masked("nothing of it") == "nothing of it");
}
