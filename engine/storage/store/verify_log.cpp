// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/aligned_memory.h"
#include "storage/device/transfers.h"
#include "storage/log/log_files.h"
#include "storage/store/verification.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

/// What one segment's place in a file has.
struct Place {
    bool sound = false;
    SegmentHeader header {};
};

struct File {
    std::string path;
    std::uint64_t number = 0; // of its part
    std::vector<Place> places; // by segment
};

} // namespace

Task<Result<LogVerification>> verifyLog(Loop& loop, std::filesystem::path folder, std::string prefix,
    Checkpoint checkpoint, FileOptions options, VerificationOptions verification)
{
    LogVerification result;
    result.end = checkpoint.position;
    const LogGeometry geometry = checkpoint.geometry();
    const std::uint32_t signature = checkpoint.signature;
    const MonoTime begin = loop.now();
    const AlignedMemory memory(geometry.fileSize);
    std::vector<File> files;
    // First what each place has, and what the segments say of how far the log reaches.
    for (std::size_t slot = 0; loop.device().exists(LogFiles::pathOf(folder, prefix, slot)); ++slot) {
        File file;
        file.path = LogFiles::pathOf(folder, prefix, slot).string();
        const Result<FileId> opened = loop.device().open(file.path, options);
        if (!opened)
            co_return opened.error();
        const std::uint64_t size = loop.device().size(*opened);
        if (size != geometry.fileSize) {
            ++result.badFiles;
            result.damages.push_back({ Damage::Kind::cut, file.path, size });
        }
        const std::uint64_t whole = std::min(size, geometry.fileSize) / geometry.segment * geometry.segment;
        for (std::uint64_t offset = 0; offset < whole; offset += verification.readSize) {
            const auto part = memory.bytes().subspan(
                offset, std::min<std::uint64_t>(verification.readSize, whole - offset));
            const Result<void> read =
                co_await readAt(loop, *opened, offset, part, verification.ioClass, file.path);
            if (!read) {
                loop.device().close(*opened);
                co_return read.error();
            }
            result.bytes += part.size();
            if (verification.logProgress && !verification.logProgress(result)) {
                loop.device().close(*opened);
                co_return result;
            }
        }
        loop.device().close(*opened);
        const auto segmentAt = [&](std::uint64_t i) {
            return memory.bytes().subspan(i * geometry.segment, geometry.segment);
        };
        file.places.resize(geometry.segmentsPerFile() + 2);
        for (std::uint64_t i = 1; i < whole / geometry.segment; ++i)
            if (const auto header = readSegment(segmentAt(i), signature))
                file.places[i] = { true, *header };
        const auto header = whole > 0 ? readLogHeader(segmentAt(0)) : std::nullopt;
        if (header && header->signature == signature) {
            file.number = header->number;
        } else {
            // A file that has segments had a header. They tell which part it is.
            const auto some =
                std::find_if(file.places.begin(), file.places.end(), [](const Place& p) { return p.sound; });
            if (some == file.places.end())
                continue;
            file.number = geometry.fileOf(some->header.position);
            // Or a crash came while it was made ready for a later part.
            if (checkpoint.clean == 0 && file.number < geometry.fileOf(checkpoint.position))
                continue;
            ++result.badFiles;
            result.damages.push_back({ Damage::Kind::badHeader, file.path, 0 });
        }
        files.push_back(std::move(file));
    }
    for (const File& file : files)
        for (const Place& place : file.places)
            if (place.sound && place.header.epoch >= checkpoint.epoch) // see LogReader
                result.end = std::max(result.end, place.header.durable);
    const std::uint64_t last = result.end > 0 ? geometry.fileOf(result.end - 1) : 0;
    for (std::uint64_t part = geometry.fileOf(checkpoint.position); result.end > 0 && part <= last; ++part)
        if (std::none_of(files.begin(), files.end(), [&](const File& file) { return file.number == part; })) {
            ++result.badFiles;
            result.damages.push_back({ Damage::Kind::missing, (folder / prefix).string() + "*.log", part });
        }
    // Everything before that must be there: the segment itself, or its shadow, in no lower an epoch than what is before.
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.number < b.number; });
    std::uint32_t epoch = 0;
    for (const File& file : files) {
        ++result.files;
        for (std::uint64_t i = 1; i <= geometry.segmentsPerFile(); ++i) {
            const LogPosition position = geometry.beginOf(file.number) + (i - 1) * geometry.payload();
            if (position >= result.end)
                break;
            ++result.segments;
            if (position >= geometry.segmentBegin(checkpoint.position))
                epoch = std::max(epoch, checkpoint.positionEpoch);
            const auto has = [&](const Place& place, std::uint16_t shadow) {
                const bool there = place.sound && place.header.position == position
                    && place.header.shadow == shadow && place.header.epoch >= epoch
                    && position + place.header.used >= std::min(result.end, position + geometry.payload());
                if (there)
                    epoch = place.header.epoch;
                return there;
            };
            if (has(file.places[i], 0) || has(file.places[i + 1], 1))
                continue;
            ++result.badSegments;
            if (result.damages.size() < verification.mostDamages)
                result.damages.push_back({ Damage::Kind::badSegment, file.path, i });
        }
        if (verification.logProgress && !verification.logProgress(result))
            break;
    }
    result.time = loop.now() - begin;
    co_return result;
}

} // namespace loadstone::storage
