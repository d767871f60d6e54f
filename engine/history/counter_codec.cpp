// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// chunk    := kind body
//   kind 0 := ""                          no sample at all
//   kind 1 := double                      all samples alike
//   kind 2 := places packed(decimals)     decimals: zigzag varints of the differences of value * 10^places
//   kind 3 := places packed(decimals)     the same without taking differences: better for noise
//   kind 4 := 8 packed(plane)             plane i: byte i of every sample's double
//   kind + 16: the samples that are missing are left out of the decimals and marked in a bitmap before them
#include "history/counter_codec.h"

#include "history/bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace loadstone::history {

namespace {

constexpr std::uint8_t kEmpty = 0, kConstant = 1, kDeltas = 2, kPlain = 3, kPlanes = 4, kWithGaps = 16;
constexpr std::array kScales { 1.0, 10.0, 100.0, 1000.0, 10000.0 };
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// The samples as integers of 10^-places, when that loses nothing.
std::optional<std::vector<std::int64_t>> asDecimals(std::span<const double> samples, double scale)
{
    std::vector<std::int64_t> out;
    out.reserve(samples.size());
    for (const double value : samples) {
        if (!std::isfinite(value))
            continue;
        const double scaled = value * scale;
        if (std::abs(scaled) >= 0x1p53)
            return {};
        const auto rounded = static_cast<std::int64_t>(std::llround(scaled));
        if (static_cast<double>(rounded) / scale != value)
            return {};
        out.push_back(rounded);
    }
    return out;
}

std::string bitmapOfGaps(std::span<const double> samples)
{
    std::string bitmap((samples.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (!std::isfinite(samples[i]))
            bitmap[i / 8] = static_cast<char>(bitmap[i / 8] | (1 << (i % 8)));
    return bitmap;
}

std::string packedDecimals(const std::vector<std::int64_t>& values, bool deltas, const std::string& bitmap)
{
    std::string raw = bitmap;
    std::int64_t previous = 0;
    for (const std::int64_t value : values) {
        putVarint(raw, zigzag(deltas ? value - previous : value));
        previous = value;
    }
    std::string packed;
    putPacked(packed, raw);
    return packed;
}

std::string encodePlanes(std::span<const double> samples)
{
    std::string out(1, static_cast<char>(kPlanes));
    std::string plane(samples.size(), '\0');
    for (unsigned byte = 0; byte < 8; ++byte) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto bits = std::bit_cast<std::uint64_t>(std::isfinite(samples[i]) ? samples[i] : kMissing);
            plane[i] = static_cast<char>(bits >> (8 * byte));
        }
        putPacked(out, plane);
    }
    return out;
}

bool decodePlanes(ByteReader& in, std::vector<double>& samples)
{
    std::vector<std::uint64_t> bits(samples.size());
    std::string plane;
    for (unsigned byte = 0; byte < 8; ++byte) {
        if (!takePacked(in, samples.size(), plane) || plane.size() != samples.size())
            return false;
        for (std::size_t i = 0; i < plane.size(); ++i)
            bits[i] |= std::uint64_t { static_cast<std::uint8_t>(plane[i]) } << (8 * byte);
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const auto value = std::bit_cast<double>(bits[i]);
        samples[i] = std::isfinite(value) ? value : kMissing;
    }
    return true;
}

bool decodeDecimals(ByteReader& in, bool deltas, bool gaps, std::vector<double>& samples)
{
    std::uint8_t places = 0;
    std::string raw;
    const std::size_t bitmapBytes = gaps ? (samples.size() + 7) / 8 : 0;
    if (!in.number(places) || places >= kScales.size()
        || !takePacked(in, bitmapBytes + samples.size() * 10, raw))
        return false;
    ByteReader values(raw);
    std::string_view bitmap;
    if (!values.bytes(bitmapBytes, bitmap))
        return false;
    std::uint64_t previous = 0; // unsigned: what a damaged file adds up to may wrap
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (gaps && ((static_cast<std::uint8_t>(bitmap[i / 8]) >> (i % 8)) & 1U) != 0) {
            samples[i] = kMissing;
            continue;
        }
        std::uint64_t code = 0;
        if (!values.varint(code))
            return false;
        const auto step = static_cast<std::uint64_t>(unzigzag(code));
        previous = deltas ? previous + step : step;
        samples[i] = static_cast<double>(static_cast<std::int64_t>(previous)) / kScales[places];
    }
    return values.atEnd();
}

} // namespace

std::string encodeCounter(std::span<const double> samples)
{
    const auto present =
        std::count_if(samples.begin(), samples.end(), [](double v) { return std::isfinite(v); });
    if (present == 0)
        return std::string(1, static_cast<char>(kEmpty));
    const bool gaps = static_cast<std::size_t>(present) != samples.size();
    if (!gaps && std::all_of(samples.begin(), samples.end(), [&](double v) { return v == samples[0]; })) {
        std::string out(1, static_cast<char>(kConstant));
        putNumber(out, samples[0]);
        return out;
    }
    for (std::size_t places = 0; places < kScales.size(); ++places) {
        const auto decimals = asDecimals(samples, kScales[places]);
        if (!decimals)
            continue;
        const std::string bitmap = gaps ? bitmapOfGaps(samples) : std::string();
        const std::string deltas = packedDecimals(*decimals, true, bitmap);
        const std::string plain = packedDecimals(*decimals, false, bitmap);
        const bool useDeltas = deltas.size() <= plain.size();
        std::string out { static_cast<char>((useDeltas ? kDeltas : kPlain) + (gaps ? kWithGaps : 0)),
            static_cast<char>(places) };
        return out + (useDeltas ? deltas : plain);
    }
    return encodePlanes(samples);
}

Result<std::vector<double>> decodeCounter(std::string_view bytes, std::size_t count)
{
    ByteReader in(bytes);
    std::vector<double> samples(count, kMissing);
    std::uint8_t kind = 0;
    double constant = 0;
    bool good = in.number(kind);
    const bool gaps = (kind & kWithGaps) != 0;
    switch (kind) {
    case kEmpty:
        break;
    case kConstant:
        good = good && in.number(constant) && std::isfinite(constant);
        std::fill(samples.begin(), samples.end(), constant);
        break;
    case kDeltas:
    case kPlain:
    case kDeltas + kWithGaps:
    case kPlain + kWithGaps:
        good = good && decodeDecimals(in, (kind & ~kWithGaps) == kDeltas, gaps, samples);
        break;
    case kPlanes:
        good = good && decodePlanes(in, samples);
        break;
    default:
        good = false;
    }
    if (!good || !in.atEnd())
        return fail("damaged samples");
    return samples;
}

std::string encodeBricks(std::span<const CounterBrick> bricks)
{
    std::string out;
    for (const CounterBrick& brick : bricks)
        putNumber(out, brick);
    return out;
}

Result<std::vector<CounterBrick>> decodeBricks(std::string_view bytes, std::size_t count)
{
    ByteReader in(bytes);
    std::vector<CounterBrick> bricks(count);
    for (CounterBrick& brick : bricks) {
        const bool good = in.number(brick)
            && (std::isnan(brick.minimum) || (brick.minimum <= brick.maximum && brick.seconds >= 0));
        if (!good)
            return fail("damaged extremes");
    }
    if (!in.atEnd())
        return fail("damaged extremes");
    return bricks;
}

} // namespace loadstone::history
