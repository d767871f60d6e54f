// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than other files: what is written and what is read of one thing stand behind each other.
#include "compare/row_bytes.h"

#include <loadstone/series.h>

#include <cmath>
#include <map>

namespace loadstone {

namespace compare {

namespace {

using history::ByteReader;
using history::putNumber;
using history::putVarint;

constexpr std::size_t kMostText = 64 << 10, kMostFacts = 1000, kMostSentences = 1000;

void putOptional(std::string& out, const std::optional<double>& value)
{
    putVarint(out, value ? 1 : 0);
    if (value)
        putNumber(out, *value);
}
bool takeOptional(ByteReader& in, std::optional<double>& value)
{
    std::uint64_t has = 0;
    double number = 0;
    if (!in.varint(has))
        return false;
    if (has == 0)
        return true;
    if (!in.number(number) || !std::isfinite(number))
        return false;
    value = number;
    return true;
}

void putTime(std::string& out, Nanoseconds time)
{
    putVarint(out, history::zigzag(time.count()));
}
bool takeTime(ByteReader& in, Nanoseconds& time)
{
    std::uint64_t value = 0;
    if (!in.varint(value))
        return false;
    time = Nanoseconds(history::unzigzag(value));
    return true;
}

/// A number that must be below `end`.
template <class Enum>
bool takeEnum(ByteReader& in, Enum& value, std::uint64_t end)
{
    std::uint64_t number = 0;
    if (!in.varint(number) || number >= end)
        return false;
    value = static_cast<Enum>(number);
    return true;
}

void putSubject(std::string& out, const Subject& subject)
{
    for (const std::string* text :
        { &subject.host, &subject.generator, &subject.target, &subject.volume, &subject.group,
            &subject.process, &subject.device, &subject.script, &subject.test, &subject.command })
        putText(out, *text);
    putVarint(out, subject.ioClass ? static_cast<std::uint64_t>(*subject.ioClass) + 1 : 0);
    putVarint(out, subject.database ? std::uint64_t { *subject.database } + 1 : 0);
    putVarint(out, subject.worker ? std::uint64_t { *subject.worker } + 1 : 0);
    putVarint(out, subject.action ? static_cast<std::uint64_t>(*subject.action) + 1 : 0);
}

bool takeSubject(ByteReader& in, Subject& subject)
{
    for (std::string* text :
        { &subject.host, &subject.generator, &subject.target, &subject.volume, &subject.group,
            &subject.process, &subject.device, &subject.script, &subject.test, &subject.command })
        if (!takeText(in, *text))
            return false;
    std::uint64_t ioClass = 0, database = 0, worker = 0, action = 0;
    constexpr std::uint64_t kMost32 = std::uint64_t { 1 } << 32U;
    if (!in.varint(ioClass) || !in.varint(database) || !in.varint(worker) || !in.varint(action)
        || ioClass > kIoClasses || action > kActionKinds || database > kMost32 || worker > kMost32)
        return false;
    if (ioClass > 0)
        subject.ioClass = static_cast<IoClass>(ioClass - 1);
    if (database > 0)
        subject.database = static_cast<std::uint32_t>(database - 1);
    if (worker > 0)
        subject.worker = static_cast<std::uint32_t>(worker - 1);
    if (action > 0)
        subject.action = static_cast<ActionKind>(action - 1);
    return true;
}

bool takeKey(std::string_view bytes, RowKey& key)
{
    ByteReader in(bytes);
    std::string counter;
    if (!takeText(in, key.figure) || !takeSubject(in, key.subject) || !takeText(in, counter)
        || !takeText(in, key.computer) || !takeText(in, key.name) || !in.atEnd())
        return false;
    if (counter.empty())
        return true;
    key.counter = seriesKeyOf(counter);
    return key.counter.has_value();
}

/// Rows of a run, each once: what values of all its mixes have in common.
class RowTable {
public:
    std::uint64_t numberOf(const ComparedValue& value)
    {
        std::string bytes;
        const std::string key = bytesOf(value.key);
        putText(bytes, key);
        for (const std::string* text : { &value.group, &value.label, &value.unit, &value.counts })
            putText(bytes, *text);
        putVarint(bytes, static_cast<std::uint64_t>(value.rounding.notation));
        putVarint(bytes, history::zigzag(value.rounding.digits));
        putVarint(bytes, (value.rounding.cut ? 1U : 0U) | (value.rounding.named ? 2U : 0U));
        putVarint(bytes, static_cast<std::uint64_t>(value.better));
        putVarint(bytes, static_cast<std::uint64_t>(value.statistic));
        putVarint(bytes, history::zigzag(value.version));
        const auto [at, isNew] = m_numbers.try_emplace(std::move(bytes), m_numbers.size());
        if (isNew)
            m_rows += at->first;
        return at->second;
    }
    [[nodiscard]] std::size_t size() const { return m_numbers.size(); }
    [[nodiscard]] const std::string& rows() const { return m_rows; }

private:
    std::map<std::string, std::uint64_t> m_numbers;
    std::string m_rows;
};

void putValue(std::string& out, const ComparedValue& value, RowTable& rows)
{
    const bool known = value.value && std::isfinite(*value.value);
    const bool within = value.withinError && std::isfinite(*value.withinError);
    putVarint(out, rows.numberOf(value));
    putVarint(out,
        (known ? kHasValue : 0) | (value.flags.lowerBound ? kLowerBound : 0)
            | (value.flags.invalid ? kInvalid : 0) | (value.flags.external ? kExternal : 0)
            | (value.detail ? kDetail : 0) | (within ? kHasWithin : 0)
            | (value.flags.missing ? kMissing : 0));
    if (known)
        putNumber(out, *value.value);
    if (within)
        putNumber(out, *value.withinError);
    putVarint(out, value.samples);
    putNumber(out, value.slack);
    putText(out, value.printed);
}

void putSentences(std::string& out, const std::vector<std::string>& sentences)
{
    const std::size_t n = std::min(sentences.size(), kMostSentences);
    putVarint(out, n);
    for (std::size_t i = 0; i < n; ++i)
        putText(out, sentences[i]);
}
bool takeSentences(ByteReader& in, std::vector<std::string>& sentences)
{
    std::uint64_t n = 0;
    if (!in.varint(n) || n > kMostSentences)
        return false;
    for (std::uint64_t i = 0; i < n; ++i)
        if (!takeText(in, sentences.emplace_back()))
            return false;
    return true;
}

void putHead(std::string& out, const ComparedRun& run)
{
    putText(out, run.id.text());
    for (const std::string* text : { &run.title, &run.configuration, &run.target })
        putText(out, *text);
    putText(out, run.file.string());
    putTime(out, run.started.time_since_epoch());
    putTime(out, run.length);
    putVarint(out, static_cast<std::uint64_t>(run.kind));
    putVarint(out, (run.external ? 1U : 0U) | (run.live ? 2U : 0U));
    putVarint(out, static_cast<std::uint64_t>(run.verdict));
    putSentences(out, run.invalidReasons);
    putSentences(out, run.remarks);
    const std::size_t facts = std::min(run.facts.facts.size(), kMostFacts);
    putVarint(out, facts);
    for (std::size_t i = 0; i < facts; ++i) {
        const ComparableFact& one = run.facts.facts[i];
        putText(out, one.key);
        putText(out, one.label);
        putText(out, one.value);
        putVarint(out, static_cast<std::uint64_t>(one.scope));
        putVarint(out, one.pools ? 1 : 0);
    }
    putVarint(out, run.described.size());
    for (const ConfigurationValue& one : run.described) {
        putVarint(out, static_cast<std::uint64_t>(one.group));
        putText(out, one.label);
        putText(out, one.value);
    }
}

bool takeFacts(ByteReader& in, ComparableFacts& facts)
{
    std::uint64_t n = 0;
    if (!in.varint(n) || n > kMostFacts)
        return false;
    for (std::uint64_t i = 0; i < n; ++i) {
        ComparableFact one;
        std::uint64_t pools = 0;
        if (!takeText(in, one.key) || !takeText(in, one.label) || !takeText(in, one.value)
            || !takeEnum(in, one.scope, static_cast<std::uint64_t>(FactScope::none) + 1) || !in.varint(pools))
            return false;
        one.pools = pools != 0;
        facts.set(std::move(one));
    }
    return true;
}

/// Null when it is not what it should be.
bool toValue(const EncodedValue& from, const std::vector<ComparedValue>& rows, ComparedValue& to)
{
    if (from.row >= rows.size())
        return false;
    to = rows[from.row];
    to.value = from.value;
    to.flags = { (from.flags & kLowerBound) != 0, (from.flags & kMissing) != 0, (from.flags & kInvalid) != 0,
        (from.flags & kExternal) != 0 };
    to.detail = (from.flags & kDetail) != 0;
    to.samples = from.samples;
    to.slack = from.slack;
    to.withinError = from.withinError;
    to.printed = from.printed;
    return true;
}

bool toRow(const EncodedRow& from, ComparedValue& to)
{
    if (!takeKey(from.key, to.key) || from.notation > static_cast<std::uint64_t>(Notation::megabytes)
        || from.better > static_cast<std::uint64_t>(Better::neither)
        || from.statistic > static_cast<std::uint64_t>(Statistic::planned))
        return false;
    to.group = from.group;
    to.label = from.label;
    to.unit = from.unit;
    to.counts = from.counts;
    const std::int64_t digits = history::unzigzag(from.digits);
    to.rounding = { static_cast<Notation>(from.notation),
        static_cast<int>(std::clamp<std::int64_t>(digits, 0, 17)), (from.roundingFlags & 1U) != 0,
        (from.roundingFlags & 2U) != 0 };
    to.better = static_cast<Better>(from.better);
    to.statistic = static_cast<Statistic>(from.statistic);
    to.version = static_cast<int>(std::clamp<std::int64_t>(from.version, 0, 1'000'000));
    return true;
}

} // namespace

void putText(std::string& out, std::string_view text)
{
    text = text.substr(0, kMostText);
    putVarint(out, text.size());
    out.append(text);
}

bool takeView(ByteReader& in, std::string_view& text)
{
    std::uint64_t size = 0;
    return in.varint(size) && size <= kMostText && in.bytes(size, text);
}

bool takeText(ByteReader& in, std::string& text)
{
    std::string_view view;
    if (!takeView(in, view))
        return false;
    text = view;
    return true;
}

std::string bytesOf(const RowKey& key)
{
    std::string bytes;
    putText(bytes, key.figure);
    putSubject(bytes, key.subject);
    putText(bytes, key.counter ? keptText(*key.counter) : std::string());
    putText(bytes, key.computer);
    putText(bytes, key.name);
    return bytes;
}

bool takeRow(ByteReader& in, EncodedRow& row)
{
    std::uint64_t version = 0;
    if (!takeView(in, row.key) || !takeView(in, row.group) || !takeView(in, row.label)
        || !takeView(in, row.unit) || !takeView(in, row.counts) || !in.varint(row.notation)
        || !in.varint(row.digits) || !in.varint(row.roundingFlags) || !in.varint(row.better)
        || !in.varint(row.statistic) || !in.varint(version))
        return false;
    row.version = history::unzigzag(version);
    return true;
}

bool takeValue(ByteReader& in, EncodedValue& value)
{
    double number = 0;
    value.value.reset();
    value.withinError.reset();
    if (!in.varint(value.row) || !in.varint(value.flags))
        return false;
    if ((value.flags & kHasValue) != 0) {
        if (!in.number(number) || !std::isfinite(number))
            return false;
        value.value = number;
    }
    if ((value.flags & kHasWithin) != 0) {
        if (!in.number(number) || !std::isfinite(number))
            return false;
        value.withinError = number;
    }
    return in.varint(value.samples) && in.number(value.slack) && std::isfinite(value.slack)
        && takeView(in, value.printed);
}

bool takeHead(ByteReader& in, ComparedRun& run)
{
    std::string id, file;
    Nanoseconds started {};
    std::uint64_t flags = 0, described = 0;
    if (!takeText(in, id) || !takeText(in, run.title) || !takeText(in, run.configuration)
        || !takeText(in, run.target) || !takeText(in, file) || !takeTime(in, started)
        || !takeTime(in, run.length) || !takeEnum(in, run.kind, 3) || !in.varint(flags)
        || !takeEnum(in, run.verdict, static_cast<std::uint64_t>(Verdict::unreadable) + 1)
        || !takeSentences(in, run.invalidReasons) || !takeSentences(in, run.remarks)
        || !takeFacts(in, run.facts) || !in.varint(described) || described > kMostRows)
        return false;
    for (std::uint64_t i = 0; i < described; ++i) {
        ConfigurationValue one;
        if (!takeEnum(in, one.group, static_cast<std::uint64_t>(RunDifference::Group::study) + 1)
            || !takeText(in, one.label) || !takeText(in, one.value))
            return false;
        run.described.push_back(std::move(one));
    }
    if (!id.empty()) {
        auto parsed = RunId::parse(id);
        if (!parsed)
            return false;
        run.id = *std::move(parsed);
    }
    run.file = file;
    run.started = WallTime(started);
    run.external = (flags & 1U) != 0;
    run.live = (flags & 2U) != 0;
    return true;
}

bool takeMix(ByteReader& in, ComparedMix& mix, std::uint64_t& values)
{
    std::uint64_t index = 0, flags = 0;
    if (!in.varint(index) || !takeText(in, mix.name) || !takeOptional(in, mix.load)
        || !takeText(in, mix.loadUnit) || !takeOptional(in, mix.clients) || !takeTime(in, mix.window.begin)
        || !takeTime(in, mix.window.end) || !takeTime(in, mix.measured) || !takeTime(in, mix.warmUp)
        || !in.varint(flags) || !in.varint(values) || values > kMostValues)
        return false;
    const std::int64_t signedIndex = history::unzigzag(index);
    if (signedIndex < -1 || signedIndex > std::int64_t { 1 } << 30)
        return false;
    mix.index = static_cast<std::int32_t>(signedIndex);
    mix.complete = (flags & 1U) != 0;
    mix.warm = (flags & 8U) != 0;
    if ((flags & 2U) != 0)
        mix.passed = (flags & 4U) != 0;
    return true;
}

} // namespace compare

std::string encodeCompared(const ComparedRun& run)
{
    using namespace compare;
    using history::putVarint;
    RowTable rows;
    std::string head, mixes;
    putVarint(head, kBytesVersion);
    putHead(head, run);
    putVarint(mixes, run.mixes.size());
    for (const ComparedMix& mix : run.mixes) {
        putVarint(mixes, history::zigzag(mix.index));
        putText(mixes, mix.name);
        putOptional(mixes, mix.load);
        putText(mixes, mix.loadUnit);
        putOptional(mixes, mix.clients);
        for (const Nanoseconds time : { mix.window.begin, mix.window.end, mix.measured, mix.warmUp })
            putTime(mixes, time);
        putVarint(mixes,
            (mix.complete ? 1U : 0U) | (mix.passed ? 2U : 0U) | (mix.passed.value_or(false) ? 4U : 0U)
                | (mix.warm ? 8U : 0U));
        putVarint(mixes, mix.values.size());
        for (const ComparedValue& value : mix.values)
            putValue(mixes, value, rows);
    }
    putVarint(mixes, run.wholeRun.size());
    for (const ComparedValue& value : run.wholeRun)
        putValue(mixes, value, rows);
    putVarint(head, rows.size());
    return head + rows.rows() + mixes;
}

Result<ComparedRun> decodeCompared(std::string_view bytes)
{
    using namespace compare;
    const auto damaged = [] { return fail("a run to compare: these bytes are not one of this version"); };
    history::ByteReader in(bytes);
    std::uint64_t version = 0, rowCount = 0, mixCount = 0, valueCount = 0, all = 0;
    ComparedRun run;
    if (!in.varint(version) || version != kBytesVersion || !takeHead(in, run) || !in.varint(rowCount)
        || rowCount > kMostRows)
        return damaged();
    std::vector<ComparedValue> rows;
    for (std::uint64_t i = 0; i < rowCount; ++i) {
        EncodedRow row;
        if (!takeRow(in, row) || !toRow(row, rows.emplace_back()))
            return damaged();
    }
    const auto takeValues = [&](std::vector<ComparedValue>& to) {
        EncodedValue value;
        all += valueCount;
        if (all > kMostValues)
            return false;
        for (std::uint64_t i = 0; i < valueCount; ++i)
            if (!takeValue(in, value) || !toValue(value, rows, to.emplace_back()))
                return false;
        return true;
    };
    if (!in.varint(mixCount) || mixCount > kMostMixes)
        return damaged();
    for (std::uint64_t i = 0; i < mixCount; ++i) {
        ComparedMix& mix = run.mixes.emplace_back();
        if (!takeMix(in, mix, valueCount) || !takeValues(mix.values))
            return damaged();
    }
    if (!in.varint(valueCount) || valueCount > kMostValues || !takeValues(run.wholeRun) || !in.atEnd())
        return damaged();
    return run;
}

} // namespace loadstone
