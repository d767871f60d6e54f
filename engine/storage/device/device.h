// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/identity.h"

#include <loadstone/result.h>
#include <loadstone/subject.h>
#include <loadstone/time.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

struct iovec;

namespace loadstone::storage {

using loadstone::IoClass;
using loadstone::kIoClasses;

/// flush: all that was written before, also by requests that completed, is durable once it completes (fdatasync).
enum class IoKind : std::uint8_t { read, write, flush };

/// A file that a Device has open. Counts from 0 within that device.
using FileId = std::uint16_t;

/// One transfer. Offset, length and memory are multiples of the device's block() where the file is opened for direct I/O.
struct IoRequest {
    std::uint64_t tag = 0; ///< handed back with the completion; any value
    std::byte* data = nullptr; ///< the whole of it, when `pieces` is empty; lives until the completion
    std::span<const iovec>
        pieces; ///< else: where it goes, in order; the array, too, lives until the completion
    std::uint64_t offset = 0; ///< bytes from the file's beginning
    std::uint32_t length = 0; ///< bytes, in all
    FileId file = 0;
    IoKind kind = IoKind::read;
    IoClass ioClass = IoClass::databaseRead;
    MonoTime queued {}; ///< when it was asked for; set by who asks
    std::uint32_t place = 0; ///< handed back as the tag is, to who keeps account of what is under way
};

struct IoCompletion {
    std::uint64_t tag = 0;
    int error = 0; ///< errno; 0: all of it was transferred. A read past the file's end is an EIO.
    FileId file = 0;
    IoKind kind = IoKind::read;
    IoClass ioClass = IoClass::databaseRead;
    std::uint32_t length = 0;
    MonoTime queued {}; ///< of the request
    MonoTime issued {}; ///< given to the kernel
    MonoTime done {}; ///< found complete
    std::uint32_t place = 0; ///< of the request
};

enum class Durability : std::uint8_t {
    writeThrough, ///< a completed write is durable (O_DSYNC)
    flushed ///< only a flush makes it so
};

struct FileOptions {
    bool direct = true; ///< past the page cache of the kernel (O_DIRECT)
    bool writable = true;
    Durability durability = Durability::writeThrough;
    /// Whose the file is: a new one gets this identity behind its content, one that is opened must have it. None: no file of a
    /// test, such as a block device.
    Identity owner {};
    std::uint64_t blockDevice = 0; ///< what a block device that is opened must be (st_rdev); 0: any
};

/// The seam to the storage under test: the files and the I/O queue of one worker thread. Not thread-safe; all calls come
/// from that thread. submit() and reap() never block but for the time that reap() is told to wait; the calls about files
/// block, and belong before and after the load.
class Device {
public:
    virtual ~Device() = default;

    /// The files. Creating and growing one is durable when the call returns, its directory entry too.
    /// A new file: `size` bytes of reserved space that read as zeros. Fails where `path` exists.
    virtual Result<FileId> create(
        const std::filesystem::path& path, std::uint64_t size, const FileOptions& options) = 0;
    virtual Result<FileId> open(const std::filesystem::path& path, const FileOptions& options) = 0;
    virtual Result<void> grow(FileId file, std::uint64_t size) = 0;
    [[nodiscard]] virtual std::uint64_t size(FileId file) const = 0;
    virtual void close(FileId file) = 0;
    virtual Result<void> remove(const std::filesystem::path& path) = 0;
    [[nodiscard]] virtual bool exists(const std::filesystem::path& path) const = 0;

    /// Multiples of what offsets, lengths and memory of direct I/O are, in bytes; a power of two, at most 4096.
    [[nodiscard]] virtual std::uint32_t block() const = 0;
    /// Memory that many requests will point into: a back end may register it with the kernel. It outlives the device, or is
    /// forgotten before it goes. What cannot be registered still works.
    virtual void useMemory(std::span<std::byte> memory) = 0;
    /// The same memory, all of it, is about to go. No request that points into it is pending.
    virtual void forgetMemory(std::span<std::byte> memory) = 0;

    /// Takes all requests over. Those beyond the queue's depth wait inside, in order.
    virtual void submit(std::span<const IoRequest> requests) = 0;
    /// Gives what is complete, at most completions.size(); where nothing is, waits for the first one, at most `wait`, and not at
    /// all where nothing is pending. Returns how many.
    virtual std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) = 0;
    /// The clock that completions are timed by.
    [[nodiscard]] virtual MonoTime now() const { return monoNow(); }
    /// Passes the time while nothing is pending, when reap() returns at once.
    virtual void sleepUntil(MonoTime until) = 0;
    /// Requests without a completion given.
    [[nodiscard]] virtual std::size_t pending() const = 0;
};

} // namespace loadstone::storage
