// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

using namespace loadstone;
using namespace std::chrono_literals;

namespace {

std::string edited(const std::string& text, const std::string& path, const std::string& toml)
{
    Document document(text);
    REQUIRE(document.set(path, toml));
    return document.text();
}

const std::string kPlan = R"(format = 1
kind = "mail"
title = "Test"
seed = 42

[target]
user = "u{n:3}"
first_number = 7
password = "secret"
connect_timeout = "5 s"

[target.smtp]
host = "10.0.0.5"
pipelining = true
reuse_connection = true

[target.pop3]
host = "10.0.0.6"
tls = "starttls"

[[workload.steps]]
action = "empty mailbox"

[[workload.steps]]
action = "send message"
size = "10 KB"
recipients = 2

[[workload.steps]]
action = "send message"
size = "20 KB"

[mix]
threads_per_client = 2
mailboxes_per_client = 8
ramp_up = "10 s"
total = "100 s"
ramp_down = "20 s"
quiet_time = "5 s"

[[mixes]]
clients = 3

[[mixes]]
name = "long"
clients = 4
measurement = "200 s"
quiet_time = "7 s"
)";

std::string problemsOf(const plan::LoadedPlan& loaded)
{
    std::string text;
    for (const Problem& problem : loaded.problems)
        text += problem.format("plan.toml") + "\n";
    return text;
}

} // namespace

TEST_CASE("a plan is read with its units, defaults and inherited mix values")
{
    const auto loaded = plan::parsePlan(kPlan, "plan.toml");
    REQUIRE(problemsOf(loaded).empty());
    const plan::MailPlan& plan = *loaded.plan.mail();
    CHECK(plan.title == "Test");
    CHECK(plan.seed == 42);
    CHECK(plan.target.connectTimeout == 5s);
    CHECK(plan.target.commandTimeout == 60s);
    CHECK(plan.target.smtp.port == 25);
    CHECK(plan.target.smtp.pipelining);
    CHECK(plan.target.smtp.reuseConnection);
    CHECK(plan.target.pop3.port == 110);
    CHECK(plan.target.pop3.tls == plan::TlsMode::starttls);
    CHECK(plan.target.pop3.auth == plan::AuthMethod::automatic);
    CHECK(plan.recipientsPerIteration() == 3);
    CHECK(plan.readsMailboxes());
    REQUIRE(plan.mixes.size() == 2);
    CHECK(plan.mixes[0].name == "Mix 1");
    CHECK(plan.mixes[0].measurement == 70s);
    CHECK(plan.mixes[0].mailboxes() == 24);
    CHECK(plan.mixes[0].threads() == 6);
    CHECK(plan.mixes[1].measurement == 200s);
    CHECK(plan.mixes[1].quietTime == 7s);
    CHECK(plan.drain == 70s); // covers the delivery limit, and the visits that prove what is lost
    CHECK(plan.length() == 105s + 230s + 70s); // the drain instead of the last quiet time
    CHECK(plan.workload.steps[1].line == 24);
}

