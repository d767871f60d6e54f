// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/page/tree.h"

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kChildSize = sizeof(PageNumber);
constexpr unsigned kMostLevels = 16; // more than 2^32 pages need; a damaged tree could have a circle

/// The slot that parts the bytes of a page's entries into two halves. Of two entries at least, as any page that is to be split has.
unsigned middleOf(Page page)
{
    unsigned first = 0;
    for (std::size_t bytes = 0; first < page.slots(); ++first) {
        bytes += Page::cost(page.value(first).size());
        if (bytes > page.used() / 2)
            break;
    }
    return std::clamp(first, 1U, page.slots() - 1U);
}

} // namespace

Tree::Tree(std::uint8_t database, PageNumber root, std::size_t pageSize, SpaceMap& space)
    : m_database(database)
    , m_root(root)
    , m_pageSize(pageSize)
    , m_space(space)
{
}

/// `level`: what it must be, or -1 for the root.
Page Tree::readNode(PageEdit& edit, PageNumber number, int level) const
{
    const Page page = edit.read({ m_database, number });
    if (!page.valid())
        return {};
    const PageHeader& head = page.header();
    const bool node = head.kind == (head.level == 0 ? PageKind::leaf : PageKind::internal);
    if (!node || (level >= 0 && head.level != level) || (head.level > 0 && head.slots == 0)
        || head.level > kMostLevels) {
        edit.hinder(Hindrance::damaged, { m_database, number });
        return {};
    }
    return page;
}

Tree::Path Tree::descend(PageEdit& edit, Key key) const
{
    Path path;
    PageNumber number = m_root;
    int level = -1;
    for (;;) {
        const Page page = readNode(edit, number, level);
        if (!page.valid())
            return {};
        level = page.header().level;
        path.push_back({ number, page, level > 0 ? page.route(key) : 0 });
        if (level == 0)
            return path;
        number = page.child(path.back().slot);
        --level;
    }
}

std::optional<Tree::Found> Tree::seek(PageEdit& edit, Key key) const
{
    const Path path = descend(edit, key);
    if (path.empty())
        return {};
    Page leaf = path.back().page;
    unsigned slot = leaf.lowerBound(key);
    while (slot == leaf.slots()) { // also over leaves that lost their last record
        const PageNumber next = leaf.header().next;
        if (next == kNoPage)
            return {};
        leaf = readNode(edit, next, 0);
        if (!leaf.valid())
            return {};
        slot = 0;
    }
    return Found { leaf.key(slot), leaf.value(slot) };
}

void Tree::insert(PageEdit& edit, Key key, std::span<const std::byte> value)
{
    if (value.size() > Page::longestValue(m_pageSize))
        return edit.hinder(Hindrance::tooLong);
    while (!edit.hindered()) {
        const Path path = descend(edit, key);
        if (path.empty())
            return;
        if (path.back().page.find(key))
            return edit.hinder(Hindrance::keyExists);
        if (makeRoom(edit, path, key, value.size()))
            return edit.apply(edit.records().insert(m_database, path.back().number, key, value));
    }
}

void Tree::replace(PageEdit& edit, Key key, std::span<const std::byte> value)
{
    if (value.size() > Page::longestValue(m_pageSize))
        return edit.hinder(Hindrance::tooLong);
    while (!edit.hindered()) {
        const Path path = descend(edit, key);
        if (path.empty())
            return;
        const Step& leaf = path.back();
        const std::optional<unsigned> slot = leaf.page.find(key);
        if (!slot)
            return edit.hinder(Hindrance::keyMissing);
        const std::size_t old = leaf.page.value(*slot).size();
        if (value.size() <= old || leaf.page.fits(value.size() - old)
            || makeRoom(edit, path, key, value.size() - old))
            return edit.apply(edit.records().replace(m_database, leaf.number, key, value));
    }
}

void Tree::patch(PageEdit& edit, Key key, std::uint16_t offset, std::span<const std::byte> bytes)
{
    const Path path = descend(edit, key);
    if (path.empty())
        return;
    const Step& leaf = path.back();
    const std::optional<unsigned> slot = leaf.page.find(key);
    if (!slot)
        return edit.hinder(Hindrance::keyMissing);
    if (offset + bytes.size() > leaf.page.value(*slot).size())
        return edit.hinder(Hindrance::tooLong);
    edit.apply(edit.records().patch(m_database, leaf.number, key, offset, bytes));
}

void Tree::erase(PageEdit& edit, Key key)
{
    const Path path = descend(edit, key);
    if (path.empty())
        return;
    if (!path.back().page.find(key))
        return edit.hinder(Hindrance::keyMissing);
    edit.apply(edit.records().erase(m_database, path.back().number, key));
    shrink(edit, path);
}

