// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/audit/ledger.h"

#include "base/posix_file.h"
#include "base/random.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace loadstone::mail {

namespace {
constexpr std::size_t kPartitions = 64;
constexpr std::size_t kBlock = 1024; // records buffered per partition
constexpr Nanoseconds kNever { -1 };

/// A Bloom filter: never forgets a key, and takes few others for one.
class KeyFilter {
public:
    explicit KeyFilter(std::size_t bits)
        : m_words(bits / 64 + 1)
    {
    }
    void add(std::uint64_t hash)
    {
        for (unsigned i = 0; i < kProbes; ++i) {
            const std::uint64_t bit = bitOf(hash, i);
            m_words[bit / 64] |= std::uint64_t { 1 } << bit % 64;
        }
    }
    [[nodiscard]] bool has(std::uint64_t hash) const
    {
        for (unsigned i = 0; i < kProbes; ++i)
            if (const std::uint64_t bit = bitOf(hash, i); (m_words[bit / 64] >> bit % 64 & 1) == 0)
                return false;
        return true;
    }

private:
    static constexpr unsigned kProbes = 7;
    [[nodiscard]] std::uint64_t bitOf(std::uint64_t hash, unsigned probe) const
    {
        return hashOf({ hash, probe }) % (m_words.size() * 64);
    }
    std::vector<std::uint64_t> m_words;
};

constexpr std::size_t kFilterBits = 320; // for each copy that the map holds: as many bytes as the map takes
} // namespace

/// One file per partition of the keys, written in blocks, read back once.
struct Ledger::Spill {
    struct Record {
        Key key;
        Entry entry;
    };
    struct Partition {
        FileDescriptor file;
        std::vector<Record> buffer;
        std::uint64_t written = 0;
    };
    explicit Spill(std::size_t limit)
        : seen(limit * kFilterBits)
    {
    }
    std::array<Partition, kPartitions> partitions;
    KeyFilter seen; // keys of copies that were seen and written away

    // Of the middle bits: the map takes a key's place from the upper ones, which must differ within a partition.
    static std::size_t partitionOf(const Key& key) { return Hash()(key) >> 24 & (kPartitions - 1); }

    Result<void> open(const std::filesystem::path& folder)
    {
        for (Partition& partition : partitions) {
            std::string name = (folder / ".loadstone-ledger-XXXXXX").string();
            partition.file = FileDescriptor(::mkstemp(name.data()));
            if (!partition.file)
                return systemError(name);
            ::unlink(name.c_str());
        }
        return {};
    }
    Result<void> flush(Partition& partition)
    {
        const auto* bytes = reinterpret_cast<const char*>(partition.buffer.data());
        std::size_t left = partition.buffer.size() * sizeof(Record);
        while (left > 0) {
            const ssize_t n = ::write(partition.file.get(), bytes, left);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return systemError("the audit's temporary file");
            bytes += n;
            left -= static_cast<std::size_t>(n);
        }
        partition.written += partition.buffer.size();
        partition.buffer.clear();
        return {};
    }
    Result<void> put(const Key& key, const Entry& entry)
    {
        if (entry.state != State::outstanding && entry.state != State::uncertain)
            seen.add(Hash()(key));
        Partition& partition = partitions[partitionOf(key)];
        partition.buffer.push_back({ key, entry });
        return partition.buffer.size() < kBlock ? Result<void>() : flush(partition);
    }
    Result<std::vector<Record>> readBack(Partition& partition)
    {
        if (auto flushed = flush(partition); !flushed)
            return flushed.error();
        partition.buffer = {};
        std::vector<Record> records(partition.written);
        auto* bytes = reinterpret_cast<char*>(records.data());
        std::size_t left = records.size() * sizeof(Record);
        off_t at = 0;
        while (left > 0) {
            const ssize_t n = ::pread(partition.file.get(), bytes + at, left, at);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                return systemError("the audit's temporary file");
            at += n;
            left -= static_cast<std::size_t>(n);
        }
        return records;
    }
};

std::size_t Ledger::Hash::operator()(const Key& key) const noexcept
{
    return mixBits(key.id * 0x9e3779b97f4a7c15ULL ^ key.mailbox);
}

Ledger::Ledger(Nanoseconds deliveryLimit, std::function<std::string(std::uint32_t)> nameOf,
    std::filesystem::path spillFolder, std::size_t limit)
    : m_deliveryLimit(deliveryLimit)
    , m_nameOf(std::move(nameOf))
    , m_spillFolder(std::move(spillFolder))
    , m_limit(limit)
{
}

Ledger::~Ledger() = default;

void Ledger::accepted(const AcceptedCopy& copy)
{
    if (copy.mailbox >= m_addressed.size())
        m_addressed.resize(copy.mailbox + 1);
    m_addressed[copy.mailbox] = true;
    const Key key { copy.id, copy.mailbox };
    auto [it, isNew] = m_map.try_emplace(key);
    Entry& entry = it->second;
    if (copy.uncertain) {
        if (isNew)
            entry = { copy.at, State::uncertain, false, false, false };
        else if (entry.state == State::early)
            entry.state = State::extra;
        return makeRoom();
    }
    m_totals.accepted += copy.first ? 1 : 0;
    ++m_totals.expected;
    ++m_totals.outstanding;
    if (isNew) {
        entry = { copy.at, State::outstanding, false, false, false };
    } else if (entry.state == State::early) {
        const Entry early = entry;
        entry = { copy.at, State::outstanding, false, false, false };
        seenEarly(key, entry, early);
    }
    makeRoom();
}

