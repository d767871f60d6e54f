// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/window_watch.h"

#include <QMouseEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>

namespace loadstone {

void SentEvents::add(QPoint at)
{
    const std::lock_guard lock(m_mutex);
    m_sent.push_back({ at, monoNow() });
}

std::optional<MonoTime> SentEvents::at(QPoint at) const
{
    const std::lock_guard lock(m_mutex);
    const auto found =
        std::find_if(m_sent.rbegin(), m_sent.rend(), [&](const Sent& sent) { return sent.at == at; });
    return found == m_sent.rend() ? std::nullopt : std::optional(found->when);
}

std::optional<MonoTime> SentEvents::number(std::size_t index) const
{
    const std::lock_guard lock(m_mutex);
    return index < m_sent.size() ? std::optional(m_sent[index].when) : std::nullopt;
}

std::size_t SentEvents::size() const
{
    const std::lock_guard lock(m_mutex);
    return m_sent.size();
}

void SentEvents::clear()
{
    const std::lock_guard lock(m_mutex);
    m_sent.clear();
}

bool WatchedApp::notify(QObject* receiver, QEvent* event)
{
    const QEvent::Type type = event->type();
    const bool fromUser = type == QEvent::MouseMove || type == QEvent::Wheel
        || type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease;
    if (fromUser && receiver->isWindowType() && input)
        input(*event);
    const bool isPaint = type == QEvent::UpdateRequest
        && (receiver->isWindowType()
            || (receiver->isWidgetType() && static_cast<QWidget*>(receiver)->isWindow()));
    const bool done = QApplication::notify(receiver, event);
    if (isPaint && painted)
        painted();
    return done;
}

double quantile(std::vector<double> times, double share)
{
    if (times.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(times.begin(), times.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(times.size())));
    return times[std::clamp<std::size_t>(rank, 1, times.size()) - 1];
}

double memoryOf(const char* field)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(field, 0) == 0)
            return std::stod(line.substr(line.find(':') + 1)) / 1024;
    return std::numeric_limits<double>::quiet_NaN();
}

Nanoseconds threadsCpu(const std::string& name)
{
    const auto ticksPerSecond = ::sysconf(_SC_CLK_TCK);
    Nanoseconds sum {};
    std::error_code gone; // a thread may end meanwhile
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
        std::ifstream file(task.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        const auto open = stat.find('('), shut = stat.rfind(')');
        if (open == std::string::npos || shut == std::string::npos
            || stat.compare(open + 1, name.size(), name) != 0)
            continue;
        std::istringstream rest(stat.substr(shut + 2));
        std::string skipped;
        for (int field = 3; field < 14; ++field)
            rest >> skipped;
        std::int64_t user = 0, system = 0;
        rest >> user >> system;
        sum += Nanoseconds((user + system) * 1'000'000'000 / ticksPerSecond);
    }
    return sum;
}

MachineTime MachineTime::now()
{
    const double ticksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::ifstream stat("/proc/stat");
    std::string cpu;
    stat >> cpu;
    MachineTime time;
    double value = 0;
    for (int field = 0; field < 8 && stat >> value; ++field) { // those of guests are in the first two already
        time.all += value / ticksPerSecond;
        if (field != 3 && field != 4) // idle, waiting for a disk
            time.busy += value / ticksPerSecond;
    }
    return time;
}

} // namespace loadstone