TEST_CASE("logins and certificates are read by protocol")
{
    using plan::AuthMethod;
    const std::string tls = "tls = \"starttls\"\nverify_certificate = true\nserver_name = \"mail.lab.test\"\n"
                            "ca_file = \"/lab/ca.pem\"\n";
    for (const auto& [text, method] : { std::pair("plain", AuthMethod::plain),
             std::pair("login", AuthMethod::login), std::pair("sasl-login", AuthMethod::saslLogin),
             std::pair("cram-md5", AuthMethod::cramMd5), std::pair("scram-sha-1", AuthMethod::scramSha1),
             std::pair("scram-sha-256", AuthMethod::scramSha256), std::pair("xoauth2", AuthMethod::xoauth2),
             std::pair("oauthbearer", AuthMethod::oauthBearer),
             std::pair("automatic", AuthMethod::automatic) }) {
        std::string all = "format = 1\nkind = \"mail\"\n[target]\npassword = \"x\"\n";
        for (const char* protocol : { "smtp", "pop3", "imap" })
            all += std::string("[target.") + protocol + "]\nauth = \"" + text + "\"\n" + tls;
        const auto loaded = plan::parsePlan(all
                + "[workload]\n[[workload.steps]]\naction = \"empty mailbox\"\n[[mixes]]\nclients = 1\n"
                  "threads_per_client = 1\nmailboxes_per_client = 1\nmeasurement = \"1 min\"\n",
            "plan.toml");
        CAPTURE(text, problemsOf(loaded));
        REQUIRE(loaded.ok());
        const plan::Target& target = loaded.plan.mail()->target;
        for (const plan::Endpoint& endpoint :
            { plan::Endpoint(target.smtp), target.pop3, plan::Endpoint(target.imap) }) {
            CHECK(endpoint.auth == method);
            CHECK(endpoint.nameInTls() == "mail.lab.test");
            CHECK(endpoint.caFile == "/lab/ca.pem");
        }
    }
    CHECK(plan::Endpoint().nameInTls() == "127.0.0.1");
    plan::Endpoint linkLocal;
    linkLocal.host = "fe80::1%lo";
    CHECK(linkLocal.nameInTls() == "fe80::1");
}

TEST_CASE("a server shows its certificate unless the plan says that it need not, which the notes repeat")
{
    const auto withPop3 = [](const std::string& lines) {
        return plan::parsePlan("format = 1\nkind = \"mail\"\n[target]\npassword = \"x\"\n[target.pop3]\n"
                + lines
                + "[workload]\n[[workload.steps]]\naction = \"empty mailbox\"\n[[mixes]]\nclients = 1\n"
                  "threads_per_client = 1\nmailboxes_per_client = 1\nmeasurement = \"1 min\"\n",
            "plan.toml");
    };
    for (const char* tls : { "tls = \"starttls\"\n", "tls = \"implicit\"\n" }) {
        const auto silent = withPop3(tls);
        CAPTURE(tls, problemsOf(silent));
        REQUIRE(silent.ok());
        CHECK(silent.plan.mail()->target.pop3.verifies());
        CHECK(plan::notesOf(silent.plan).empty());
        const auto trusting = withPop3(std::string(tls) + "verify_certificate = false\n");
        REQUIRE(trusting.ok());
        CHECK_FALSE(trusting.plan.mail()->target.pop3.verifies());
        REQUIRE(plan::notesOf(trusting.plan).size() == 1);
        CHECK_THAT(plan::notesOf(trusting.plan)[0],
            ContainsSubstring("target.pop3") && ContainsSubstring("nothing proves that 127.0.0.1:"));
        CHECK(withPop3(std::string(tls) + "ca_file = \"/lab/ca.pem\"\n").ok());
    }
    const auto clear = withPop3("");
    REQUIRE(clear.ok());
    CHECK_FALSE(clear.plan.mail()->target.pop3.verifies());
    CHECK(plan::notesOf(clear.plan).empty());
    const auto embedded = plan::parsePlan(
        "format = 1\nkind = \"mail\"\n[target]\npassword = \"x\"\n[target.embedded]\n[target.pop3]\ntls = "
        "\"starttls\"\n[workload]\n[[workload.steps]]\naction = \"empty mailbox\"\n[[mixes]]\nclients = 1\n"
        "threads_per_client = 1\nmailboxes_per_client = 1\nmeasurement = \"1 min\"\n",
        "plan.toml");
    REQUIRE(embedded.ok());
    CHECK_FALSE(embedded.plan.mail()->target.pop3.verifies()); // this program's own child
    CHECK(plan::notesOf(embedded.plan).empty());
}

