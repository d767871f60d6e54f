// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/rehearse/virtual_run.h"
#include "support/catch.h"

#include <cmath>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;
using plan::ActionKind;

namespace {

plan::MailPlan usersPlan(std::uint32_t users)
{
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::users;
    plan.workload.day = 8h;
    plan::Profile profile;
    profile.perDay[static_cast<std::size_t>(ActionKind::sendMessage)] = 10;
    profile.perDay[static_cast<std::size_t>(ActionKind::checkInbox)] = 20;
    profile.perDay[static_cast<std::size_t>(ActionKind::browseFolder)] = 5;
    profile.reading.reply = 0.2;
    profile.reading.remove = 0.5;
    profile.reading.move = 0.3;
    profile.addressing.recipients = 2;
    profile.initial.folders = 3;
    profile.initial.messagesPerFolder = 4;
    profile.messages.push_back({ plan::ContentKind::text, 1024, plan::ContentKind::sheet, 5000, false, 1 });
    plan.workload.profile = profile;
    plan::Mix mix;
    mix.name = "users";
    mix.mailboxesPerClient = users;
    mix.rampUp = 8h;
    mix.measurement = 8h;
    plan.mixes.push_back(mix);
    return plan;
}

std::uint64_t countOf(const RehearsedPhase& phase, ActionKind kind)
{
    for (const RehearsedAction& action : phase.actions)
        if (action.kind == kind)
            return action.count;
    return 0;
}

} // namespace

TEST_CASE("a rehearsal does not depend on the number of workers, and does on the seed")
{
    plan::MailPlan plan = usersPlan(97);
    const auto rehearse = [&](unsigned workers) {
        auto run = std::make_unique<VirtualRun>(plan, plan.mixes[0], workers, nullptr);
        REQUIRE(run->run());
        return run;
    };
    const auto one = rehearse(1), four = rehearse(4);
    CHECK(one->intentDigest() == four->intentDigest());
    CHECK(one->messageDigest() == four->messageDigest());
    REQUIRE(one->phases().size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(one->phases()[i].sent == four->phases()[i].sent);
        CHECK(one->phases()[i].recipients == four->phases()[i].recipients);
        CHECK(one->phases()[i].reads == four->phases()[i].reads);
        CHECK(one->phases()[i].bytesSent == four->phases()[i].bytesSent);
        CHECK(one->phases()[i].errors->reads == four->phases()[i].errors->reads);
    }
    plan.seed = 2;
    const auto other = rehearse(1);
    CHECK(other->intentDigest() != one->intentDigest());
    CHECK(other->messageDigest() != one->messageDigest());
}

