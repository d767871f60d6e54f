// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/x_pointer.h"

#include <dlfcn.h>

namespace loadstone {

// Found at run time: no other part of the project needs the headers.
struct XPointer::Library {
    void* x11 = ::dlopen("libX11.so.6", RTLD_NOW);
    void* xtst = ::dlopen("libXtst.so.6", RTLD_NOW);
    void* display = nullptr;
    int (*flush)(void*) = nullptr;
    int (*close)(void*) = nullptr;
    int (*motion)(void*, int screen, int x, int y, unsigned long delay) = nullptr;
    int (*button)(void*, unsigned number, int down, unsigned long delay) = nullptr;

    template <class Function>
    static bool find(void* library, const char* name, Function& function)
    {
        function = library != nullptr ? reinterpret_cast<Function>(::dlsym(library, name)) : nullptr;
        return function != nullptr;
    }
    bool open()
    {
        void* (*openDisplay)(const char*) = nullptr;
        int (*query)(void*, int*, int*, int*, int*) = nullptr;
        if (!find(x11, "XOpenDisplay", openDisplay) || !find(x11, "XFlush", flush)
            || !find(x11, "XCloseDisplay", close) || !find(xtst, "XTestFakeMotionEvent", motion)
            || !find(xtst, "XTestFakeButtonEvent", button) || !find(xtst, "XTestQueryExtension", query))
            return false;
        display = openDisplay(nullptr);
        int unused = 0;
        return display != nullptr && query(display, &unused, &unused, &unused, &unused) != 0;
    }
};

std::unique_ptr<XPointer> XPointer::open()
{
    std::unique_ptr<XPointer> pointer(new XPointer(std::make_unique<Library>()));
    if (!pointer->m_library->open())
        return nullptr;
    return pointer;
}

XPointer::XPointer(std::unique_ptr<Library> library)
    : m_library(std::move(library))
{
}

XPointer::~XPointer()
{
    if (m_library->display != nullptr)
        m_library->close(m_library->display);
}

void XPointer::moveTo(int x, int y)
{
    m_library->motion(m_library->display, -1, x, y, 0);
    m_library->flush(m_library->display);
}

void XPointer::press(int button)
{
    m_library->button(m_library->display, static_cast<unsigned>(button), 1, 0);
    m_library->flush(m_library->display);
}

void XPointer::release(int button)
{
    m_library->button(m_library->display, static_cast<unsigned>(button), 0, 0);
    m_library->flush(m_library->display);
}

void XPointer::click(int button)
{
    press(button);
    release(button);
}

} // namespace loadstone
