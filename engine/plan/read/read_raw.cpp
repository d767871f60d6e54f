// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The raw device test: kind = "raw".
#include "base/joined.h"
#include "document/table_reader.h"
#include "plan/read/read_plan.h"
#include "plan/read/read_storage.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::uint64_t kMostMemory = std::uint64_t { 2 } << 30; // for all transfers at once

void readDevice(const document::Node* node, document::Problems& problems, RawTest& to)
{
    document::TableReader table(node, "device", problems);
    document::assign(to.path, table.text("path"));
    document::assign(to.size, table.bytes("size"));
    document::assign(to.confirmed, table.text("confirm"));
    document::assign(to.item, table.text("item"));
    document::assign(to.direct, table.flag("direct"));
    document::assign(to.durability, readDurability(table));
    document::assign(to.backEnd, readBackEnd(table));
    document::assign(to.poll, table.flag("poll"));
    const bool noPath = !table.has("path"), noSize = !table.has("size");
    table.finish();
    if (noPath)
        table.missing("path", "write the file to be made and used, as in path = \"/data/loadstone-raw.dat\"");
    if (noSize)
        table.missing("size", "write size = \"4 GB\": more than the caches of the device hold");
    const bool printable =
        std::ranges::none_of(to.path, [](unsigned char c) { return c < ' ' || c == 0x7f; });
    if (table.has("path") && !problems.touched("device.path")
        && (!to.path.starts_with('/') || to.path.ends_with('/') || to.path.size() > 4000 || !printable))
        problems.error("device.path",
            fmt::format("\"{}\" is not the full path of a file", document::shown(to.path)),
            "write it from the root, as in \"/data/loadstone-raw.dat\"");
    if (!to.confirmed.empty() && to.confirmed != to.path)
        problems.error("device.confirm",
            fmt::format("\"{}\" is not device.path", document::shown(to.confirmed)),
            "repeat device.path to say that this device may be overwritten, or remove it");
    if (to.poll && !to.direct)
        problems.error("device.poll", "only direct I/O can be polled", "remove it, or write direct = true");
}

void readIo(const document::Node* node, document::Problems& problems, RawTest& to)
{
    document::TableReader table(node, "io", problems);
    document::assign(to.block, table.bytes("block"));
    document::assign(to.pattern,
        table.choice<RawPattern>("pattern",
            { { "random", RawPattern::random }, { "sequential", RawPattern::sequential },
                { "append", RawPattern::append } }));
    table.finish();
    if (!std::has_single_bit(to.block))
        problems.error("io.block", fmt::format("{} is not a power of two", formatBytes(to.block)),
            fmt::format("write \"{}\"", formatBytes(std::bit_floor(to.block))));
    else if (to.size % to.block != 0 && !problems.touched("device.size"))
        problems.error("device.size", fmt::format("is not a multiple of io.block, {}", formatBytes(to.block)),
            "write a multiple of io.block");
}

struct LoadValues {
    std::optional<double> readShare, perSecond;
    std::optional<std::int64_t> depth;
    std::optional<RawArrivals> arrivals;
    std::optional<Nanoseconds> rampUp, measurement, rampDown, quietTime;
};

LoadValues readLoad(document::TableReader& table)
{
    LoadValues values;
    values.readShare = table.share("read_share");
    values.perSecond = table.rate("rate");
    values.depth = table.number("depth");
    values.arrivals = table.choice<RawArrivals>(
        "arrivals", { { "constant", RawArrivals::constant }, { "poisson", RawArrivals::poisson } });
    values.rampUp = table.duration("ramp_up");
    values.measurement = table.duration("measurement");
    values.rampDown = table.duration("ramp_down");
    values.quietTime = table.duration("quiet_time");
    return values;
}

/// The mix's own values, laid over those of all.
template <class T, class U>
void assignOver(T& to, const std::optional<U>& own, const std::optional<U>& common)
{
    document::assign(to, own ? own : common);
}

