// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"

#include <cstdint>
#include <map>
#include <sys/types.h>

namespace loadstone::test {

/// What lies in the server's own files: objects by the component that they hold ("VEVENT", "VJOURNAL", "VCARD").
using StoredObjects = std::map<std::string, std::uint64_t>;

/// A private Radicale from a temporary folder, on a free loopback port; users u0, u1, ... with the password "secret".
/// Ended with the object.
class DavServer {
public:
    /// Empty when it can be run on this machine, else the reason why not.
    static std::string whyNot();

    /// Returns when it answers. Throws std::runtime_error with its complaint.
    /// `keeps`: connections; otherwise it ends each after its answer, as Radicale does by itself.
    /// `loses`: with kept connections, the so many-th PUT of each is carried out and never answered; 0: none.
    DavServer(unsigned users, bool keeps, unsigned loses = 0);
    ~DavServer();
    DavServer(const DavServer&) = delete;
    DavServer& operator=(const DavServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] StoredObjects stored() const;
    /// The text of every stored object, by its file's name.
    [[nodiscard]] std::map<std::string, std::string> texts() const;
    /// How many objects there are, while they may come and go.
    [[nodiscard]] std::size_t size() const;
    /// Puts an object there behind Loadstone's back: "u3/calendar/mine.ics".
    void add(const std::string& path, const std::string& text);
    [[nodiscard]] std::string log() const;
    [[nodiscard]] std::uint64_t looks() const noexcept
    {
        return m_looks;
    } ///< connections tried until it answered
    [[nodiscard]] std::uint64_t connections() const; ///< accepted, of a server that keeps them
    void keepFolder() { m_folder.keep(); } ///< leaves it behind, with its log

private:
    ScratchFolder m_folder;
    std::uint64_t m_looks = 0;
    std::uint16_t m_port = 0;
    ::pid_t m_process = -1;
};

} // namespace loadstone::test
