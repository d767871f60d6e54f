// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/file_device.h"
#include "storage/device/request_table.h"

#include <liburing.h>
#include <optional>

namespace loadstone::storage {

/// Owns a ring. It is made disabled: enable() binds it to the calling thread.
class Ring {
public:
    /// `polled`: completions are found by polling the device (IORING_SETUP_IOPOLL). `without`: how many of the ways that newer
    /// kernels have to leave out, 0 to 2.
    static Result<Ring> make(unsigned entries, bool polled, unsigned without = 0);
    Ring(Ring&& other) noexcept;
    Ring& operator=(Ring&&) = delete;
    ~Ring();
    void enable();

    [[nodiscard]] io_uring* get() noexcept { return &m_ring; }
    [[nodiscard]] const std::string& flags() const noexcept { return m_flags; } ///< in words
    [[nodiscard]] bool has(unsigned opcode) const noexcept { return m_opcodes[opcode]; }

private:
    Ring() = default;
    io_uring m_ring {};
    bool m_mine = false;
    std::string m_flags;
    std::vector<bool> m_opcodes = std::vector<bool>(256);
};

/// Requests through io_uring: a system call hands over a batch, files and memory are registered with the kernel where it
/// takes them. The clock is read once for at most kBatch requests, just before the call that issues them, and once for all
/// completions found together: an I/O's time in the device begins no later and ends no earlier than it did.
class UringDevice final : public FileDevice {
public:
    /// `note` ends the description; `without`: see Ring. An Error: io_uring is refused, or lacks what is needed here (Linux 5.11).
    static Result<std::unique_ptr<UringDevice>> make(
        const DeviceOptions& options, std::uint32_t block, std::string note, unsigned without = 0);
    ~UringDevice() override; ///< waits for what the kernel still has

    void useMemory(std::span<std::byte> memory) override;
    void forgetMemory(std::span<std::byte> memory) override;
    void submit(std::span<const IoRequest> requests) override;
    std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) override;
    [[nodiscard]] std::size_t pending() const override { return m_table.pending(); }
    [[nodiscard]] Backend backend() const noexcept override { return Backend::uring; }
    [[nodiscard]] std::string description() const override;

private:
    static constexpr unsigned kBatch = 32;

    UringDevice(Ring main, std::optional<Ring> side, unsigned depth, std::uint32_t block, std::string note);
    void opened(FileId file) override;
    void closing(FileId file) override;
    void registerMemory();
    void issue();
    void prepare(std::uint32_t slot);
    [[nodiscard]] int registeredBuffer(const Stretch& stretch) const noexcept;
    std::size_t harvest(io_uring* ring, std::span<IoCompletion> completions);
    /// Whether the request is at its end, with *error; else it goes on.
    bool settle(std::uint32_t slot, int result, int& error);
    std::size_t poll(std::span<IoCompletion> completions, MonoTime until);

    Ring m_main;
    /// Of a polled device: flushes, and files that cannot be polled.
    std::optional<Ring> m_side;
    RequestTable m_table;
    std::string m_note;
    struct Kernel { // how a file is called there
        int number = -1;
        bool registered = false; // with the main ring
        bool aside = false; // served by the other one
    };
    std::vector<Kernel> m_numbers; // by FileId
    unsigned m_fileTable = 0; // entries
    std::vector<iovec> m_memory; // as given, by address
    std::vector<iovec> m_registered; // by address, as the kernel has it; empty when it refused
    std::string m_memoryRefused;
    std::vector<std::uint32_t> m_goOn; // slots whose transfer fell short
    bool m_enabled = false, m_pollRefused = false;
};

} // namespace loadstone::storage
