// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/page_edit.h"

#include <algorithm>
#include <cstring>

namespace loadstone::storage {

PageEdit::PageEdit(PageSource& source, LogPosition position)
    : m_source(source)
    , m_position(position)
{
}

PageEdit::~PageEdit()
{
    rollBack();
}

PageEdit::Touched* PageEdit::find(PageId id) noexcept
{
    // A transaction touches some tens of pages, and most often one of the last few again.
    const auto at =
        std::find_if(m_touched.rbegin(), m_touched.rend(), [&](const Touched& one) { return one.id == id; });
    return at == m_touched.rend() ? nullptr : &*at;
}

Page PageEdit::read(PageId id)
{
    if (const Touched* const known = find(id))
        return known->page;
    const Page page = m_source.resident(id);
    if (!page.valid())
        hinder(Hindrance::missingPage, id);
    else
        m_touched.push_back({ id, page, nullptr });
    return page;
}

Page PageEdit::fresh(PageId id)
{
    if (const Touched* const known = find(id))
        return known->page;
    const Page page = m_source.fresh(id);
    if (!page.valid())
        hinder(Hindrance::noMemory, id);
    else
        m_touched.push_back({ id, page, nullptr });
    return page;
}

void PageEdit::apply(const Redo& record)
{
    Touched* const at = find({ record.database, record.page });
    if (at == nullptr || hindered())
        return hinder(Hindrance::damaged, { record.database, record.page });
    if (!at->before) {
        at->before.reset(new std::byte[at->page.size()]);
        std::memcpy(at->before.get(), at->page.bytes().data(), at->page.size());
    }
    if (!redo(record, at->page, m_source.signature(record.database)))
        hinder(Hindrance::damaged, at->id);
    at->page.header().timestamp = m_position;
}

void PageEdit::hinder(Hindrance why, PageId page)
{
    if (hindered())
        return;
    m_hindrance = why;
    m_missing = page;
}

void PageEdit::rollBack()
{
    for (const Touched& one : m_touched)
        if (one.before)
            std::memcpy(one.page.bytes().data(), one.before.get(), one.page.size());
    m_touched.clear();
    m_records.clear();
    m_used.clear();
    m_hindrance = Hindrance::none;
}

std::vector<PageId> PageEdit::accept()
{
    std::vector<PageId> changed;
    for (const Touched& one : m_touched)
        if (one.before)
            changed.push_back(one.id);
    m_touched.clear();
    return changed;
}

} // namespace loadstone::storage
