// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_life.h"

#include "storage/load/unanswered.h"
#include "storage/log/checkpoint_file.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr auto kLongestWait = std::chrono::milliseconds(20); // until orders are looked for again
constexpr auto kLongTransfer = std::chrono::seconds(30); // without any completion while some are under way
constexpr auto kLostTransfer = std::chrono::minutes(5); // longer than drivers try

void tellDevice(GroupContext& context, const Device& device)
{
    const auto* const files = dynamic_cast<const FileDevice*>(&device);
    if (files != nullptr && context.devicesTold.insert(files->description()).second)
        context.report.say(Severity::info, files->description());
}

} // namespace

void LetGo::operator()(GroupLife* life) const
{
    GroupContext& context = life->context;
    if (life->loop.drain(context.unanswered.empty() ? context.setup.patience : Nanoseconds(0))) {
        delete life;
        context.meter.forgetUnderway();
        return;
    }
    life->leaveUnanswered();
    keepForEver(life);
}

Result<HeldLife> GroupLife::begin(GroupContext& context)
{
    DeviceOptions options = context.setup.device;
    options.interrupted = &context.control.stopFlag();
    auto device = context.setup.makeDevice(options);
    if (!device)
        return device.error();
    tellDevice(context, **device);
    auto placed = std::make_unique<PlacedDevice>(*std::move(device),
        [&setup = context.setup](const std::filesystem::path& path) { return setup.volumeOf(path); });
    context.meter.forgetTransfers();
    return HeldLife(new GroupLife(std::move(placed), context));
}

GroupLife::GroupLife(std::unique_ptr<PlacedDevice> placed, GroupContext& shared)
    : context(shared)
    , device(std::move(placed))
    , loop(
          *device,
          [this](std::span<const IoCompletion> done) {
              completed += done.size();
              context.meter.completed(*device, done);
          },
          [this](std::span<IoRequest> asked) { context.meter.submitting(*device, loop.now(), asked); })
    , m_meter(shared)
{
}

void GroupLife::turn()
{
    loop.turn(kLongestWait);
    watchTransfers();
    m_meter.publish(*this, false);
    context.meter.tellBusy();
}

/// Tells of a device that does not answer, which a transfer alone would never do.
void GroupLife::watchTransfers()
{
    const MonoTime now = monoNow();
    if (device->pending() == 0 || completed != m_completedBefore || m_answered == MonoTime()) {
        if (m_silent)
            context.report.say(Severity::warning,
                fmt::format("transfers are completed again, after {}", formatLatency(now - m_answered)));
        m_silent = false;
        m_completedBefore = completed;
        m_answered = now;
    } else if (!m_silent && now - m_answered > kLongTransfer) {
        m_silent = true;
        context.report.say(Severity::error,
            fmt::format("{} transfers are under way, and none of them has been completed for {}",
                device->pending(), formatLatency(kLongTransfer)));
    } else if (context.unanswered.empty() && now - m_answered > kLostTransfer) {
        leaveUnanswered();
        context.control.stop();
    }
}

void GroupLife::leaveUnanswered()
{
    if (!context.unanswered.empty())
        return;
    const GroupOptions& options = context.group().options;
    std::string folders = options.logFolder.string();
    for (const std::filesystem::path& folder : options.databaseFolders)
        folders += ", " + folder.string();
    context.unanswered = fmt::format(
        "{} transfers were never completed; see what the kernel's log says about the volumes of {}",
        device->pending(), folders);
}

Task<Result<Checkpoint>> GroupLife::readCheckpoint()
{
    const GroupOptions& options = context.group().options;
    FileOptions how = options.files();
    how.writable = false;
    const std::string path = options.checkpointPath().string();
    const Result<FileId> file = device->open(path, how);
    if (!file)
        co_return file.error();
    CheckpointFile checkpoints(loop, *file, path, options.durability);
    const Result<Checkpoint> checkpoint = co_await checkpoints.read();
    device->close(*file);
    co_return checkpoint;
}

Result<bool> GroupLife::open(std::optional<std::uint64_t> checkpointDepth)
{
    GroupOptions options = context.group().options;
    options.checkpointDepth = checkpointDepth.value_or(options.checkpointDepth);
    StorageGroup& store = group.emplace(loop, std::move(options));
    const MonoTime begin = monoNow();
    std::optional<Result<Recovery>> opened;
    const auto root = [](Task<Result<Recovery>> task, std::optional<Result<Recovery>>& into) -> Task<> {
        into.emplace(co_await task);
    };
    loop.spawn(root(store.open(), opened));
    const StorageSeries::Group& own = context.counts();
    std::uint64_t told = 0; // log files
    while (!opened && !context.stopped()) {
        turn();
        const Recovery& recovering = store.recovering();
        context.report.progress(recovering.filesReplayed, recovering.logFiles);
        if (recovering.needed && !context.meter.busy())
            context.meter.beginBusy(own.recoveryTime, begin);
        context.meter.count(own.logsReplayed, recovering.filesReplayed - told);
        told = recovering.filesReplayed;
    }
    context.meter.endBusy();
    if (!opened)
        return false;
    tellDevice(context, device->device()); // with the memory that the group has registered
    if (!*opened) {
        publish();
        return opened->error();
    }
    const Recovery& recovery = **opened;
    if (!recovery.needed)
        return true;
    context.meter.count(own.transactionsReplayed, recovery.transactions);
    context.meter.count(own.pagesRestored, recovery.restoredPages);
    context.report.say(Severity::info,
        fmt::format("was not closed: {} transactions of {} log files replayed in {}, {} torn pages restored "
                    "from their copies",
            recovery.transactions, recovery.logFiles, formatLatency(monoNow() - begin),
            recovery.restoredPages));
    return true;
}

Result<void> GroupLife::close()
{
    const auto closed = drive(group->close());
    publish();
    return closed.value_or(Result<void>());
}

Result<void> GroupLife::requireClosed()
{
    const auto checkpoint = drive(readCheckpoint());
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    if ((*checkpoint)->clean == 0)
        return fail("was not closed, so some pages may be torn; recover it first (loadstone "
                    "storage recover)");
    return {};
}

void GroupLife::makeLoad()
{
    const plan::StorageLoad& wanted = context.test().load;
    OperationMix mix;
    mix.insert = wanted.insert;
    mix.erase = wanted.erase;
    mix.replace = wanted.replace;
    mix.lazyCommits = wanted.lazyCommits;
    mix.operations = wanted.operations;
    load.emplace(loop, *group, context.group().contents, mix, hashOf({ context.orders.seed, context.index }),
        context.meter.transactionWatch());
}

bool GroupLife::busy() const
{
    return pacing || (load && load->running() > 0) || (logCopies && logCopies->running())
        || std::any_of(
            maintenance.begin(), maintenance.end(), [](const auto& one) { return one->running(); });
}

void GroupLife::end()
{
    ending = true;
    if (load)
        load->stop();
    for (const auto& one : maintenance)
        one->stop();
    if (logCopies)
        logCopies->stop();
}

} // namespace loadstone::storage
