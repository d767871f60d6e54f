// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names that people type, as in a plan's criteria, names that other programs write, and keys that settings keep. All else in Loadstone
// finds a series by its key.
#include "series/foreign_names.h"
#include "series/typed_key.h"

#include <loadstone/series.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone {

namespace {

/// The word that stands in the place of a quantity's key.
constexpr std::string_view kForeign = "foreign";

struct SubjectText {
    std::string_view name;
    std::string Subject::*text;
};
constexpr std::array<SubjectText, 10> kSubjectTexts { {
    { "host", &Subject::host },
    { "generator", &Subject::generator },
    { "target", &Subject::target },
    { "volume", &Subject::volume },
    { "group", &Subject::group },
    { "process", &Subject::process },
    { "device", &Subject::device },
    { "script", &Subject::script },
    { "test", &Subject::test },
    { "command", &Subject::command },
} };

struct ForeignText {
    std::string_view name;
    std::string ForeignCounter::*text;
};
constexpr std::array<ForeignText, 4> kForeignTexts { {
    { "computer", &ForeignCounter::computer },
    { "object", &ForeignCounter::object },
    { "instance", &ForeignCounter::instance },
    { "counter", &ForeignCounter::counter },
} };

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

/// With "%3B" in the place of ";", which ends a part, and so on.
std::string escaped(std::string_view value)
{
    std::string text;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ';' || c == '%' || byte < 0x20) {
            text += '%';
            text += kHexDigits[byte / 16];
            text += kHexDigits[byte % 16];
        } else {
            text += c;
        }
    }
    return text;
}

std::optional<std::string> unescaped(std::string_view text)
{
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            value += text[i];
            continue;
        }
        const auto digit = [&](std::size_t at) {
            return at < text.size() ? kHexDigits.find(text[at]) : std::string_view::npos;
        };
        const std::size_t high = digit(i + 1), low = digit(i + 2);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        value += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return value;
}

/// False where the text is not a number, and nothing else.
bool readNumber(const std::string& text, std::optional<std::uint32_t>& number)
{
    std::uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return false;
    number = value;
    return true;
}

/// One part, "action=Send message", of a key's text.
bool readPart(std::string_view name, const std::string& value, SeriesKey& key)
{
    if (key.foreign) {
        const auto part = std::ranges::find(kForeignTexts, name, &ForeignText::name);
        if (part != kForeignTexts.end())
            (*key.foreign).*part->text = value;
        return part != kForeignTexts.end();
    }
    if (const auto part = std::ranges::find(kSubjectTexts, name, &SubjectText::name);
        part != kSubjectTexts.end()) {
        key.subject.*part->text = value;
        return true;
    }
    if (name == "io")
        return (key.subject.ioClass = ioClassOf(value)).has_value();
    if (name == "action")
        return (key.subject.action = actionKindOf(value)).has_value();
    if (name == "clock")
        return (key.clock = latencyClockOf(value)).has_value();
    if (name == "database")
        return readNumber(value, key.subject.database);
    return name == "worker" && readNumber(value, key.subject.worker);
}

/// `\Object(instance)\Counter` of `\\computer\Object(instance)\Counter`.
std::string_view withoutComputer(std::string_view path)
{
    return path.starts_with("\\\\") ? path.substr(std::min(path.size(), path.find('\\', 2))) : path;
}

} // namespace

std::optional<std::uint32_t> findTypedOnAny(const std::vector<CounterInfo>& counters, std::string_view path)
{
    const auto found = std::ranges::find_if(counters,
        [&](const CounterInfo& info) { return withoutComputer(info.path()) == withoutComputer(path); });
    return found == counters.end() ? std::nullopt : std::optional(found->id);
}

std::optional<std::uint32_t> findTyped(const std::vector<CounterInfo>& counters, std::string_view path)
{
    const auto found =
        std::ranges::find_if(counters, [&](const CounterInfo& info) { return info.path() == path; });
    return found == counters.end() ? std::nullopt : std::optional(found->id);
}

SeriesKey withoutHost(SeriesKey key)
{
    key.subject.host.clear();
    if (key.foreign)
        key.foreign->computer.clear();
    return key;
}

