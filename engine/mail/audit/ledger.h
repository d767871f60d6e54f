// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/audit/owed_copies.h"
#include "mail/message/message_check.h"

#include <loadstone/histogram.h>
#include <loadstone/result.h>
#include <loadstone/results.h>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loadstone::mail {

/// One recipient's copy of a message that the server accepted (or may have accepted).
struct AcceptedCopy {
    std::uint64_t id = 0;
    std::uint32_t mailbox = 0;
    bool first = false; ///< the message's first copy: counts the message
    bool uncertain = false; ///< no reply was seen: the message may come or not
    Nanoseconds at {}; ///< end of the SMTP transaction, since the run's start
};

/// One message that a mailbox handed out.
struct RetrievedCopy {
    RetrievedMessage::Kind kind = RetrievedMessage::Kind::whole;
    std::uint64_t id = 0;
    std::uint32_t mailbox = 0;
    bool removed = false; ///< deleted for certain: must not come again
    Nanoseconds at {}; ///< since the run's start
    bool again =
        false; ///< the server has given its messages new UIDs: it may be one that was retrieved before
};

/// What one visit saw of messages that this run did not send.
struct ForeignMail {
    std::uint32_t mailbox = 0;
    std::uint64_t count = 0;
    bool removed = false; ///< deleted for certain
};

/// The delivery audit: what became of each copy of each accepted message. Copies may be reported in any order.
/// Memory is bounded: past `limit` copies it goes over to partition files (a hash join at the end, one partition in
/// memory at a time). What is settled goes first; where even that is not enough, copies still outstanding go too, and
/// the live totals then count them so until conclude(), without a delivery time. One thread.
class Ledger {
public:
    static constexpr std::size_t kDefaultLimit = 800'000; // 32 MB; a little more would double the table
    static constexpr std::size_t kMaxExceptions = 1000; ///< kept of each kind

    /// `nameOf` gives a mailbox's name for exceptions; `spillFolder` takes the temporary files (deleted at once,
    /// used by their descriptors).
    Ledger(Nanoseconds deliveryLimit, std::function<std::string(std::uint32_t)> nameOf,
        std::filesystem::path spillFolder, std::size_t limit = kDefaultLimit);
    ~Ledger();

    void accepted(const AcceptedCopy& copy);
    /// Of any kind but foreign. True: this copy's first retrieval, also where its acceptance is not yet reported.
    bool retrieved(const RetrievedCopy& copy);
    void foreign(const ForeignMail& mail);
    /// Before the retrieval is reported: how a copy was damaged.
    void explain(std::uint32_t mailbox, Damage damage);
    /// The load is over; from now on visits prove what is missing. What was read before proves nothing: the message may
    /// still have been in the server's queue.
    void beginDrain(Nanoseconds now);
    /// A visit that began at `began` has looked at all that is in the mailbox. It proves a copy lost that it did not find, where
    /// it began later than the copy's acceptance and the delivery limit.
    void readToEnd(std::uint32_t mailbox, Nanoseconds began);

    [[nodiscard]] const AuditTotals& totals() const noexcept { return m_totals; }
    /// Delivery times since the last call.
    Histogram takeDeliveryTimes() { return std::exchange(m_delivery, {}); }
    /// Mailboxes that still owe copies; sorted. Where outstanding copies have been written away: all ever addressed.
    [[nodiscard]] std::vector<std::uint32_t> owingMailboxes() const;
    /// What mailboxes still owe, as far as it is not written away.
    [[nodiscard]] OwedCopies owed() const;
    /// Not zero while a drain has something to wait for.
    [[nodiscard]] std::uint64_t outstanding() const noexcept { return m_totals.outstanding; }

    /// The end: joins what was written away. Where a drain ran to its end (`drained`), a copy is lost that is missing from a
    /// mailbox which was read to its end later than the copy's acceptance and the delivery limit. Every other missing copy
    /// may still be on its way. An Error when the temporary files failed: the totals then say outstanding, never lost.
    Result<void> conclude(bool drained);
    [[nodiscard]] const std::vector<AuditException>& exceptions() const noexcept { return m_exceptions; }

private:
    enum class State : std::uint8_t {
        outstanding, ///< accepted, not seen
        uncertain, ///< perhaps accepted, not seen
        early, ///< seen, acceptance not yet reported
        once,
        late,
        damaged, ///< seen and gone
        twice, ///< seen again
        extra, ///< an uncertain one that did come
    };
    struct Key {
        std::uint64_t id;
        std::uint32_t mailbox;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        using is_avalanching = void;
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Entry {
        Nanoseconds at {}; // of acceptance; for early ones of retrieval
        State state = State::outstanding;
        bool kept = false; // seen, but still in the mailbox
        bool spoilt = false; // early and damaged
        bool again = false; // early and seen twice
    };
    using Map = boost::unordered_flat_map<Key, Entry, Hash>;
    struct Spill; // the partition files

    void seen(const Key& key, Entry& entry, Nanoseconds at, bool damaged, bool removed);
    void seenEarly(const Key& key, Entry& entry, const Entry& early);
    void except(AuditFinding kind, const Key& key, Nanoseconds accepted, std::string detail);
    void makeRoom();
    void judge(Map& map, bool drained);
    Result<void> joinPartitions(bool drained);

    Nanoseconds m_deliveryLimit;
    std::function<std::string(std::uint32_t)> m_nameOf;
    std::filesystem::path m_spillFolder;
    std::size_t m_limit;
    Map m_map;
    std::vector<Nanoseconds> m_lastRead; // by mailbox: when the last complete visit began; -1: never
    std::vector<bool> m_addressed; // by mailbox
    std::unordered_map<std::uint32_t, std::uint64_t>
        m_foreign; // by mailbox: counted already and left lying there
    AuditTotals m_totals;
    Histogram m_delivery;
    std::vector<AuditException> m_exceptions;
    std::map<AuditFinding, std::size_t> m_exceptionsOf; // how many, by kind
    Nanoseconds m_readsFrom {}; // visits that began before it prove nothing
    std::unique_ptr<Spill> m_spill;
    bool m_unsettledSpilled = false;
    boost::unordered_flat_map<Key, std::string, Hash> m_damages; // how, until their retrieval is judged
    std::string m_trouble;
};

} // namespace loadstone::mail
