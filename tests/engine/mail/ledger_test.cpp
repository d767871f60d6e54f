// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/audit/ledger.h"
#include "support/catch.h"
#include "support/program.h"

#include <algorithm>
#include <map>

using namespace loadstone;
using namespace loadstone::mail;
using Kind = RetrievedMessage::Kind;

namespace {

constexpr Nanoseconds kLimit = std::chrono::seconds(10);
Nanoseconds at(double seconds)
{
    return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

struct Book : Ledger {
    explicit Book(std::size_t limit = kDefaultLimit, const std::filesystem::path& folder = "/nowhere")
        : Ledger(
            kLimit, [](std::uint32_t mailbox) { return "u" + std::to_string(mailbox); }, folder, limit)
    {
    }
    void accept(std::uint64_t id, double when = 1, std::uint32_t mailbox = 0, bool first = true)
    {
        accepted({ id, mailbox, first, false, at(when) });
    }
    void perhaps(std::uint64_t id, double when = 1) { accepted({ id, 0, false, true, at(when) }); }
    void retrieve(std::uint64_t id, double when = 2, bool removed = true, Kind kind = Kind::whole,
        std::uint32_t mailbox = 0)
    {
        retrieved({ kind, id, mailbox, removed, at(when) });
    }
};

/// "once late twice damaged lost outstanding unknown"
std::string totalsOf(const AuditTotals& t)
{
    REQUIRE(t.expected == t.deliveredOnce + t.late + t.twice + t.damaged + t.lost + t.outstanding);
    std::string text;
    for (const std::uint64_t n :
        { t.deliveredOnce, t.late, t.twice, t.damaged, t.lost, t.outstanding, t.unknown })
        text += (text.empty() ? "" : " ") + std::to_string(n);
    return text;
}

std::string concluded(Ledger& ledger, bool drained = true)
{
    REQUIRE(ledger.conclude(drained));
    return totalsOf(ledger.totals());
}

} // namespace

TEST_CASE("a copy is delivered once, late, twice or damaged")
{
    Book book;
    for (std::uint64_t id = 0; id < 5; ++id)
        book.accept(id);
    CHECK(totalsOf(book.totals()) == "0 0 0 0 0 5 0");
    book.retrieve(0);
    book.retrieve(1, 11.5);
    book.retrieve(2);
    book.retrieve(2, 3);
    book.retrieve(2, 4); // three times is twice
    book.retrieve(3, 2, true, Kind::damaged);
    CHECK(totalsOf(book.totals()) == "1 1 1 1 0 1 0");
    CHECK(book.totals().accepted == 5);
    CHECK(book.takeDeliveryTimes().count() == 4);
    CHECK(book.takeDeliveryTimes().empty());
    REQUIRE(book.exceptions().size() == 3);
    CHECK(book.exceptions()[0].kind == AuditFinding::late);
    CHECK(book.exceptions()[1].kind == AuditFinding::twice);
    CHECK(book.exceptions()[2].kind == AuditFinding::damaged);
    CHECK(book.exceptions()[2].mailbox == "u0");
    CHECK(book.exceptions()[2].token == "0000000000000003");
    CHECK(book.exceptions()[2].accepted == at(1));
}

TEST_CASE(
    "what the server has given a new UID is not delivered twice, and what nobody had retrieved is delivered")
{
    Book book;
    book.accept(0);
    book.accept(1);
    book.retrieve(0);
    for (const std::uint64_t id : { 0, 1 })
        book.retrieved({ Kind::whole, id, 0, true, at(3), true });
    CHECK(concluded(book) == "2 0 0 0 0 0 0");
    Book early;
    early.retrieved({ Kind::whole, 7, 0, true, at(1), true });
    early.accept(7);
    CHECK(concluded(early) == "1 0 0 0 0 0 0");
}

TEST_CASE("exactly the limit is not late")
{
    Book book;
    book.accept(0, 1);
    book.retrieve(0, 11);
    CHECK(concluded(book) == "1 0 0 0 0 0 0");
}

TEST_CASE("a message counts once, and each of its copies on its own")
{
    Book book;
    book.accept(7, 1, 0, true);
    book.accept(7, 1, 1, false);
    book.accept(7, 1, 2, false);
    CHECK(book.totals().accepted == 1);
    CHECK(book.totals().expected == 3);
    book.retrieve(7, 2, true, Kind::whole, 1);
    CHECK(book.owingMailboxes() == std::vector<std::uint32_t> { 0, 2 });
    book.readToEnd(0, at(12));
    CHECK(concluded(book) == "1 0 0 0 1 1 0");
    REQUIRE(book.exceptions().size() == 1);
    CHECK(book.exceptions()[0].kind == AuditFinding::lost);
    CHECK(book.exceptions()[0].detail
        == "not in the mailbox, which was read to its end 11.0 s after the acceptance (limit 10 s)");
}

TEST_CASE("only what a mailbox still owes after it was read to its end is lost, and only after a drain")
{
    for (const bool drained : { true, false }) {
        Book book;
        book.accept(1, 1);
        book.accept(2, 5); // the limit was not yet over at the last visit
        book.accept(3, 1, 9); // in a mailbox that was never read
        book.readToEnd(0, at(14));
        book.readToEnd(0, at(2)); // reports may come out of order
        CHECK(concluded(book, drained) == (drained ? "0 0 0 0 1 2 0" : "0 0 0 0 0 3 0"));
    }
}

TEST_CASE(
    "a copy is lost only where its mailbox was read to its end later than acceptance and delivery limit")
{
    for (const auto& [read, totals] : { std::pair(at(10.5), "0 0 0 0 0 1 0"), { at(11), "0 0 0 0 0 1 0" },
             { at(11.001), "0 0 0 0 1 0 0" } }) {
        Book book;
        book.accept(1, 1);
        book.beginDrain(at(2));
        book.readToEnd(0, read);
        CHECK(concluded(book) == totals);
    }
}

TEST_CASE("a copy's first retrieval is told from each later one, whatever was written away")
{
    const test::ScratchFolder scratch;
    Book book(100, scratch.path());
    std::uint64_t first = 0;
    constexpr std::uint64_t kCopies = 2000;
    for (std::uint64_t id = 0; id < kCopies; ++id) {
        if (id % 3 != 0) // acceptances may be reported later
            book.accept(id, 1);
        for (int look = 0; look < 2; ++look)
            first += book.retrieved({ Kind::whole, id, 0, false, at(2 + look) }) ? 1 : 0;
        if (id % 3 == 0)
            book.accept(id, 1);
    }
    CHECK(first == kCopies);
    for (std::uint64_t id = 0; id < kCopies; ++id)
        first += book.retrieved({ Kind::whole, id, 0, id % 2 == 0, at(5) }) ? 1 : 0;
    CHECK(first == kCopies);
    CHECK(concluded(book) == "2000 0 0 0 0 0 0");
}

TEST_CASE(
    "a visit from before the drain proves nothing: the message may still have been in the server's queue")
{
    Book book;
    book.accept(1, 100, 1);
    book.accept(2, 100, 2);
    book.readToEnd(1, at(150));
    book.readToEnd(2, at(150));
    book.beginDrain(at(200));
    book.readToEnd(1, at(199)); // began before the drain, told in it
    book.readToEnd(2, at(201));
    CHECK(concluded(book) == "0 0 0 0 1 1 0");
    REQUIRE(book.exceptions().size() == 1);
    CHECK(book.exceptions()[0].mailbox == "u2");
}

TEST_CASE("a retrieval that is told before its acceptance is judged when that comes")
{
    Book book;
    for (std::uint64_t id = 1; id <= 5; ++id)
        book.retrieve(id, id == 2 ? 20 : 2, true, id == 3 ? Kind::damaged : Kind::whole);
    book.retrieve(4, 3);
    CHECK(totalsOf(book.totals()) == "0 0 0 0 0 0 0");
    for (std::uint64_t id = 1; id <= 4; ++id)
        book.accept(id, 1);
    CHECK(totalsOf(book.totals()) == "1 1 1 1 0 0 0");
    CHECK(concluded(book) == "1 1 1 1 0 0 1"); // the fifth was never accepted
    CHECK(book.exceptions().back().kind == AuditFinding::unknown);
}

TEST_CASE("what is left in a mailbox may be seen again and again")
{
    Book book;
    book.accept(1);
    for (int visit = 0; visit < 4; ++visit)
        book.retrieve(1, 2 + visit, false);
    book.retrieve(1, 8, true);
    CHECK(totalsOf(book.totals()) == "1 0 0 0 0 0 0");
    book.retrieve(1, 9, true);
    CHECK(concluded(book) == "0 0 1 0 0 0 0");
    Book early;
    early.retrieve(1, 2, false);
    early.retrieve(1, 3, false);
    early.accept(1);
    early.retrieve(1, 4, true);
    CHECK(concluded(early) == "1 0 0 0 0 0 0");
}

TEST_CASE("a message whose fate was never told is expected of nobody, whether it comes or not")
{
    Book book;
    book.perhaps(1);
    book.perhaps(2);
    book.retrieve(2);
    book.retrieve(3);
    book.perhaps(3);
    book.readToEnd(0, at(9));
    CHECK(concluded(book) == "0 0 0 0 0 0 0");
    CHECK(book.totals().expected == 0);
    CHECK(book.exceptions().empty());
}

TEST_CASE("what others sent is counted and expected of nobody")
{
    Book book;
    book.foreign({ 3, 2, false });
    book.foreign({ 3, 1, false }); // a visit that broke off
    book.foreign({ 3, 3, false }); // one more has come
    book.foreign({ 4, 1, true });
    book.foreign({ 4, 1, true }); // another one: the first was deleted
    book.foreign({ 3, 3, true });
    CHECK(concluded(book) == "0 0 0 0 0 0 5");
    CHECK(book.exceptions()[0].kind == AuditFinding::unknown);
    CHECK(book.exceptions()[0].token.empty());
}

TEST_CASE("exceptions are bounded, totals are not")
{
    Book book;
    for (std::uint64_t id = 0; id < 3000; ++id) {
        book.accept(id);
        book.retrieve(id, 2, true, Kind::damaged);
    }
    CHECK(book.totals().damaged == 3000);
    CHECK(book.exceptions().size() == Ledger::kMaxExceptions);
}

namespace {

/// What one copy goes through; the model says what it must come to.
struct Fate {
    bool accepted = false, uncertain = false, late = false, damaged = false;
    unsigned sightings = 0; // that remove it
    unsigned keptSightings = 0; // before those
    [[nodiscard]] std::size_t verdict() const // index into the totals; 7: none
    {
        const unsigned seen = sightings + keptSightings;
        if (uncertain || (!accepted && seen == 0))
            return 7;
        if (!accepted)
            return 6;
        if (seen == 0)
            return 4;
        return sightings > 1 ? 2 : damaged ? 3 : late ? 1 : 0;
    }
};

struct Event {
    double order; // when it is told
    std::function<void(Book&)> tell;
};

} // namespace

TEST_CASE(
    "whatever the order of the reports, and whether or not they are written away, the totals are the model's")
{
    const test::ScratchFolder scratch;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        std::array<std::uint64_t, 8> expected {};
        std::vector<Event> events;
        for (std::uint64_t id = 1; id <= 400; ++id) {
            const auto mailbox = static_cast<std::uint32_t>(random.below(20));
            Fate fate;
            fate.accepted = random.below(20) != 0;
            fate.uncertain = fate.accepted && random.below(20) == 0;
            fate.late = random.below(10) == 0;
            fate.damaged = random.below(10) == 0;
            fate.sightings = static_cast<unsigned>(random.below(8) == 0 ? 2 : random.below(8) != 0);
            fate.keptSightings = static_cast<unsigned>(random.below(4) == 0 ? random.below(3) : 0);
            ++expected[fate.verdict()];
            const double accepted = 100 * random.uniform();
            // Reports of an acceptance may be behind by as much as retrievals take.
            if (fate.accepted)
                events.push_back(
                    { accepted + 8 * random.uniform(), [=](Book& book) {
                         book.accepted({ id, mailbox, !fate.uncertain, fate.uncertain, at(accepted) });
                     } });
            for (unsigned i = 0; i < fate.keptSightings + fate.sightings; ++i) {
                const double seen = accepted + (fate.late ? 11 : 0.5) + i;
                events.push_back({ seen, [=](Book& book) {
                                      book.retrieve(id, seen, i >= fate.keptSightings,
                                          fate.damaged ? Kind::damaged : Kind::whole, mailbox);
                                  } });
            }
        }
        std::sort(
            events.begin(), events.end(), [](const Event& a, const Event& b) { return a.order < b.order; });
        std::string want;
        for (std::size_t i = 0; i < 7; ++i)
            want += (i == 0 ? "" : " ") + std::to_string(expected[i]);
        std::size_t exceptions = 0;
        for (const std::size_t limit : { std::size_t { 1 << 20 }, std::size_t { 64 }, std::size_t { 3 } }) {
            Book book(limit, scratch.path());
            for (const Event& event : events) {
                event.tell(book);
                totalsOf(book.totals()); // they add up at any time
            }
            for (std::uint32_t mailbox = 0; mailbox < 20; ++mailbox)
                book.readToEnd(mailbox, at(200));
            INFO("seed " << seed << ", limit " << limit);
            REQUIRE(concluded(book) == want);
            if (limit > 1000)
                exceptions = book.exceptions().size();
            CHECK(book.exceptions().size() == exceptions);
        }
    }
    CHECK(std::filesystem::is_empty(scratch.path())); // the temporary files have no names
}

