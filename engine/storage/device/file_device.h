// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "storage/device/device.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::plan {
enum class BackEnd : std::uint8_t;
}

namespace loadstone::storage {

enum class Backend : std::uint8_t {
    automatic, ///< io_uring where the kernel lets us, else threads
    uring,
    threads
};

/// "io_uring", "threads", "automatic".
std::string_view nameOf(Backend backend) noexcept;
Backend backendOf(plan::BackEnd asked) noexcept; ///< as a plan has it

inline constexpr unsigned kMostDepth = 4096;

struct DeviceOptions {
    Backend backend = Backend::automatic;
    unsigned depth = 32; ///< requests that the kernel has at once, 1..kMostDepth
    /// Find completions by polling the device, where it and its driver can (io_uring and direct I/O alone).
    bool poll = false;
    /// Existing folders of the files to come: what block() is found out from. None: the safe 4096.
    std::vector<std::filesystem::path> folders;
    /// Once it is true, create() and grow() fail with ECANCELED where they take long: on file systems that cannot reserve space, so
    /// that it has to be written. Outlives the device; any thread sets it.
    const std::atomic<bool>* interrupted = nullptr;
};

/// A device over files of this machine: all about the files themselves; the back ends add how requests travel.
/// The first submit() binds it to the calling thread; what comes before may be done by another one.
class FileDevice : public Device {
public:
    Result<FileId> create(
        const std::filesystem::path& path, std::uint64_t size, const FileOptions& options) final;
    /// A regular file or a block device.
    Result<FileId> open(const std::filesystem::path& path, const FileOptions& options) final;
    Result<void> grow(FileId file, std::uint64_t size) final;
    [[nodiscard]] std::uint64_t size(FileId file) const final;
    /// None of its requests is pending.
    void close(FileId file) final;
    /// A file that this device has made or opened; one that has taken its name meanwhile stays.
    Result<void> remove(const std::filesystem::path& path) final;
    [[nodiscard]] bool exists(const std::filesystem::path& path) const final;
    [[nodiscard]] std::uint32_t block() const final { return m_block; }
    void sleepUntil(MonoTime until) final;
    void interruptBy(const std::atomic<bool>* flag) noexcept { m_interrupted = flag; } ///< see DeviceOptions

    [[nodiscard]] virtual Backend backend() const noexcept = 0; ///< uring or threads
    /// A sentence for the report: which back end, what it makes use of, and why where there was a choice.
    [[nodiscard]] virtual std::string description() const = 0;

protected:
    explicit FileDevice(std::uint32_t block)
        : m_block(block)
    {
    }
    struct OpenFile {
        FileDescriptor descriptor;
        std::filesystem::path path;
        std::uint64_t size = 0; ///< bytes of content
        FileOptions options;
    };
    [[nodiscard]] const OpenFile& file(FileId id) const noexcept { return m_files[id]; }

private:
    virtual void opened(FileId /*file*/) { }
    virtual void closing(FileId /*file*/) { }

    std::vector<OpenFile> m_files;
    struct Known {
        std::uint64_t device, inode;
        Identity owner;
    };
    std::map<std::filesystem::path, Known> m_known; // made or opened: what remove() may remove
    std::uint32_t m_block;
    const std::atomic<bool>* m_interrupted = nullptr;
};

/// The device that `options` ask for. An Error: a back end was asked for by name and this kernel refuses it, a folder cannot be
/// written to, or there may not be as many threads.
Result<std::unique_ptr<FileDevice>> makeDevice(const DeviceOptions& options);

/// What direct I/O in `folder` must be a multiple of, in bytes (512..4096): from the kernel (statx, Linux 6.1) or tried out.
/// 4096 where direct I/O is refused.
Result<std::uint32_t> directBlock(const std::filesystem::path& folder);

/// Whether the driver of the volume that `folder` lies on has queues that can be polled.
bool canPoll(const std::filesystem::path& folder);

} // namespace loadstone::storage
