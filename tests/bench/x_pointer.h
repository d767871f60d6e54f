// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace loadstone {

/// The mouse of an X display, moved by its XTEST extension: what a program gets has taken the way of a user's mouse through the
/// X server. Over a connection of its own; one thread at a time.
class XPointer {
public:
    /// Of $DISPLAY; null where that, its libraries (libX11, libXtst) or the extension is missing.
    static std::unique_ptr<XPointer> open();
    XPointer(const XPointer&) = delete;
    XPointer& operator=(const XPointer&) = delete;
    ~XPointer();

    void moveTo(int x, int y); ///< pixels of the screen
    void press(int button); ///< 1 left, 2 middle; 4 and 5 are the wheel's notches
    void release(int button);
    void click(int button);

private:
    struct Library;
    explicit XPointer(std::unique_ptr<Library> library);
    std::unique_ptr<Library> m_library;
};

} // namespace loadstone
