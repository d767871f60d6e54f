// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// times  := packed({ begin length phase })   zigzag varints: begin as difference to the last end, length and
//                                            phase as differences to the last ones; before the first all are
//                                            0
// sparse := { varint(id) varint(length) bytes }
#include "history/tick_codec.h"

#include "history/bytes.h"

namespace loadstone::history {

std::string encodeTimes(std::span<const TickTime> times)
{
    std::string raw;
    Nanoseconds end {};
    Nanoseconds length {};
    std::int64_t phase = 0;
    for (const TickTime& tick : times) {
        putVarint(raw, zigzag((tick.begin - end).count()));
        putVarint(raw, zigzag((tick.end - tick.begin - length).count()));
        putVarint(raw, zigzag(tick.phase - phase));
        end = tick.end;
        length = tick.end - tick.begin;
        phase = tick.phase;
    }
    std::string out;
    putPacked(out, raw);
    return out;
}

Result<std::vector<TickTime>> decodeTimes(std::string_view bytes, std::size_t count, Nanoseconds previousEnd)
{
    const Error damaged = fail("damaged times of ticks");
    std::vector<TickTime> times(count);
    ByteReader in(bytes);
    std::string raw;
    if (!takePacked(in, count * 30, raw) || !in.atEnd())
        return damaged;
    ByteReader reader(raw);
    // Unsigned: what a damaged file adds up to may wrap, and then fails the check below.
    std::uint64_t end = 0;
    std::uint64_t length = 0;
    std::uint64_t phase = 0;
    for (TickTime& tick : times) {
        std::uint64_t gap = 0;
        std::uint64_t change = 0;
        std::uint64_t step = 0;
        if (!reader.varint(gap) || !reader.varint(change) || !reader.varint(step))
            return damaged;
        const std::uint64_t begin = end + static_cast<std::uint64_t>(unzigzag(gap));
        length += static_cast<std::uint64_t>(unzigzag(change));
        phase += static_cast<std::uint64_t>(unzigzag(step));
        end = begin + length;
        tick = { Nanoseconds(static_cast<std::int64_t>(begin)), Nanoseconds(static_cast<std::int64_t>(end)),
            static_cast<std::uint32_t>(phase) };
        if (phase >= kMostPhases || !follows(tick, previousEnd))
            return damaged;
        previousEnd = tick.end;
    }
    if (!reader.atEnd())
        return damaged;
    return times;
}

std::string encodeSparse(const SparseHistograms& histograms)
{
    std::string out;
    for (const auto& [id, bytes] : histograms) {
        putVarint(out, id);
        putVarint(out, bytes.size());
        out += bytes;
    }
    return out;
}

Result<SparseHistograms> decodeSparse(std::string_view bytes, std::uint32_t limit)
{
    SparseHistograms out;
    ByteReader in(bytes);
    while (!in.atEnd()) {
        std::uint64_t id = 0;
        std::uint64_t length = 0;
        std::string_view piece;
        if (!in.varint(id) || !in.varint(length) || !in.bytes(length, piece) || id >= limit
            || (!out.empty() && id <= out.back().first))
            return fail("damaged histograms of a tick");
        out.emplace_back(static_cast<std::uint32_t>(id), piece);
    }
    return out;
}

} // namespace loadstone::history