TEST_CASE("a rehearsal in steady state balances: what is sent is received and read, and answered as often as "
          "it should be")
{
    const plan::MailPlan plan = usersPlan(400);
    VirtualRun run(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(run.run());
    const RehearsedPhase& steady = run.phases()[1];
    CHECK(steady.userDays == Approx(400));
    CHECK(steady.received == steady.recipients); // no delay in front of the delivery
    const auto first = static_cast<double>(steady.firstReads);
    // 10 new messages to 2 each, and a fifth of what is read comes back as one copy: 20 / (1 - 0.2).
    CHECK(std::abs(first / 400 / 25 - 1) < 0.03);
    CHECK(std::abs(static_cast<double>(countOf(steady, ActionKind::reply)) / first / 0.2 - 1) < 0.05);
    CHECK(std::abs(static_cast<double>(steady.deleted) / static_cast<double>(steady.reads) / 0.5 - 1) < 0.05);
    CHECK(std::abs(static_cast<double>(steady.moved) / static_cast<double>(steady.reads) / 0.3 - 1) < 0.05);
    CHECK(std::abs(static_cast<double>(countOf(steady, ActionKind::browseFolder)) / 400 / 5 - 1) < 0.1);
    CHECK(countOf(steady, ActionKind::logon) == 0); // all had logged on in the warm-up
    CHECK(run.phases()[0].logons == 400);
    CHECK(steady.bytesSent / steady.sent > 5000 * 4 / 3); // with the attachment in base64
    CHECK_FALSE(run.queueStays());
}

TEST_CASE("the sampling error of one rehearsal is how far those of other seeds lie apart")
{
    // Half of all mail goes to the members of two lists, and each message brings two thirds of another.
    plan::MailPlan plan = usersPlan(60);
    plan.workload.profile->reading.replyAll = 0.1;
    plan.workload.profile->addressing = { 2, 0.3, 2, 4, 6, 8 };
    struct Figure {
        double (*of)(const RehearsedPhase&);
        double RehearsedErrors::*error;
        double sum = 0, squares = 0, variances = 0;
    };
    Figure figures[] {
        { [](const RehearsedPhase& phase) { return static_cast<double>(phase.sent) / phase.userDays; },
            &RehearsedErrors::sent },
        { [](const RehearsedPhase& phase) { return static_cast<double>(phase.received) / phase.userDays; },
            &RehearsedErrors::received },
        { [](const RehearsedPhase& phase) { return static_cast<double>(phase.reads) / phase.userDays; },
            &RehearsedErrors::reads },
        { [](const RehearsedPhase& phase) { return static_cast<double>(phase.moved) / phase.userDays; },
            &RehearsedErrors::moved },
        { [](const RehearsedPhase& phase) {
             return static_cast<double>(phase.recipients) / static_cast<double>(phase.sent);
         },
            &RehearsedErrors::recipients },
    };
    constexpr int kSeeds = 80; // the spread of so many is known to 8 %
    for (int seed = 1; seed <= kSeeds; ++seed) {
        plan.seed = static_cast<std::uint64_t>(seed);
        VirtualRun run(plan, plan.mixes[0], 1, nullptr);
        REQUIRE(run.run());
        const RehearsedPhase& steady = run.phases()[1];
        REQUIRE(steady.errors);
        for (Figure& figure : figures) {
            const double value = figure.of(steady);
            figure.sum += value;
            figure.squares += value * value;
            figure.variances += std::pow((*steady.errors).*figure.error, 2);
        }
    }
    for (const Figure& figure : figures) {
        const double spread = std::sqrt((figure.squares - figure.sum * figure.sum / kSeeds) / (kSeeds - 1));
        INFO("figure " << &figure - figures << ": " << spread << " between seeds");
        CHECK(std::sqrt(figure.variances / kSeeds) == Approx(spread).epsilon(0.2));
    }
}

TEST_CASE("what the clock brings at random has the error of random counts; where chains wait for each other "
          "there is none")
{
    plan::MailPlan plan = usersPlan(400);
    VirtualRun run(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(run.run());
    for (const RehearsedAction& action : run.phases()[1].actions)
        if (action.kind == ActionKind::browseFolder) // 5 a day, Poisson
            CHECK(action.error.value() == Approx(std::sqrt(5.0 / 400)).epsilon(0.15));
    plan.rehearsal.deliveriesPerSecond = 1;
    VirtualRun limited(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(limited.run());
    CHECK_FALSE(limited.phases()[1].errors);
    CHECK_FALSE(limited.phases()[1].actions[0].error);
}

TEST_CASE("a delivery that is slower than the demand builds up a queue as fast as the difference")
{
    plan::MailPlan plan = usersPlan(400);
    plan.workload.profile->reading = {};
    plan.mixes[0].rampUp = 0s;
    constexpr double kDemand = 400 * 10 * 2 / (8 * 3600.0); // copies a second, 0.278
    plan.rehearsal.deliveriesPerSecond = kDemand / 2;
    VirtualRun run(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(run.run());
    const RehearsedPhase& phase = run.phases().back();
    CHECK(std::abs(phase.queueSlope / (kDemand / 2) - 1) < 0.1);
    REQUIRE(run.queueStays());
    const double stays = seconds(*run.queueStays()) / (50 / (kDemand / 2)); // 50 copies: much is chance
    CHECK(stays > 0.5);
    CHECK(stays < 3);
    REQUIRE(run.queueFails());
    CHECK(std::abs(seconds(*run.queueFails()) / (1000 / (kDemand / 2)) - 1) < 0.15);
    CHECK(phase.received < phase.recipients);

    plan.rehearsal.deliveriesPerSecond = kDemand * 2;
    VirtualRun fast(plan, plan.mixes[0], 1, nullptr);
    REQUIRE(fast.run());
    CHECK_FALSE(fast.queueStays());
    CHECK_FALSE(fast.queueFails());
}

TEST_CASE("a script is rehearsed as it would run")
{
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::closed;
    plan.workload.steps.resize(2);
    plan.workload.steps[0].kind = ActionKind::emptyMailbox;
    plan.workload.steps[1].kind = ActionKind::sendMessage;
    plan.workload.steps[1].recipients = 3;
    plan.workload.steps[1].size = 10240;
    plan::Mix mix;
    mix.mailboxesPerClient = 100;
    mix.threadsPerClient = 10;
    mix.thinkTime = 22s;
    mix.rampUp = 10min;
    mix.measurement = 1h;
    plan.mixes.push_back(mix);
    VirtualRun run(plan, plan.mixes[0], 2, nullptr);
    REQUIRE(run.run());
    const RehearsedPhase& phase = run.phases()[1];
    CHECK(std::abs(static_cast<double>(phase.sent) / (10 * 3600 / 22.02) - 1) < 0.01);
    CHECK(phase.recipients == 3 * phase.sent);
    CHECK(phase.bytesSent == 10240 * phase.sent);
    CHECK(std::abs(static_cast<double>(phase.reads) / static_cast<double>(phase.recipients) - 1) < 0.05);
    CHECK(phase.deleted == phase.reads);
}

TEST_CASE("the published mix as a script of commands: one client of 10 threads, 21.6 s, 1,666 mailboxes, three recipients")
{
    // "Microsoft Exchange: Scalability Testing" (eTesting Labs): 50 clients send 23.1 messages a second and receive 69.2.
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::closed;
    plan.workload.steps.resize(2);
    const auto set = [](plan::Step& step, ActionKind kind, std::initializer_list<const char*> commands) {
        step.kind = kind;
        for (const char* command : commands)
            step.script.push_back((kind == ActionKind::smtpSession ? plan::parseSmtpCommand(command)
                                                                   : plan::parsePop3Command(command))
                                      .value());
    };
    set(plan.workload.steps[0], ActionKind::pop3Session, { "STAT", "RETR {n}", "DELE {n}" });
    set(plan.workload.steps[1], ActionKind::smtpSession,
        { "MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message}" });
    plan.workload.steps[1].recipients = 3;
    plan.workload.steps[1].size = 10240;
    plan::Mix mix;
    mix.mailboxesPerClient = 1666;
    mix.threadsPerClient = 10;
    mix.thinkTime = 21600ms;
    mix.rampUp = 2h;
    mix.measurement = 4h;
    plan.mixes.push_back(mix);
    VirtualRun run(plan, plan.mixes[0], 2, nullptr);
    REQUIRE(run.run());
    const RehearsedPhase& phase = run.phases()[1];
    const auto perSecond = [&](const char* name) {
        for (const RehearsedCommand& command : phase.commands)
            if (command.name == name)
                return static_cast<double>(command.count) / seconds(phase.length);
        return 0.0;
    };
    CHECK(perSecond("SMTP MAIL") == Approx(0.463).epsilon(0.01));
    CHECK(perSecond("SMTP RCPT") == Approx(1.389).epsilon(0.01));
    CHECK(perSecond("SMTP end of data") == perSecond("SMTP MAIL"));
    CHECK(perSecond("POP3 RETR") == Approx(1.389).epsilon(0.01));
    CHECK(perSecond("POP3 DELE") == perSecond("POP3 RETR"));
    CHECK(perSecond("POP3 STAT") == Approx(0.463).epsilon(0.01));
    CHECK(static_cast<double>(phase.sent) / seconds(phase.length) == perSecond("SMTP MAIL"));
    CHECK(phase.recipients == 3 * phase.sent);
    CHECK(static_cast<double>(phase.reads) / seconds(phase.length) == perSecond("POP3 RETR"));
    CHECK(phase.deleted == phase.reads);
    CHECK(phase.connections == phase.logons + phase.sent);
}

TEST_CASE("a rehearsal pauses within sessions as a run does, and is that of the mean")
{
    plan::MailPlan plan;
    plan.workload.pacing = plan::Pacing::closed;
    plan.workload.steps.resize(1);
    plan.workload.steps[0].kind = ActionKind::smtpSession;
    for (const char* command : { "NOOP", "NOOP", "NOOP" })
        plan.workload.steps[0].script.push_back(plan::parseSmtpCommand(command).value());
    plan::Mix mix;
    mix.mailboxesPerClient = 10;
    mix.threadsPerClient = 10;
    mix.request = { 2s, { plan::PauseShape::Kind::exponential, {}, {} } };
    mix.thinkTime = 5s;
    mix.thinkShape.kind = plan::PauseShape::Kind::exponential;
    mix.measurement = 2h;
    plan.mixes.push_back(mix);
    const auto sessions = [&](unsigned workers) {
        VirtualRun run(plan, plan.mixes[0], workers, nullptr);
        REQUIRE(run.run());
        return countOf(run.phases()[0], ActionKind::smtpSession);
    };
    const std::uint64_t count = sessions(1);
    CHECK(count == sessions(3));
    CHECK(static_cast<double>(count) == Approx(10 * 7200 / (5 + 2 * 2 + 0.01)).epsilon(0.03));
    plan.seed = 2;
    CHECK(count != sessions(1));
}

TEST_CASE("a rehearsal can be given up")
{
    const plan::MailPlan plan = usersPlan(2000);
    int calls = 0;
    VirtualRun run(plan, plan.mixes[0], 1, [&](double share) {
        CHECK(share >= 0);
        CHECK(share <= 1);
        return ++calls < 3;
    });
    CHECK_FALSE(run.run());
    CHECK(calls == 3);
}
