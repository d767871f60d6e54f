// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "storage/device/device.h"

#include <map>
#include <string>
#include <vector>

namespace loadstone::test {

/// What a device leaves behind: after a crash `files` alone, after the end of its process all of it.
struct MemoryDisk {
    struct Write {
        std::string path;
        std::uint64_t offset = 0;
        std::vector<std::byte> bytes;
    };
    std::map<std::string, std::vector<std::byte>> files; ///< what is durable
    /// Of files that were opened without write-through: with all that was written to them. A file is opened in one way only.
    std::map<std::string, std::vector<std::byte>> cached;
    std::vector<Write> unflushed; ///< what they have, and `files` has not
};

/// A device whose transfers complete in a random order, and whose writes are only as durable as they are said to be. At a crash,
/// each write that is not durable is there, or not, or torn: of its 512-byte sectors some are new and some are old, and
/// one may be half and half. A flush is of one file: others may lie on other disks. Time passes only while somebody waits.
class MemoryDevice : public storage::Device {
public:
    MemoryDevice(MemoryDisk& disk, std::uint64_t seed);

    Result<storage::FileId> create(
        const std::filesystem::path& path, std::uint64_t size, const storage::FileOptions& options) override;
    Result<storage::FileId> open(
        const std::filesystem::path& path, const storage::FileOptions& options) override;
    Result<void> grow(storage::FileId file, std::uint64_t size) override;
    [[nodiscard]] std::uint64_t size(storage::FileId file) const override;
    void close(storage::FileId file) override;
    Result<void> remove(const std::filesystem::path& path) override;
    [[nodiscard]] bool exists(const std::filesystem::path& path) const override;
    [[nodiscard]] std::uint32_t block() const override { return 512; }
    void useMemory(std::span<std::byte> given) override { memory.push_back(given); }
    void forgetMemory(std::span<std::byte> gone) override;
    void submit(std::span<const storage::IoRequest> requests) override;
    std::size_t reap(std::span<storage::IoCompletion> completions, Nanoseconds wait) override;
    [[nodiscard]] std::size_t pending() const override { return m_pending.size() + m_held.size(); }
    [[nodiscard]] MonoTime now() const override { return m_now; }
    void sleepUntil(MonoTime until) override { m_now = std::max(m_now, until); }

    /// The power goes. After this, files are closed and memory is forgotten, and nothing else.
    void crash();
    /// The process is killed: of the writes on their way each is carried out or not. All that was written can still be read,
    /// and is as durable as it was. After this as after crash().
    void kill();

    std::uint64_t tornWrites = 0, droppedWrites = 0;
    int failWritesWith = 0; ///< errno of every write from now on
    int failReadsWith = 0; ///< likewise of reads
    std::string failPath; ///< only of files whose path has this in it
    bool holdFlushes = false; ///< flushes from now on do not complete
    std::vector<std::span<std::byte>> memory; ///< given, and not forgotten
    [[nodiscard]] std::size_t openFiles() const;

private:
    using Write = MemoryDisk::Write;
    struct File {
        std::string path;
        bool writeThrough = true, open = true;
    };
    std::vector<std::byte>& content(storage::FileId file);
    Write takeBytes(const storage::IoRequest& request) const;
    void carryOut(const storage::IoRequest& request, storage::IoCompletion& completion);
    static void put(const Write& write, std::vector<std::byte>& into);
    void survive(const Write& write);
    MemoryDisk& m_disk;
    Random m_random;
    std::vector<File> m_files;
    std::vector<storage::IoRequest> m_pending, m_held;
    MonoTime m_now {};
};

} // namespace loadstone::test