TEST_CASE("where nothing can be written away, what is not known is outstanding and the run says so")
{
    Book book(16, "/nowhere/at/all");
    for (std::uint64_t id = 1; id <= 100; ++id)
        book.accept(id, static_cast<double>(id) / 100);
    for (std::uint64_t id = 1; id <= 40; ++id)
        book.retrieve(id, 2);
    book.readToEnd(0, at(9));
    const auto result = book.conclude(true);
    REQUIRE_FALSE(result);
    CHECK_THAT(result.error().message, ContainsSubstring("audit is incomplete"));
    CHECK(totalsOf(book.totals()) == "40 0 0 0 0 60 0");
}

TEST_CASE("what mailboxes owe is known by message, and until when it is not lost")
{
    Book book;
    book.accept(9, 2, 3);
    book.accept(4, 1, 3);
    book.accept(5, 1, 7);
    book.accept(6, 1, 7);
    book.perhaps(8);
    book.retrieve(6, 2, true, Kind::whole, 7);
    const OwedCopies owed = book.owed();
    CHECK_FALSE(owed.incomplete);
    REQUIRE(owed.of.size() == 2);
    REQUIRE(owed.of.at(3).size() == 2);
    CHECK(owed.of.at(3)[0].id == 4);
    CHECK(owed.of.at(3)[0].due == at(11));
    CHECK(owed.of.at(3)[1].id == 9);
    REQUIRE(owed.of.at(7).size() == 1);
    CHECK(owed.of.at(7)[0].id == 5);
}

