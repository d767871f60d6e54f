// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/text_pages.h"

#include "editor/editor_page.h"
#include "format.h"
#include "pages/page_host.h"

#include <filesystem>
#include <set>

namespace loadstone::ui {

TextPages::TextPages(PageHost& pages, RecoveryStore& recovery)
    : QObject(&pages)
    , m_pages(pages)
    , m_recovery(recovery)
{
}

QList<EditorPage*> TextPages::all() const
{
    QList<EditorPage*> all;
    for (Page* page : m_pages.pages())
        if (auto* editor = qobject_cast<EditorPage*>(page))
            all.append(editor);
    return all;
}

EditorPage* TextPages::open(const std::filesystem::path& file)
{
    std::error_code ignored;
    for (EditorPage* page : all())
        if (!page->file().empty() && std::filesystem::equivalent(page->file(), file, ignored)) {
            m_pages.choose(page);
            return page;
        }
    auto document = Document::read(file);
    if (!document) {
        emit failed(text(document.error().message));
        return nullptr;
    }
    emit used(file);
    return add(*std::move(document));
}

EditorPage* TextPages::add(Document document)
{
    auto* page = new EditorPage(std::move(document), m_recovery);
    connect(
        page, &EditorPage::taskWanted, this, [this, page](PlanTask task) { emit taskWanted(task, page); });
    connect(page, &EditorPage::saved, this, &TextPages::used);
    m_pages.add(page);
    emit added(page);
    m_pages.choose(page);
    return page;
}

std::string TextPages::freeName(const std::string& name) const
{
    std::set<std::string> taken;
    for (const EditorPage* page : all())
        taken.insert(page->document().name());
    const std::filesystem::path file(name);
    std::string free = name;
    for (int number = 2; taken.contains(free); ++number)
        free = file.stem().string() + "-" + std::to_string(number) + file.extension().string();
    return free;
}

void TextPages::restore(const RecoveredText& left)
{
    EditorPage* page = nullptr;
    if (!left.origin.empty())
        if (auto document = Document::read(left.origin))
            page = add(*std::move(document));
    if (page == nullptr) // it had none, or that one has gone
        page = add(Document({}, bytes(left.name)));
    page->restore(left);
    if (page->isModified())
        RecoveryStore::discard(left);
}

} // namespace loadstone::ui