bool Ledger::retrieved(const RetrievedCopy& copy)
{
    const Key key { copy.id, copy.mailbox };
    const bool damaged = copy.kind == RetrievedMessage::Kind::damaged;
    auto [it, isNew] = m_map.try_emplace(key);
    if (isNew) {
        it->second = { copy.at, State::early, !copy.removed, damaged, false };
        const bool first = !m_spill || !m_spill->seen.has(Hash()(key));
        makeRoom();
        return first;
    }
    const bool known = it->second.state != State::outstanding && it->second.state != State::uncertain;
    if (!(copy.again && known))
        seen(key, it->second, copy.at, damaged, copy.removed);
    return !known;
}

void Ledger::explain(std::uint32_t mailbox, Damage damage)
{
    if (m_damages.size() < kMaxExceptions)
        m_damages.try_emplace({ damage.id, mailbox }, std::move(damage.how));
}

void Ledger::foreign(const ForeignMail& mail)
{
    const auto known = m_foreign.find(mail.mailbox);
    const std::uint64_t before = known == m_foreign.end() ? 0 : known->second;
    for (std::uint64_t i = before; i < mail.count; ++i) {
        ++m_totals.unknown;
        except(AuditFinding::unknown, { 0, mail.mailbox }, kNever, "a message that this run did not send");
    }
    if (mail.removed && known != m_foreign.end())
        m_foreign.erase(known);
    else if (!mail.removed && mail.count > before) // a visit that broke off saw fewer than there are
        m_foreign[mail.mailbox] = mail.count;
}

void Ledger::seen(const Key& key, Entry& entry, Nanoseconds at, bool damaged, bool removed)
{
    switch (entry.state) {
    case State::outstanding: {
        const Nanoseconds took = std::max(Nanoseconds(0), at - entry.at);
        --m_totals.outstanding;
        m_delivery.record(took);
        entry.kept = !removed;
        if (damaged) {
            entry.state = State::damaged;
            ++m_totals.damaged;
            std::string how = "its content differs from what was sent";
            if (const auto known = m_damages.find(key); known != m_damages.end())
                how += ": " + known->second;
            return except(AuditFinding::damaged, key, entry.at, std::move(how));
        }
        if (took > m_deliveryLimit) {
            entry.state = State::late;
            ++m_totals.late;
            return except(AuditFinding::late, key, entry.at,
                fmt::format(
                    "delivered after {} (limit {})", formatLatency(took), formatDuration(m_deliveryLimit)));
        }
        entry.state = State::once;
        ++m_totals.deliveredOnce;
        return;
    }
    case State::uncertain:
        entry.state = State::extra;
        entry.kept = !removed;
        return;
    case State::early:
    case State::once:
    case State::late:
    case State::damaged:
    case State::extra:
        if (entry.kept) { // it had been left in the mailbox: seeing it again is no second delivery
            entry.kept = !removed;
            return;
        }
        if (entry.state == State::early || entry.state == State::extra) {
            entry.again = true; // judged when its acceptance is known, if ever
            return;
        }
        (entry.state == State::once          ? m_totals.deliveredOnce
                : entry.state == State::late ? m_totals.late
                                             : m_totals.damaged) -= 1;
        entry.state = State::twice;
        ++m_totals.twice;
        return except(AuditFinding::twice, key, entry.at,
            fmt::format("retrieved again after {}", formatLatency(at - entry.at)));
    case State::twice:
        return;
    }
}

void Ledger::seenEarly(const Key& key, Entry& entry, const Entry& early)
{
    seen(key, entry, early.at, early.spoilt, !early.kept);
    if (early.again)
        seen(key, entry, early.at, early.spoilt, true);
}

void Ledger::beginDrain(Nanoseconds now)
{
    m_lastRead.clear();
    m_readsFrom = now;
}

void Ledger::readToEnd(std::uint32_t mailbox, Nanoseconds began)
{
    if (began < m_readsFrom)
        return;
    if (mailbox >= m_lastRead.size())
        m_lastRead.resize(mailbox + 1, kNever);
    m_lastRead[mailbox] = std::max(m_lastRead[mailbox], began);
}

void Ledger::except(AuditFinding kind, const Key& key, Nanoseconds accepted, std::string detail)
{
    if (m_exceptionsOf[kind]++ < kMaxExceptions)
        m_exceptions.push_back(
            { kind, key.id == 0 && accepted == kNever ? "" : fmt::format("{:016x}", key.id),
                m_nameOf(key.mailbox), std::max(accepted, Nanoseconds(0)), std::move(detail) });
}

