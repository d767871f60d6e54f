// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <thread>
#include <utility>

namespace loadstone::metrics {

/// Two copies of T between one writer and one reader: the writer fills the active one without locks or
/// allocation (two sequentially consistent stores per change), the reader takes the other away at each tick and
/// waits at most for one change that is under way: a few nanoseconds.
template <class T>
class Handover {
public:
    explicit Handover(const T& initial = T())
        : m_copies { initial, initial }
    {
    }

    /// The writer's thread: `change(T&)`, short and without blocking.
    template <class F>
    void write(F&& change)
    {
        struct Lower { // also when `change` throws: the reader would wait for ever
            std::atomic<bool>& flag;
            ~Lower() { flag.store(false, std::memory_order_release); }
        };
        m_writing.store(true, std::memory_order_seq_cst);
        const Lower lower { m_writing };
        std::forward<F>(change)(m_copies[m_active.load(std::memory_order_seq_cst)]);
    }

    /// The reader's thread: `take(T&)` gets what was written since the last call and leaves it empty for the next.
    template <class F>
    void collect(F&& take)
    {
        std::forward<F>(take)(switchOver());
    }
    /// The first half of that: what was written until now, the reader's alone until it switches over again and to be left empty
    /// by then.
    T& switchOver()
    {
        const unsigned full = m_active.load(std::memory_order_relaxed);
        m_active.store(1 - full, std::memory_order_seq_cst);
        while (m_writing.load(std::memory_order_seq_cst))
            std::this_thread::yield();
        return m_copies[full];
    }

private:
    T m_copies[2];
    // Dekker's handshake: the writer raises its flag and then looks which copy is active; the reader switches the
    // active copy and then looks at the flag. Whichever comes second in the single order of these sees the other.
    alignas(64) std::atomic<unsigned> m_active { 0 };
    alignas(64) std::atomic<bool> m_writing { false };
};

} // namespace loadstone::metrics