TEST_CASE("mailboxes that may owe something are known even when copies were written away")
{
    const test::ScratchFolder scratch;
    Book book(4, scratch.path());
    for (std::uint32_t mailbox = 0; mailbox < 10; ++mailbox)
        book.accept(mailbox, mailbox, 2 * mailbox);
    const auto owing = book.owingMailboxes();
    for (std::uint32_t mailbox = 0; mailbox < 10; ++mailbox)
        CHECK(std::find(owing.begin(), owing.end(), 2 * mailbox) != owing.end());
    CHECK(std::find(owing.begin(), owing.end(), 1U) == owing.end());
}

TEST_CASE("what is settled is written away first: slow copies keep their delivery times, and what is owed "
          "stays known")
{
    const test::ScratchFolder scratch;
    Book book(100, scratch.path());
    constexpr std::uint64_t kSlow = 20, kAll = 2000;
    for (std::uint64_t id = 0; id < kSlow; ++id)
        book.accept(id, 1, 7);
    for (std::uint64_t id = kSlow; id < kAll; ++id) {
        const double now = static_cast<double>(id);
        book.accept(id, now, 3);
        book.retrieve(id, now + 0.5, true, Kind::whole, 3);
    }
    CHECK(book.owingMailboxes() == std::vector<std::uint32_t> { 7 });
    CHECK(book.outstanding() == kSlow);
    for (std::uint64_t id = 0; id < kSlow; ++id)
        book.retrieve(id, 3000, true, Kind::whole, 7);
    CHECK(book.outstanding() == 0);
    CHECK(book.takeDeliveryTimes().count() == kAll);
    CHECK(concluded(book) == "1980 20 0 0 0 0 0");
}
