// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/redo.h"

#include <memory>
#include <vector>

namespace loadstone::storage {

/// Which page of which database of a storage group.
struct PageId {
    std::uint8_t database = 0;
    PageNumber number = kNoPage;
    bool operator==(const PageId&) const = default;
};

/// The pages in memory. A page that was given stays where it is until the caller is done with it.
class PageSource {
public:
    virtual ~PageSource() = default;
    /// The page, if it is in memory; else an invalid one.
    virtual Page resident(PageId id) = 0;
    /// Memory for a page whose content on the disk does not matter. Invalid: there is none free just now.
    virtual Page fresh(PageId id) = 0;
    [[nodiscard]] virtual std::uint32_t signature(std::uint8_t database) const = 0;
    /// The pages that the database's file has room for, header and maps included.
    [[nodiscard]] virtual PageNumber pages(std::uint8_t database) const = 0;
};

/// Why an edit did not get to its end. Then nothing of it may stay: rollBack().
enum class Hindrance : std::uint8_t {
    none,
    missingPage, ///< read missing() and try again
    noMemory, ///< for a new page; try again when there is some
    databaseFull,
    keyExists,
    keyMissing,
    tooLong, ///< the value, for pages of this size
    damaged ///< a page's content makes no sense
};

/// The changes of one transaction, made on the pages themselves and written down as log records at once. Until it is
/// accepted all of it can be taken back. Whoever makes one does not suspend before it is accepted or rolled back, so that
/// nobody sees half of it.
class PageEdit {
public:
    /// `position`: where in the log the records will begin; the pages' new timestamp.
    PageEdit(PageSource& source, LogPosition position);
    PageEdit(const PageEdit&) = delete;
    PageEdit& operator=(const PageEdit&) = delete;
    ~PageEdit();

    /// The page for reading. Invalid: hindrance() says why.
    Page read(PageId id);
    /// A page to be formatted. Invalid: hindrance() says why.
    Page fresh(PageId id);
    /// Carries a record out on its page, which was got by read() or fresh().
    void apply(const Redo& record);
    [[nodiscard]] RedoWriter& records() noexcept { return m_records; }
    [[nodiscard]] PageSource& source() noexcept { return m_source; }

    /// Notes the first one only.
    void hinder(Hindrance why, PageId page = {});
    [[nodiscard]] bool hindered() const noexcept { return m_hindrance != Hindrance::none; }
    [[nodiscard]] Hindrance hindrance() const noexcept { return m_hindrance; }
    [[nodiscard]] PageId missing() const noexcept { return m_missing; }

    /// Notes that a page that a space map tells of came into use (1), or out of it (-1).
    void countUse(PageId map, int pages) { m_used.emplace_back(map, pages); }
    [[nodiscard]] std::span<const std::pair<PageId, int>> used() const noexcept { return m_used; }

    void rollBack();
    /// The pages changed. They stay as they are.
    [[nodiscard]] std::vector<PageId> accept();

private:
    struct Touched {
        PageId id;
        Page page;
        std::unique_ptr<std::byte[]> before; // none: not changed
    };
    Touched* find(PageId id) noexcept;
    PageSource& m_source;
    LogPosition m_position;
    RedoWriter m_records;
    std::vector<Touched> m_touched;
    std::vector<std::pair<PageId, int>> m_used;
    Hindrance m_hindrance = Hindrance::none;
    PageId m_missing;
};

} // namespace loadstone::storage