std::string keptText(const SeriesKey& key)
{
    std::string text(key.quantity ? infoOf(*key.quantity).key : kForeign);
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty())
            text.append(";").append(name).append("=").append(escaped(value));
    };
    if (key.foreign)
        for (const ForeignText& part : kForeignTexts)
            add(part.name, (*key.foreign).*part.text);
    for (const SubjectText& part : kSubjectTexts)
        add(part.name, key.subject.*part.text);
    add("io", key.subject.ioClass ? toString(*key.subject.ioClass) : "");
    add("database", key.subject.database ? std::to_string(*key.subject.database) : "");
    add("worker", key.subject.worker ? std::to_string(*key.subject.worker) : "");
    add("action", key.subject.action ? toString(*key.subject.action) : "");
    add("clock", key.clock ? toString(*key.clock) : "");
    return text;
}

std::optional<SeriesKey> seriesKeyOf(std::string_view text)
{
    const auto takePart = [&] {
        const std::string_view part = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        return part;
    };
    SeriesKey key;
    if (const std::string_view what = takePart(); what == kForeign)
        key.foreign.emplace();
    else if (!(key.quantity = quantityOf(what)))
        return std::nullopt;
    while (!text.empty()) {
        const std::string_view part = takePart();
        const std::size_t sign = part.find('=');
        if (sign == std::string_view::npos)
            return std::nullopt;
        const auto value = unescaped(part.substr(sign + 1));
        if (!value || !readPart(part.substr(0, sign), *value, key))
            return std::nullopt;
    }
    const bool isLatency = key.quantity && infoOf(*key.quantity).kind == SeriesKind::latency;
    return isLatency == key.clock.has_value() ? std::optional(std::move(key)) : std::nullopt;
}

} // namespace loadstone

namespace loadstone::series {

ForeignCounter foreignCounterOf(std::string_view path)
{
    ForeignCounter name;
    std::string_view rest = path;
    if (rest.starts_with("\\\\")) {
        const std::size_t end = rest.find('\\', 2);
        name.computer = rest.substr(2, end == std::string_view::npos ? end : end - 2);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
    }
    if (!rest.starts_with('\\') || rest.size() < 2) {
        name.computer.clear();
        name.counter = path;
        return name;
    }
    rest.remove_prefix(1);
    // An instance may hold backslashes: "Paging File(\??\C:\pagefile.sys)".
    const std::size_t edge = rest.find_first_of("\\(");
    if (edge != std::string_view::npos && rest[edge] == '(') {
        if (const std::size_t end = rest.rfind(")\\"); end != std::string_view::npos && end > edge) {
            name.object = rest.substr(0, edge);
            name.instance = rest.substr(edge + 1, end - edge - 1);
            name.counter = rest.substr(end + 2);
            return name;
        }
    }
    const std::size_t end = rest.find('\\');
    name.object = end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
    name.counter = end == std::string_view::npos ? rest : rest.substr(end + 1);
    return name;
}

SeriesKey typedKey(std::string_view path)
{
    const std::string_view wanted = withoutComputer(path);
    ForeignCounter name = foreignCounterOf(wanted);
    name.computer.clear();
    for (std::size_t i = 0; i < kQuantities; ++i) {
        const auto quantity = static_cast<Quantity>(i);
        const QuantityInfo& info = infoOf(quantity);
        if (info.kind == SeriesKind::latency || info.object != name.object || info.counter != name.counter)
            continue;
        if (pathOf(SeriesKey(quantity)) == wanted)
            return SeriesKey(quantity);
        const bool isOfProcesses =
            quantity >= Quantity::processProcessorTime && quantity <= Quantity::groupWriteBytes;
        for (std::string Subject::*part :
            { isOfProcesses ? &Subject::process : &Subject::device, &Subject::volume, &Subject::group }) {
            Subject subject;
            subject.*part = name.instance;
            if (SeriesKey key(quantity, subject); pathOf(key) == wanted)
                return key;
        }
    }
    return SeriesKey(std::move(name));
}

std::string unitOf(const ForeignCounter& name)
{
    return name.counter.starts_with('%') ? "%" : "";
}

} // namespace loadstone::series
