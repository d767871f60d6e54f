// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/mailbox_list.h>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace loadstone;

namespace {

struct Plan {
    std::string user = "u{n:2}", password = "\"secret\"", login = "user", domain = "load.test",
                pop3 = "auth = \"automatic\"";
    std::uint64_t mailboxes = 3;
};

Result<std::string> listOf(const Plan& plan, MailboxListFormat format, MailboxListOptions options = {})
{
    const test::ScratchFolder folder;
    const auto file = folder / "plan.toml";
    std::ofstream(file) << fmt::format(
        "format = 1\nkind = \"mail\"\n[target]\ndomain = '{}'\nuser = '{}'\nlogin = '{}'\npassword = {}\n"
        "[target.pop3]\nport = 21110\n{}\n[workload]\n[[workload.steps]]\naction = \"list mailbox\"\n"
        "[[mixes]]\nclients = 1\nthreads_per_client = 1\nmailboxes_per_client = {}\nmeasurement = \"1 h\"\n",
        plan.domain, plan.user, plan.login, plan.password, plan.pop3, plan.mailboxes);
    options.format = format;
    std::string text;
    const auto list = listMailboxes(file, options, [&](std::string_view lines) -> Result<void> {
        text += lines;
        CHECK(lines.size() < 70'000); // a piece, not the whole
        CHECK(lines.ends_with('\n'));
        return {};
    });
    if (!list)
        return list.error();
    CHECK(list->mailboxes == plan.mailboxes);
    return text;
}

constexpr MailboxListFormat kAll[] { MailboxListFormat::csv, MailboxListFormat::passwdFile,
    MailboxListFormat::ldif, MailboxListFormat::dovecot, MailboxListFormat::postfix };

} // namespace

TEST_CASE("a plan's mailboxes are listed in each format, with the password that the plan states")
{
    CHECK(listOf({}, MailboxListFormat::csv).value()
        == "name,address,login,password\nu00,u00@load.test,u00,secret\nu01,u01@load.test,u01,secret\n"
           "u02,u02@load.test,u02,secret\n");
    Plan one;
    one.mailboxes = 1;
    one.login = "address";
    CHECK(listOf(one, MailboxListFormat::passwdFile).value()
        == "u00:secret:::u00@load.test:/home/u00:/usr/sbin/nologin\n");
    CHECK(listOf(one, MailboxListFormat::ldif).value()
        == "version: 1\n\ndn: uid=u00,dc=load,dc=test\nobjectClass: inetOrgPerson\nuid: u00\ncn: u00\nsn: "
           "u00\n"
           "mail: u00@load.test\nuserPassword: secret\n");
    CHECK(listOf(one, MailboxListFormat::dovecot).value() == "u00@load.test:{PLAIN}secret::::::\n");
    CHECK(listOf(one, MailboxListFormat::postfix).value() == "u00@load.test load.test/u00/\n");
    MailboxListOptions below;
    below.base = "ou=people,dc=lab";
    CHECK_THAT(listOf(one, MailboxListFormat::ldif, below).value(),
        ContainsSubstring("dn: uid=u00,ou=people,dc=lab\n"));
    for (const MailboxListFormat format : kAll)
        CHECK(mailboxListFormatOf(toString(format)) == format);
    CHECK_FALSE(mailboxListFormatOf("xml"));
}

TEST_CASE("a password that the plan does not state itself is in no list unless it is asked for")
{
    ::setenv("LOADSTONE_TEST_PASSWORD", "hidden", 1);
    Plan plan;
    plan.password = "{ environment = \"LOADSTONE_TEST_PASSWORD\" }";
    for (const MailboxListFormat format : kAll) {
        INFO(toString(format));
        const auto list = listOf(plan, format);
        if (format == MailboxListFormat::passwdFile) { // accounts without one would be open to all
            REQUIRE_FALSE(list);
            CHECK_THAT(list.error().message, ContainsSubstring("--with-passwords"));
        } else
            CHECK(list.value().find("hidden") == std::string::npos);
    }
    CHECK(listOf(plan, MailboxListFormat::csv).value().starts_with("name,address,login\nu00,"));
    CHECK(listOf(plan, MailboxListFormat::dovecot).value().starts_with("u00:::::::\n"));
    MailboxListOptions with;
    with.withPasswords = true;
    CHECK(listOf(plan, MailboxListFormat::dovecot, with).value().starts_with("u00:{PLAIN}hidden::::::\n"));
    ::unsetenv("LOADSTONE_TEST_PASSWORD");
    CHECK_FALSE(listOf(plan, MailboxListFormat::csv, with)); // asked for, and not there
    plan.password = "{ prompt = true }";
    CHECK_FALSE(listOf(plan, MailboxListFormat::csv, with));
    with.password = "typed";
    CHECK_THAT(listOf(plan, MailboxListFormat::csv, with).value(), ContainsSubstring(",typed\n"));
}

TEST_CASE("a token of OAuth is no password of a mailbox")
{
    Plan plan;
    plan.pop3 = "auth = \"xoauth2\"";
    plan.password = "\"ya29.token\"";
    MailboxListOptions with;
    with.withPasswords = true;
    for (const MailboxListFormat format :
        { MailboxListFormat::csv, MailboxListFormat::ldif, MailboxListFormat::dovecot })
        CHECK(listOf(plan, format, with).value().find("token") == std::string::npos);
    CHECK_FALSE(listOf(plan, MailboxListFormat::passwdFile, with));
}

TEST_CASE("hostile names and passwords are escaped as each format has it, or refused")
{
    Plan plan;
    plan.mailboxes = 1;
    SECTION("a password with separators")
    {
        plan.password = R"('a:b,"c" =d')";
        CHECK_THAT(listOf(plan, MailboxListFormat::csv).value(),
            ContainsSubstring("u00,u00@load.test,u00,\"a:b,\"\"c\"\" =d\"\n"));
        CHECK_THAT(
            listOf(plan, MailboxListFormat::ldif).value(), ContainsSubstring("userPassword: a:b,\"c\" =d\n"));
        CHECK(listOf(plan, MailboxListFormat::dovecot).value() == "u00:{PLAIN.b64}YTpiLCJjIiA9ZA==::::::\n");
        CHECK_FALSE(listOf(plan, MailboxListFormat::passwdFile));
    }
    SECTION("a password that is no plain line of LDIF")
    {
        for (const auto& [toml, base64] : { std::pair("\" x\"", "IHg="), std::pair("\": x\"", "OiB4"),
                 std::pair("\"<x\"", "PHg="), std::pair("\"x \"", "eCA="), std::pair("\"p\\nq\"", "cApx"),
                 std::pair("\"\\u00fc\"", "w7w=") }) {
            plan.password = toml;
            INFO(toml);
            CHECK_THAT(listOf(plan, MailboxListFormat::ldif).value(),
                ContainsSubstring(fmt::format("userPassword:: {}\n", base64)));
        }
        plan.password = "\"p\\nq\"";
        CHECK(listOf(plan, MailboxListFormat::dovecot).value() == "u00:{PLAIN.b64}cApx::::::\n");
        CHECK_FALSE(listOf(plan, MailboxListFormat::passwdFile));
        CHECK_THAT(listOf(plan, MailboxListFormat::csv).value(), ContainsSubstring("\"p\nq\"\n"));
    }
    SECTION("a login with a colon, which plans cannot have")
    {
        plan.login = "lab:{user}";
        for (const MailboxListFormat format : kAll)
            CHECK_FALSE(listOf(plan, format));
    }
    SECTION("a name with the signs of distinguished names")
    {
        plan.user = "#a=+b{n}";
        CHECK_THAT(listOf(plan, MailboxListFormat::ldif).value(),
            ContainsSubstring("dn: uid=\\#a\\=\\+b0,dc=load,dc=test\n"));
        CHECK_FALSE(listOf(plan, MailboxListFormat::dovecot)); // it would be a comment
        CHECK_FALSE(listOf(plan, MailboxListFormat::postfix));
        CHECK_FALSE(listOf(plan, MailboxListFormat::passwdFile));
    }
    SECTION("a name that leads elsewhere")
    {
        for (const char* user : { "../u{n}", "a/{n}" }) {
            plan.user = user;
            CHECK_FALSE(listOf(plan, MailboxListFormat::postfix));
            CHECK_FALSE(listOf(plan, MailboxListFormat::passwdFile));
        }
    }
    SECTION("a base on several lines")
    {
        MailboxListOptions below;
        below.base = "dc=a\nuserPassword: x";
        const std::string text = listOf(plan, MailboxListFormat::ldif, below).value();
        CHECK(text.find("\nuserPassword: x") == std::string::npos);
        CHECK_THAT(text, ContainsSubstring("dn:: "));
    }
}

TEST_CASE("100,000 mailboxes are listed piece by piece")
{
    Plan plan;
    plan.mailboxes = 100'000;
    plan.user = "u{n}";
    const std::string text = listOf(plan, MailboxListFormat::dovecot).value();
    CHECK(std::count(text.begin(), text.end(), '\n') == 100'000);
    CHECK(text.ends_with("u99999:{PLAIN}secret::::::\n"));
}

TEST_CASE("a list ends where it cannot be written")
{
    const test::ScratchFolder folder;
    const auto file = findPlan("pop-smtp-suite-small");
    unsigned calls = 0;
    const auto list = listMailboxes(file, {}, [&](std::string_view) -> Result<void> {
        ++calls;
        return fail("the disk is full");
    });
    REQUIRE_FALSE(list);
    CHECK(list.error().message == "the disk is full");
    CHECK(calls == 1);
    for (const char* other : { "raw-device", "storage-small", "no-such-plan" })
        CHECK_FALSE(listMailboxes(findPlan(other), {}, [](std::string_view) -> Result<void> { return {}; }));
}

TEST_CASE("a list in a file is new, and its owner's alone")
{
    const test::ScratchFolder folder;
    const auto file = folder / "list.csv";
    REQUIRE(listMailboxes(findPlan("pop-smtp-suite-small"), {}, file));
    struct stat facts { };
    REQUIRE(::stat(file.c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
    const auto again = listMailboxes(findPlan("pop-smtp-suite-small"), {}, file);
    REQUIRE_FALSE(again);
    CHECK_THAT(again.error().message, ContainsSubstring("list.csv"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {})
        == 1); // nothing half-written beside it
}