TEST_CASE("mail goes to reserved domains, and to the organisation's own where somebody has allowed it")
{
    std::string text = kPlan;
    text.insert(text.find("user ="),
        "domain = \"Mail.Lab.Company.net\"\nauthorised = \"E. Engineer, owner, 21 November 2026\"\n"
        "authorised_domains = [\"other.net\", \"lab.company.net\"]\n");
    const auto loaded = plan::parsePlan(text, "plan.toml");
    CAPTURE(problemsOf(loaded));
    REQUIRE(loaded.ok());
    CHECK(loaded.plan.mail()->target.domain == "Mail.Lab.Company.net");
    for (const char* domain : { "gmail.com", "GMAIL.COM", "test.gmail.com", "example.com.gmail.com" }) {
        const auto refused =
            plan::parsePlan(edited(text, "target.domain", std::string("\"") + domain + "\""), "plan.toml");
        CHECK_FALSE(refused.ok());
        CHECK_THAT(problemsOf(refused),
            ContainsSubstring("target.domain") && ContainsSubstring("may reach strangers"));
    }
}

TEST_CASE("ports follow from the protocol and TLS when they are not stated")
{
    auto text = edited(kPlan, "target.smtp.lmtp", "true");
    CHECK(plan::parsePlan(text, "p").plan.mail()->target.smtp.port == 24);
    text = edited(kPlan, "target.smtp.tls", "\"implicit\"");
    CHECK(plan::parsePlan(text, "p").plan.mail()->target.smtp.port == 465);
    text = edited(kPlan, "target.pop3.tls", "\"implicit\"");
    CHECK(plan::parsePlan(text, "p").plan.mail()->target.pop3.port == 995);
}

TEST_CASE("load on a public address needs the statement of who has allowed it")
{
    std::string text = kPlan;
    text.replace(text.find("10.0.0.5"), 8, "192.0.2.1");
    CHECK_FALSE(plan::parsePlan(text, "p").ok());
    text.insert(text.find("user ="), "authorised = \"yes\"\n");
    CHECK_FALSE(plan::parsePlan(text, "p").ok()); // says too little
    text.replace(text.find("\"yes\""), 5, "\"E. Engineer, owner of this server, 21 November 2026\"");
    const plan::LoadedPlan loaded = plan::parsePlan(text, "p");
    CHECK(loaded.ok());
    CHECK(loaded.plan.mail()->target.authorised == "E. Engineer, owner of this server, 21 November 2026");
    CHECK(loaded.textWithoutSecrets.find("owner of this server") != std::string::npos); // kept with the run
}

TEST_CASE("the embedded target brings its own endpoints")
{
    const auto loaded = plan::parsePlan(R"(format = 1
kind = "mail"
[target]
password = "p"
[target.embedded]
service_time = "lognormal 20 ms 1.5"
faults = ["lose:0.001", "delay:0.01:5 s"]
[[workload.steps]]
action = "empty mailbox"
[[mixes]]
clients = 1
threads_per_client = 1
mailboxes_per_client = 1
measurement = "10 s"
)",
        "my-plan.toml");
    REQUIRE(problemsOf(loaded).empty());
    CHECK(loaded.plan.head().title == "my-plan");
    CHECK(loaded.plan.mail()->target.smtp.present);
    CHECK(loaded.plan.mail()->target.pop3.present);
    CHECK(loaded.plan.mail()->target.embedded.faults
        == std::vector<std::string> { "lose:0.001", "delay:0.01:5 s" });
}

TEST_CASE("a problem names file, line, column, field, what is wrong and what would be right")
{
    auto text = kPlan;
    text.replace(text.find("total = \"100 s\""), 15, "total = 100");
    const auto loaded = plan::parsePlan(text, "plan.toml");
    CHECK(problemsOf(loaded)
        == "plan.toml:37:9: mix.total: 100 has no unit; write the unit and quotes, as in \"100 s\"\n");
}

TEST_CASE("a file of nothing but mistakes gives a bounded list and stays refused")
{
    std::string text = kPlan;
    for (int i = 0; i < 5000; ++i)
        text += "unknown_key_" + std::to_string(i) + " = 1\n";
    const auto loaded = plan::parsePlan(text, "plan.toml");
    CHECK_FALSE(loaded.ok());
    CHECK(loaded.problems.size() == 101);
    CHECK(loaded.problems.back().message == "4900 more problems are not shown");
}

