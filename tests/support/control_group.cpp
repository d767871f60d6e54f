// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/control_group.h"

#include <atomic>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>

namespace loadstone::test {

namespace {

constexpr int kPeriod = 100'000; // us

bool write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file);
    out << text << std::flush;
    return static_cast<bool>(out);
}

} // namespace

Result<ControlGroup> ControlGroup::make()
{
    static std::atomic<unsigned> number { 0 };
    const std::string name = "loadstone-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
    const std::filesystem::path root = "/sys/fs/cgroup";
    std::error_code failed;
    for (const char* controller : { "cpu", "cpu,cpuacct" }) {
        const auto folder = root / controller / name;
        std::filesystem::create_directory(folder, failed);
        if (std::filesystem::exists(folder / "cpu.cfs_quota_us", failed))
            return ControlGroup(folder, false);
    }
    const auto folder = root / name;
    std::filesystem::create_directory(folder, failed);
    if (failed)
        return fail("no control group can be made here: " + failed.message());
    ControlGroup group(folder, true);
    if (!std::filesystem::exists(folder / "cpu.max"))
        return fail("control groups do not bound processor time here");
    return group;
}

ControlGroup::ControlGroup(std::filesystem::path folder, bool isVersion2)
    : m_folder(std::move(folder))
    , m_isVersion2(isVersion2)
{
}

ControlGroup::ControlGroup(ControlGroup&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {}))
    , m_isVersion2(other.m_isVersion2)
{
}

ControlGroup::~ControlGroup()
{
    if (!m_folder.empty())
        ::rmdir(m_folder.c_str());
}

bool ControlGroup::allow(int percent) const
{
    const std::string quota = std::to_string(kPeriod / 100 * percent), period = std::to_string(kPeriod);
    return m_isVersion2 ? write(m_folder / "cpu.max", quota + " " + period)
                        : write(m_folder / "cpu.cfs_period_us", period) && write(m_folder / "cpu.cfs_quota_us", quota);
}

double ControlGroup::throttledSeconds() const
{
    std::ifstream in(m_folder / "cpu.stat");
    std::string key;
    for (double value = 0; in >> key >> value;)
        if (key == "throttled_time")
            return value / 1e9;
        else if (key == "throttled_usec")
            return value / 1e6;
    return 0;
}

} // namespace loadstone::test
