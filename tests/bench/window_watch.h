// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <QApplication>
#include <QPoint>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// When the events of a measurement were handed to the X server. Any thread.
class SentEvents {
public:
    /// To be called just before; `at`: where on the screen it happens.
    void add(QPoint at);
    /// Of the last one there.
    [[nodiscard]] std::optional<MonoTime> at(QPoint at) const;
    /// Of the one with this number, from 0.
    [[nodiscard]] std::optional<MonoTime> number(std::size_t index) const;
    [[nodiscard]] std::size_t size() const;
    void clear();

private:
    struct Sent {
        QPoint at;
        MonoTime when {};
    };
    mutable std::mutex m_mutex;
    std::vector<Sent> m_sent;
};

/// Says what comes in from the user, before it is handled, and when a window has been painted and its picture has been handed
/// to the X server.
class WatchedApp : public QApplication {
public:
    using QApplication::QApplication;

    std::function<void(const QEvent&)> input; ///< a mouse's event as the window gets it
    std::function<void()> painted;

    bool notify(QObject* receiver, QEvent* event) override;
};

/// Nearest rank, of times in ms; NaN of none.
double quantile(std::vector<double> times, double share);

/// Resident memory of this process as the kernel tells it, MB: "VmRSS" now, "VmHWM" at most.
double memoryOf(const char* field);
/// Processor time of all threads of this process whose names begin so; an empty name: of all.
Nanoseconds threadsCpu(const std::string& name);
/// Processor time of all processors that was not idle, and in total.
struct MachineTime {
    double busy = 0, all = 0; ///< s
    static MachineTime now();
};

} // namespace loadstone