TEST_CASE("nesting that would exhaust the stack is refused")
{
    for (const std::string& text :
        { std::string("a = ") + std::string(100000, '['), "a" + [] {
             std::string dots;
             for (int i = 0; i < 100000; ++i)
                 dots += ".a";
             return dots;
         }() + " = 1\n" }) {
        const auto loaded = plan::parsePlan(text, "p");
        CHECK_FALSE(loaded.ok());
        CHECK(loaded.problems.size() == 1);
    }
}

TEST_CASE("a plan that cannot be read is an error that names the file")
{
    const auto loaded = plan::loadPlan("/nonexistent/plan.toml");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find("/nonexistent/plan.toml") != std::string::npos);
    CHECK_FALSE(checkPlan("/nonexistent/plan.toml"));
}

TEST_CASE("the drain is as long as the delivery limit by default, and a shorter one is warned of")
{
    const auto drainOf = [](const std::string& top) { return plan::parsePlan(top + kPlan, "plan.toml"); };
    CHECK(drainOf("delivery_limit = \"5 min\"\n").plan.mail()->drain == 310s);
    CHECK(drainOf("delivery_limit = \"1 s\"\n").plan.mail()->drain == 11s);
    CHECK(problemsOf(drainOf("drain = \"61 s\"\n")).empty());
    const std::string problems = problemsOf(drainOf("drain = \"4 s\"\n"));
    CHECK_THAT(problems, ContainsSubstring("\"4 s\" is shorter than delivery_limit, \"1 min\""));
    CHECK_THAT(problems, ContainsSubstring("outstanding, never as lost"));
}

TEST_CASE("who logs in is the mailbox's name, its address or a pattern, for each protocol")
{
    plan::Target target;
    target.user = "u{n:5}";
    target.domain = "lab.test";
    CHECK(plan::loginName(target, target.imap, 42) == "u00042");
    target.login = "{user}@{domain}";
    target.smtp.login = "LAB\\{user}";
    CHECK(plan::loginName(target, target.imap, 42) == "u00042@lab.test");
    CHECK(plan::loginName(target, target.smtp, 42) == "LAB\\u00042");
    const std::string text = "format = 1\nkind = \"mail\"\n[target]\npassword = \"p\"\nlogin = \"address\"\n"
                             "[target.smtp]\nauth = \"plain\"\nlogin = \"user\"\n[target.pop3]\n"
                             "login = \"{user}%{domain}\"\n"
                             "[[workload.steps]]\naction = \"empty mailbox\"\n[[workload.steps]]\n"
                             "action = \"send message\"\nsize = \"1 KB\"\n[mix]\nmailboxes_per_client = 2\n"
                             "threads_per_client = 1\nmeasurement = \"10 s\"\nramp_up = \"1 s\"\n"
                             "[[mixes]]\nclients = 1\n";
    const auto loaded = plan::parsePlan(text, "plan.toml");
    CAPTURE(problemsOf(loaded));
    REQUIRE(loaded.ok());
    CHECK(plan::loginName(loaded.plan.mail()->target, loaded.plan.mail()->target.smtp, 1) == "u1");
    CHECK(plan::loginName(loaded.plan.mail()->target, loaded.plan.mail()->target.pop3, 1) == "u1%load.test");
    CHECK(plan::loginName(loaded.plan.mail()->target, loaded.plan.mail()->target.imap, 1) == "u1@load.test");
}

TEST_CASE("mailbox names carry the number, padded as the pattern says")
{
    plan::Target target;
    target.user = "u{n:5}";
    CHECK(plan::mailboxName(target, 42) == "u00042");
    CHECK(plan::mailboxName(target, 1234567) == "u1234567");
    target.firstNumber = 100;
    CHECK(plan::mailboxName(target, 0) == "u00100");
    target.user = "{n}.load";
    CHECK(plan::mailboxName(target, 5) == "105.load");
    target.user = "a{n:12}b";
    CHECK(plan::mailboxName(target, 5) == "a000000000105b");
}
