// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::test {

/// A server on 127.0.0.1 that takes one connection, or several one after the other, answers each line as it is told, and goes wrong where it is told.
class ScriptedPeer {
public:
    static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
    enum class Fault {
        closes,
        stalls, ///< says nothing more, and keeps the connection
        babbles, ///< says what is no protocol's
        drips, ///< goes on with an octet now and then, and never comes to an end
    };
    struct Script {
        std::string greeting;
        /// Gives the answer to a line without its end; empty: none.
        std::function<std::string(const std::string&)> answer;
        std::size_t wrongAfter = kNever; ///< so many bytes of its own
        Fault fault = Fault::closes;
        unsigned connections = 1;
        /// Closes the connection at a line, without an answer to it.
        std::function<bool(const std::string&)> leaves = [](const std::string&) { return false; };
    };

    explicit ScriptedPeer(Script script);
    ~ScriptedPeer(); ///< ends the connection
    ScriptedPeer(const ScriptedPeer&) = delete;
    ScriptedPeer& operator=(const ScriptedPeer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    /// On the connection that it has, between its answers; returns when the client's machine has it.
    void sayUnasked(const std::string& text);
    /// How many bytes it had sent before each of its answers, the greeting being the first, and in all. Waits for the end
    /// of the connection, which is the client's to bring about.
    const std::vector<std::size_t>& answers();

private:
    void serve();
    bool serveOne(); ///< false: to be stopped
    bool say(int connection, const std::string& text); ///< false: it has gone wrong

    Script m_script;
    int m_listener = -1, m_stop[2] = { -1, -1 };
    std::atomic<int> m_connection = -1;
    std::uint16_t m_port = 0;
    std::size_t m_sent = 0;
    std::vector<std::size_t> m_answers;
    std::thread m_thread;
};

} // namespace loadstone::test
