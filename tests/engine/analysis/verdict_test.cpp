// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/judgement.h>

using namespace loadstone;

namespace {

/// A run of mail whose only measurement went well.
struct Run {
    RunResults results;
    Judgement judgement;

    Run()
    {
        results.state = RunState::finished;
        results.mixes.resize(1);
        results.mixes[0].name = "40 users";
        results.mixes[0].complete = true;
        results.audit = AuditTotals { 10, 10, 10, 0, 0, 0, 0, 0, 0 };
    }
    Run& state(RunState state)
    {
        results.state = state;
        results.valid = state != RunState::failed && state != RunState::interrupted;
        return *this;
    }
    Run& slow()
    {
        results.valid = false;
        results.invalidReasons = { "the generator was the bottleneck" };
        return *this;
    }
    Run& lost()
    {
        results.audit->lost = 1;
        return *this;
    }
    Run& refused()
    {
        results.valid = false;
        results.mixes[0].nothingSucceeded = "Nothing succeeded.";
        return *this;
    }
    Run& early()
    {
        judgement.cutShort = true;
        results.mixes[0].complete = false;
        return *this;
    }
    Run& unmeasured()
    {
        results.mixes.clear();
        return *this;
    }
    Run& prepares(bool complete)
    {
        judgement.measures = false;
        results.mixes.clear();
        results.preparations.resize(1);
        results.preparations[0].complete = complete;
        return *this;
    }
    Run& criterion(bool met)
    {
        judgement.stated = true;
        judgement.mixes.resize(1);
        judgement.mixes[0].criteria.resize(1);
        judgement.mixes[0].criteria[0].met = met;
        return *this;
    }
    [[nodiscard]] RunVerdict verdict() const { return verdictOf(results, judgement); }
};

} // namespace

TEST_CASE("a criterion that cannot be judged is not one that was missed")
{
    Run run;
    run.criterion(false);
    CHECK(run.verdict().headline
        == "NOT MET: a criterion of the plan is not met. The figures are the server's.");
    run.judgement.mixes[0].criteria[0].cannotTell = true;
    CHECK(run.verdict().verdict == Verdict::notMet);
    CHECK(run.verdict().headline
        == "NOT MET: a criterion of the plan cannot be judged. The figures are the server's.");
    run.judgement.wholeRun.resize(1); // beside one that failed it does not matter
    CHECK(run.verdict().headline
        == "NOT MET: a criterion of the plan is not met. The figures are the server's.");
}

TEST_CASE("a headline does not say more than the remarks below it")
{
    Run run;
    run.results.kind = RunKind::storage;
    CHECK(run.verdict().headline
        == "Valid: the load generator kept up with its plan, the figures are the storage's.");
    run.results.remarks = { "The processors of this machine were busy for 99.3 % of the time." };
    const RunVerdict verdict = run.verdict();
    CHECK(verdict.headline
        == "Valid: the load generator kept up with its plan, the figures are the storage's, with remarks.");
    CHECK(verdict.reasons == run.results.remarks);
    CHECK(run.criterion(false).verdict().headline
        == "NOT MET: a criterion of the plan is not met. The figures are the storage's, with remarks.");
}

TEST_CASE("errors that no criterion judges are beside the word valid")
{
    Run run;
    CHECK(run.verdict().reasons.empty());
    run.results.mixes[0].attempts = 250;
    run.results.mixes[0].failures = 130;
    const RunVerdict verdict = run.verdict();
    CHECK(verdict.verdict == Verdict::measured);
    REQUIRE(verdict.reasons.size() == 1);
    CHECK(verdict.reasons[0]
        == "Of the 250 actions of \"40 users\" 130 failed; the plan states no limit for errors.");
    CHECK(run.criterion(true).verdict().reasons.empty()); // it has been judged
}

TEST_CASE("a run has the worst verdict that applies to it")
{
    using enum RunState;
    CHECK(Run().verdict().verdict == Verdict::measured);
    CHECK(Run().criterion(true).verdict().verdict == Verdict::met);
    CHECK(Run().criterion(false).verdict().verdict == Verdict::notMet);
    CHECK(Run().criterion(true).slow().verdict().verdict == Verdict::invalid);
    CHECK(Run().criterion(false).slow().lost().verdict().verdict == Verdict::wentWrong);
    CHECK(Run().refused().slow().verdict().verdict == Verdict::nothingSucceeded);
    CHECK(Run().criterion(true).state(interrupted).verdict().verdict == Verdict::cutShort);
    CHECK(Run().state(stopped).early().refused().verdict().verdict == Verdict::cutShort);
    CHECK(Run().state(stopped).verdict().verdict == Verdict::measured); // in its drain
    CHECK(Run().state(stopped).unmeasured().early().verdict().verdict == Verdict::nothingMeasured);
    CHECK(Run().state(failed).unmeasured().verdict().verdict == Verdict::failed);
    CHECK(Run().prepares(true).verdict().verdict == Verdict::done);
    CHECK(Run().prepares(false).verdict().verdict == Verdict::notDone);
    CHECK(Run().prepares(false).state(stopped).verdict().verdict == Verdict::cutShort);
    CHECK(Run().criterion(false).slow().state(running).verdict().verdict == Verdict::running);
}

TEST_CASE("only runs that went well are good, and a headline says what is wrong")
{
    CHECK(Run().verdict().good());
    CHECK(Run().criterion(true).verdict().good());
    CHECK(Run().prepares(true).verdict().good());
    CHECK_FALSE(Run().state(RunState::running).verdict().good());
    CHECK_FALSE(Run().criterion(false).verdict().good());
    CHECK_THAT(Run().slow().verdict().headline, ContainsSubstring("INVALID"));
    CHECK_THAT(Run().slow().lost().verdict().headline,
        ContainsSubstring("Mail went wrong") && ContainsSubstring("INVALID"));
    CHECK_THAT(Run().lost().verdict().headline, ContainsSubstring("The figures are valid"));
    const RunVerdict killed = Run().state(RunState::interrupted).slow().verdict();
    CHECK_THAT(killed.headline, ContainsSubstring("CUT SHORT and INVALID"));
    CHECK(killed.reasons.size() == 2); // how it ended, and that the generator was slow
    CHECK_THAT(Run().state(RunState::interrupted).verdict().headline, ContainsSubstring("CUT SHORT"));
    CHECK_THAT(Run().refused().verdict().headline, ContainsSubstring("NOTHING SUCCEEDED"));
    CHECK(Run().refused().verdict().reasons.front() == "Nothing succeeded.");
}
