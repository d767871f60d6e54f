// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// chunk := ""                                all histograms are empty
//        | packed(lengths) packed(bytes)     lengths: a varint per histogram
#include "history/histogram_codec.h"

#include "history/bytes.h"
#include "metrics/histogram.h"

#include <algorithm>

namespace loadstone::history {

namespace {

// No histogram is longer: a head, two varints for each bucket, and the fields in front.
constexpr std::size_t kLongest = metrics::Histogram::kBuckets * 12 + 64;

} // namespace

std::string encodeHistograms(std::span<const std::string> histograms)
{
    std::string out;
    if (std::all_of(histograms.begin(), histograms.end(), [](const std::string& h) { return h.empty(); }))
        return out;
    std::string lengths;
    std::string bytes;
    for (const std::string& histogram : histograms) {
        putVarint(lengths, histogram.size());
        bytes += histogram;
    }
    putPacked(out, lengths);
    putPacked(out, bytes);
    return out;
}

Result<std::vector<std::string>> decodeHistograms(std::string_view bytes, std::size_t count)
{
    std::vector<std::string> out(count);
    if (bytes.empty())
        return out;
    const Error damaged = fail("damaged histograms");
    ByteReader in(bytes);
    std::string lengths;
    std::string content;
    if (!takePacked(in, count * 3, lengths) || !takePacked(in, count * kLongest, content) || !in.atEnd())
        return damaged;
    ByteReader lengthReader(lengths);
    ByteReader reader(content);
    for (std::string& histogram : out) {
        std::uint64_t length = 0;
        std::string_view piece;
        if (!lengthReader.varint(length) || !reader.bytes(length, piece))
            return damaged;
        histogram = piece;
    }
    if (!lengthReader.atEnd() || !reader.atEnd())
        return damaged;
    return out;
}

} // namespace loadstone::history