bool Tree::makeRoom(PageEdit& edit, const Path& path, Key key, std::size_t valueSize)
{
    std::size_t node = path.size() - 1;
    if (path[node].page.fits(valueSize))
        return true;
    // The topmost page that must be split first is the one whose parent has room for another child.
    while (node > 0 && !path[node - 1].page.fits(kChildSize))
        --node;
    if (node == 0) {
        growRoot(edit, path[0].page);
        return false;
    }
    // Records that come in ascending order leave full pages behind, and begin new ones.
    const Page page = path[node].page;
    const bool ascending =
        node == path.size() - 1 && page.header().next == kNoPage && page.lowerBound(key) == page.slots();
    split(edit, path[node - 1], path[node], ascending ? page.slots() : middleOf(page), key);
    return false;
}

void Tree::growRoot(PageEdit& edit, Page root)
{
    const PageNumber number = m_space.allocate(edit);
    if (number == kNoPage || !edit.fresh({ m_database, number }).valid())
        return;
    const PageHeader& head = root.header();
    const unsigned level = head.level;
    edit.apply(edit.records().format(m_database, number, head.kind, level, head.next, root));
    edit.apply(edit.records().formatRoot(m_database, m_root, level + 1, number));
}

/// `first`: the first slot to go, or slots() if none is; then the new page is for `key` and what follows it.
void Tree::split(PageEdit& edit, const Step& parent, const Step& node, unsigned first, Key key)
{
    const PageNumber number = m_space.allocate(edit);
    if (number == kNoPage || !edit.fresh({ m_database, number }).valid())
        return;
    const Page page = node.page;
    const Key separator = first < page.slots() ? page.key(first) : key;
    const PageHeader& head = page.header();
    edit.apply(edit.records().format(m_database, number, head.kind, head.level, head.next, page, first));
    edit.apply(edit.records().truncate(
        m_database, node.number, separator, head.kind == PageKind::leaf ? number : kNoPage));
    const auto child = std::as_bytes(std::span(&number, 1));
    edit.apply(edit.records().insert(m_database, parent.number, separator, child));
}

/// After an entry has gone from the path's leaf: pages less than a quarter full are merged with a neighbour, from the leaf up.
void Tree::shrink(PageEdit& edit, const Path& path)
{
    for (std::size_t node = path.size() - 1; node > 0 && !edit.hindered(); --node) {
        const Step& parent = path[node - 1];
        if (path[node].page.used() >= Page::capacity(m_pageSize) / 4)
            return;
        if (parent.page.slots() < 2)
            return; // an only child
        // With the left one if there is one: what is moved, and logged, is then the little that this page has.
        if (!merge(edit, parent, std::max(parent.slot, 1U) - 1, path[node].page.header().level))
            return;
    }
    if (edit.hindered() || path.size() < 2 || path[0].page.slots() != 1)
        return;
    // The root has one child left: it takes its place.
    const PageNumber child = path[0].page.child(0);
    const Page page = readNode(edit, child, path[0].page.header().level - 1);
    if (!page.valid())
        return;
    const PageHeader& head = page.header();
    edit.apply(edit.records().format(m_database, m_root, head.kind, head.level, head.next, page));
    release(edit, child);
}

/// Puts the child right of `leftSlot` into its left neighbour. False: too much for one page, or hindered.
bool Tree::merge(PageEdit& edit, const Step& parent, unsigned leftSlot, int level)
{
    const PageNumber leftNumber = parent.page.child(leftSlot), rightNumber = parent.page.child(leftSlot + 1);
    const Page left = readNode(edit, leftNumber, level);
    const Page right = left.valid() ? readNode(edit, rightNumber, level) : Page {};
    // Not fuller than three quarters, or the next insert would split it again; an empty page always goes.
    if (!right.valid()
        || (left.slots() > 0 && right.slots() > 0
            && left.used() + right.used() > Page::capacity(m_pageSize) * 3 / 4))
        return false;
    const Key separator = parent.page.key(leftSlot + 1);
    edit.apply(edit.records().append(m_database, leftNumber, right));
    edit.apply(edit.records().erase(m_database, parent.number, separator));
    release(edit, rightNumber);
    return !edit.hindered();
}

void Tree::release(PageEdit& edit, PageNumber page)
{
    edit.apply(edit.records().format(m_database, page, PageKind::free, 0, kNoPage));
    m_space.release(edit, page);
}

} // namespace loadstone::storage