void readMix(const document::Node& node, std::size_t index, const LoadValues& common,
    document::Problems& problems, RawTest& test)
{
    document::TableReader table(&node, fmt::format("mixes[{}]", index), problems);
    RawLoad mix;
    mix.line = node.begin.line;
    mix.name = table.text("name").value_or(fmt::format("Mix {}", index + 1));
    if (mix.name.empty() || mix.name != document::shown(mix.name))
        problems.error(table.path("name"), "is empty, too long or has control characters",
            "write a short name on one line, such as \"depth 32\"");
    const LoadValues own = readLoad(table);
    const bool stated = table.has("measurement") || common.measurement.has_value();
    const bool rate = own.perSecond || common.perSecond;
    const bool arrivals = own.arrivals || common.arrivals;
    table.finish();
    mix.readShare = test.pattern == RawPattern::append ? 0 : 1;
    assignOver(mix.readShare, own.readShare, common.readShare);
    assignOver(mix.perSecond, own.perSecond, common.perSecond);
    assignOver(mix.depth, own.depth, common.depth);
    assignOver(mix.arrivals, own.arrivals, common.arrivals);
    assignOver(mix.rampUp, own.rampUp, common.rampUp);
    assignOver(mix.measurement, own.measurement, common.measurement);
    assignOver(mix.rampDown, own.rampDown, common.rampDown);
    assignOver(mix.quietTime, own.quietTime, common.quietTime);
    if (!stated && !problems.touched("mix"))
        table.missing("measurement", "write measurement = \"60 s\" here or in [mix]");
    if (test.pattern == RawPattern::append && mix.readShare > 0)
        problems.error(table.path("read_share"), "the pattern append only writes",
            "remove it, or write pattern = \"sequential\"");
    if (std::uint64_t { mix.depth } * test.block > kMostMemory)
        problems.error(table.path("depth"),
            fmt::format("{} transfers of {} at once need more memory than the test may use", mix.depth,
                formatBytes(test.block)),
            fmt::format("write at most {}", kMostMemory / test.block));
    if (arrivals && !rate)
        problems.warning(
            table.path("arrivals"), "has no effect without a rate", "remove it, or write a rate");
    test.mixes.push_back(std::move(mix));
}

} // namespace

std::optional<RawDurability> readDurability(document::TableReader& table)
{
    return table.choice<RawDurability>("durability",
        { { "write-through", RawDurability::writeThrough }, { "flushed", RawDurability::flushed },
            { "none", RawDurability::none } });
}

std::optional<BackEnd> readBackEnd(document::TableReader& table)
{
    return table.choice<BackEnd>("back_end",
        { { "automatic", BackEnd::automatic }, { "io_uring", BackEnd::uring },
            { "threads", BackEnd::threads } });
}

void readRawTest(document::TableReader& top, document::Problems& problems, RawPlan& plan, bool busyStated)
{
    RawTest& test = plan.test;
    readDevice(top.table("device"), problems, test);
    if (test.poll && !busyStated) // a thread that polls is never idle
        plan.health.workerCpu = 101;
    readIo(top.table("io"), problems, test);
    document::TableReader commonTable(top.table("mix"), "mix", problems);
    const LoadValues common = readLoad(commonTable);
    commonTable.finish();
    const document::Node* mixes = top.tables("mixes");
    const std::size_t count = mixes == nullptr ? 0 : mixes->items.size();
    const std::size_t most = top.most("mixes");
    for (std::size_t i = 0; i < std::min(count, most); ++i)
        readMix(mixes->items[i], i, common, problems, test);
    if (count > most)
        problems.error(fmt::format("mixes[{}]", most), "is one mix too many",
            fmt::format("write at most {} mixes", most));
    if (count == 0 && !problems.touched("mixes"))
        problems.error("mixes", "the test has no mix", "add [[mixes]] with depth = 32 and so on");
    std::set<std::string> names;
    for (std::size_t i = 0; i < test.mixes.size(); ++i)
        if (!names.insert(test.mixes[i].name).second)
            problems.error(fmt::format("mixes[{}].name", i),
                fmt::format("\"{}\" is the name of another mix as well", document::shown(test.mixes[i].name)),
                "give each mix another name");
}

std::vector<std::pair<std::string, std::string>> describe(const RawTest& test)
{
    const auto across = [&](auto&& text) {
        std::vector<std::string> all;
        for (const RawLoad& load : test.mixes)
            all.push_back(text(load));
        if (std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>()) == all.end() && !all.empty())
            all.resize(1);
        return joined(all, ", ");
    };
    const char* patterns[] { "random", "sequential", "append" };
    const char* durabilities[] { "each write (O_DSYNC)", "by a flush after each write (fdatasync)",
        "not asked for" };
    return { { "File", test.path }, { "Size", formatBytes(test.size) },
        { "Direct I/O", test.direct ? "yes" : "no: through the kernel's page cache" },
        { "Durability", durabilities[static_cast<int>(test.durability)] },
        { "Block", formatBytes(test.block) }, { "Pattern", patterns[static_cast<int>(test.pattern)] },
        { "Reads", across([](const RawLoad& load) { return formatNumber(load.readShare * 100) + " %"; }) },
        { "Depth", across([](const RawLoad& load) { return fmt::format("{}", load.depth); }) },
        { "Rate", across([](const RawLoad& load) {
             return load.perSecond == 0
                 ? std::string("as fast as the depth allows")
                 : fmt::format("{}/s, {}", formatNumber(load.perSecond, 6),
                     load.arrivals == RawArrivals::poisson ? "at random (Poisson)" : "evenly");
         }) } };
}

} // namespace loadstone::plan