std::vector<std::uint32_t> Ledger::owingMailboxes() const
{
    std::vector<std::uint32_t> mailboxes;
    if (m_unsettledSpilled) {
        for (std::uint32_t i = 0; i < m_addressed.size(); ++i)
            if (m_addressed[i])
                mailboxes.push_back(i);
        return mailboxes;
    }
    for (const auto& [key, entry] : m_map)
        if (entry.state == State::outstanding)
            mailboxes.push_back(key.mailbox);
    std::sort(mailboxes.begin(), mailboxes.end());
    mailboxes.erase(std::unique(mailboxes.begin(), mailboxes.end()), mailboxes.end());
    return mailboxes;
}

OwedCopies Ledger::owed() const
{
    OwedCopies owed;
    owed.incomplete = m_unsettledSpilled;
    for (const auto& [key, entry] : m_map)
        if (entry.state == State::outstanding)
            owed.of[key.mailbox].push_back({ key.id, entry.at + m_deliveryLimit });
    for (auto& [mailbox, copies] : owed.of)
        std::sort(copies.begin(), copies.end());
    return owed;
}

void Ledger::makeRoom()
{
    if (m_map.size() < m_limit || !m_trouble.empty())
        return;
    if (!m_spill) {
        m_spill = std::make_unique<Spill>(m_limit);
        if (const auto opened = m_spill->open(m_spillFolder); !opened) {
            m_trouble = opened.error().message;
            return;
        }
    }
    // What is settled goes, as it is only asked for again if it comes twice. Where that is little, the older half goes.
    const auto settled = [](const Entry& entry) { return entry.state >= State::once; };
    const auto done =
        std::count_if(m_map.begin(), m_map.end(), [&](const auto& item) { return settled(item.second); });
    const bool enough = static_cast<std::size_t>(done) >= m_map.size() / 4;
    std::vector<Nanoseconds> times;
    times.reserve(m_map.size());
    for (const auto& item : m_map)
        times.push_back(item.second.at);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const Nanoseconds limit = *middle;
    for (auto it = m_map.begin(); it != m_map.end();) {
        if (enough ? !settled(it->second) : it->second.at > limit) {
            ++it;
            continue;
        }
        m_unsettledSpilled = m_unsettledSpilled || !settled(it->second);
        if (const auto put = m_spill->put(it->first, it->second); !put) {
            m_trouble = put.error().message; // the map stays whole from here on: no more is written away
            return;
        }
        m_map.erase(it++);
    }
}

Result<void> Ledger::joinPartitions(bool drained)
{
    for (const auto& [key, entry] : m_map) // what is left in memory is joined with the rest
        if (const auto put = m_spill->put(key, entry); !put)
            return put.error();
    m_map = {};
    for (Spill::Partition& partition : m_spill->partitions) {
        auto records = m_spill->readBack(partition);
        if (!records)
            return records.error();
        // Acceptances first, then the sightings that found none at their time, in order of time.
        const auto early = std::partition(records->begin(), records->end(),
            [](const Spill::Record& record) { return record.entry.state != State::early; });
        Map map;
        map.reserve(records->size());
        for (auto record = records->begin(); record != early; ++record)
            map.insert_or_assign(record->key, record->entry);
        std::sort(early, records->end(),
            [](const Spill::Record& a, const Spill::Record& b) { return a.entry.at < b.entry.at; });
        for (auto place = early; place != records->end(); ++place) {
            const Spill::Record& record = *place;
            const auto [it, isNew] = map.try_emplace(record.key, record.entry);
            // A sighting that left the copy in its mailbox may have come before the one that removed it: it proves
            // nothing against a copy that was seen.
            const bool owed = it->second.state == State::outstanding || it->second.state == State::uncertain;
            if (!isNew && (owed || !record.entry.kept))
                seenEarly(record.key, it->second, record.entry);
        }
        judge(map, drained);
    }
    return {};
}

void Ledger::judge(Map& map, bool drained)
{
    for (const auto& [key, entry] : map) {
        if (entry.state == State::early) {
            ++m_totals.unknown;
            except(AuditFinding::unknown, key, kNever, "delivered, although the server never accepted it");
        } else if (drained && entry.state == State::outstanding && key.mailbox < m_lastRead.size()
            && m_lastRead[key.mailbox] > entry.at + m_deliveryLimit) {
            --m_totals.outstanding;
            ++m_totals.lost;
            except(AuditFinding::lost, key, entry.at,
                fmt::format(
                    "not in the mailbox, which was read to its end {} after the acceptance (limit {})",
                    formatLatency(m_lastRead[key.mailbox] - entry.at), formatDuration(m_deliveryLimit)));
        }
    }
}

Result<void> Ledger::conclude(bool drained)
{
    if (!m_trouble.empty())
        return fail("the delivery audit is incomplete: " + m_trouble);
    if (m_spill) {
        const AuditTotals before = m_totals;
        const std::size_t told = m_exceptions.size();
        auto joined = joinPartitions(drained);
        if (!joined) { // half a judgement is none
            m_totals = before;
            m_exceptions.resize(told);
        }
        return joined;
    }
    judge(m_map, drained);
    return {};
}

} // namespace loadstone::mail
