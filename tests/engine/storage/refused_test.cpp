// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_fixture.h"

#include <cstddef>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <span>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::storage;

namespace {

/// Of all system calls of this thread from here on. False: it may not do that.
bool filterCalls(std::span<sock_filter> program)
{
    const sock_fprog filter { static_cast<unsigned short>(program.size()), program.data() };
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/// From here on io_uring_setup answers EPERM to this thread, as in most containers.
bool refuseUring()
{
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return filterCalls(program);
}

/// From here on this thread can start no other, as where a limit of processes is reached.
bool refuseThreads()
{
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return filterCalls(program);
}

} // namespace

TEST_CASE("where io_uring is refused threads do the work and say why; asked for by name it is an error")
{
    bool refused = false;
    std::string description, message;
    Backend backend = Backend::automatic;
    int error = -1;
    std::thread([&] {
        refused = refuseUring();
        if (!refused)
            return;
        DeviceOptions options;
        options.depth = 3;
        const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
        const auto device = makeDevice(options);
        if (!device)
            return;
        description = (*device)->description();
        backend = (*device)->backend();
        const auto file = (*device)->create(folder / "file", 4096, FileOptions());
        Buffer page(4096);
        const IoRequest request = transfer(IoKind::write, *file, page.at(0), 0, 4096);
        (*device)->submit({ &request, 1 });
        IoCompletion done;
        if ((*device)->reap({ &done, 1 }, std::chrono::seconds(20)) == 1)
            error = done.error;
        options.backend = Backend::uring;
        const auto none = makeDevice(options);
        message = none ? "a device" : none.error().message;
    }).join();
    if (!refused) {
        WARN("not tried here: this process may not filter its own system calls");
        return;
    }
    CHECK(backend == Backend::threads);
    CHECK_THAT(description, ContainsSubstring("3 threads of pread and pwrite"));
    CHECK_THAT(description, ContainsSubstring("Operation not permitted"));
    CHECK(error == 0);
    CHECK_THAT(message, ContainsSubstring("io_uring_setup: Operation not permitted"));
}

TEST_CASE("where no threads can be started the device is refused, and says what would help")
{
    bool refused = false;
    std::string message;
    std::thread([&] {
        refused = refuseThreads();
        if (!refused)
            return;
        DeviceOptions options;
        options.depth = 3;
        options.backend = Backend::threads;
        const auto none = makeDevice(options);
        message = none ? "a device" : none.error().message;
    }).join();
    if (!refused) {
        WARN("not tried here: this process may not filter its own system calls");
        return;
    }
    CHECK_THAT(message,
        ContainsSubstring("3 threads for storage I/O are needed, and only 0 could be started: Resource "
                          "temporarily unavailable")
            && ContainsSubstring("ulimit -u"));
}

TEST_CASE("the back end that is asked for is taken, and told")
{
    DeviceOptions options;
    options.backend = Backend::threads;
    options.depth = 2;
    const auto threads = makeDevice(options);
    REQUIRE(threads);
    CHECK((*threads)->backend() == Backend::threads);
    CHECK_THAT((*threads)->description(),
        ContainsSubstring("2 threads") && ContainsSubstring("as the plan asks for"));
    CHECK(nameOf((*threads)->backend()) == "threads");
    CHECK((*threads)->block() == 4096);
    const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
    options.folders = { folder.path() };
    const auto there = makeDevice(options);
    REQUIRE(there);
    const std::uint32_t block = (*there)->block();
    CHECK((block == 512 || block == 1024 || block == 2048 || block == 4096));
    const auto file = (*there)->create(folder / "file", 8192, FileOptions());
    REQUIRE(file);
    Buffer memory(8192);
    CHECK(carryOut(**there, transfer(IoKind::write, *file, memory.at(block), block, block)).error == 0);
    options.folders = { folder / "missing" };
    const auto nowhere = makeDevice(options);
    REQUIRE_FALSE(nowhere);
    CHECK_THAT(nowhere.error().message, ContainsSubstring("missing: No such file or directory"));
}

TEST_CASE("a path that cannot be served is refused by name, and nothing is left there")
{
    const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
    DeviceOptions options;
    options.depth = 1;
    const auto device = makeDevice(options);
    REQUIRE(device);

    std::ofstream(folder / "mine") << "precious";
    const auto existing = (*device)->create(folder / "mine", 4096, FileOptions());
    REQUIRE_FALSE(existing);
    CHECK_THAT(existing.error().message, ContainsSubstring((folder / "mine").string() + ": exists already"));
    CHECK(fs::file_size(folder / "mine") == 8);

    const auto large = (*device)->create(folder / "large", 1ULL << 58, FileOptions());
    REQUIRE_FALSE(large);
    CHECK_THAT(
        large.error().message, ContainsSubstring((folder / "large").string() + ": no space for 262144 TB; "));
    CHECK_FALSE(fs::exists(folder / "large"));

    const auto missing = (*device)->open(folder / "missing", FileOptions());
    REQUIRE_FALSE(missing);
    CHECK_THAT(missing.error().message, ContainsSubstring("missing: No such file or directory"));

    FileOptions readOnly;
    readOnly.writable = false;
    const auto directory = (*device)->open(folder.path(), readOnly);
    REQUIRE_FALSE(directory);

    // The kernel's own files are never read past its page cache.
    const auto undirect = (*device)->open("/proc/self/stat", readOnly);
    REQUIRE_FALSE(undirect);
    CHECK_THAT(undirect.error().message,
        ContainsSubstring("/proc/self/stat: its file system refuses direct I/O (O_DIRECT)")
            && ContainsSubstring("direct = false"));
}
