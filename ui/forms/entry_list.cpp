// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/entry_list.h"

#include "format.h"
#include "forms/entries_table.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"
#include "tables/column_widths.h"

#include <loadstone/key.h>

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace loadstone::ui {

namespace {

constexpr int kRowsInSight = 5;

/// What a table has columns for: plain values that are not rare.
std::vector<const KeyRow*> columnsOf(const Document& document, const std::string& list)
{
    std::vector<const KeyRow*> columns;
    for (const KeyRow* row : keysBelow(document.kind(), list + "[]")) {
        const bool isPlain = row->type != KeyType::table && row->type != KeyType::tables
            && row->type != KeyType::secret && !row->path.ends_with(".*");
        if (isPlain && !row->rare && !isOfOtherKind(document, *row))
            columns.push_back(row);
    }
    return columns;
}

/// Needed keys with a value to begin with. Where none is obvious the key is left out, and the form says that it is missing.
struct Beginning {
    const char* path;
    const char* toml;
};
constexpr std::array<Beginning, 14> kBeginnings { {
    { "workloads[].steps[].action", "\"send message\"" },
    { "workloads[].steps[].size", "\"10 KB\"" },
    { "workload.steps[].action", "\"send message\"" },
    { "workload.steps[].size", "\"10 KB\"" },
    { "tests[].kind", "\"performance\"" },
    { "criteria.counters[].most", "90" },
    { "counters[].host", "true" },
    { "groups[].databases", "[\"/CHANGE-ME/data\"]" },
    { "groups[].log", "\"/CHANGE-ME/log\"" },
    { "groups[].database_size", "\"1 GB\"" },
    { "profiles[].text", "\"\"" },
    { "mixes[].measurement", "\"10 min\"" },
    { "mixes[].users", "100" },
    { "command[].when", "\"before run\"" },
} };

/// "Mix 3", the first that no entry has as its `key`.
std::string freeName(
    const Document& document, const std::string& list, const std::string& stem, const char* key = "name")
{
    const std::size_t size = document.size(list);
    for (std::size_t number = size + 1;; ++number) {
        const std::string name = stem + std::to_string(number);
        const auto hasIt = [&](std::size_t at) {
            return document.getText(list + "[" + std::to_string(at) + "]." + key) == name;
        };
        bool isFree = true;
        for (std::size_t at = 0; at < size; ++at)
            isFree = isFree && !hasIt(at);
        if (isFree)
            return name;
    }
}

std::string stemOf(const std::string& list)
{
    if (list == "mixes")
        return "Mix ";
    if (list == "targets")
        return "Target ";
    if (list == "groups")
        return "group-";
    if (list == "counters")
        return "Computer ";
    if (list == "derived")
        return "Derived ";
    if (list == "profiles")
        return "profile-";
    if (list == "workloads")
        return "Workload ";
    return list.ends_with(".values") ? "value-" : "";
}

} // namespace

namespace {

/// The plain keys of a new entry.
std::string freshKeys(const Document& document, const std::string& list)
{
    const std::string generic = genericPath(list);
    const std::string entry = list + "[" + std::to_string(document.size(list)) + "].";
    std::string made;
    for (const KeyRow* row : keysBelow(document.kind(), generic + "[]")) {
        const std::string key = keyOf(*row);
        if (key == "name" && !stemOf(generic).empty()) {
            made += "name = " + tomlText(freeName(document, list, stemOf(generic))) + "\n";
            continue;
        }
        const FileKind kind = document.kind();
        if (key == "id" && (kind == FileKind::study || kind == FileKind::result)) {
            made += "id = " + tomlText(freeName(document, list, list + "-", "id")) + "\n";
            continue;
        }
        if (row->path == "criteria.counters[].counter" || row->path == "derived[].is") {
            made += key + " = '" + pathOf(SeriesKey(Quantity::processorTime)) + "'\n";
            continue;
        }
        const auto beginning =
            std::ranges::find_if(kBeginnings, [&](const Beginning& one) { return row->path == one.path; });
        const auto inherited = inheritedPath(entry + key);
        const bool isElsewhere = inherited && document.has(*inherited);
        const bool ofSize = key == "users" || key == "database_size"; // depends on the pacing
        if (beginning != kBeginnings.end() && !isElsewhere
            && (!ofSize || whyNot(document, entry + key).isEmpty()))
            made += key + " = " + beginning->toml + "\n";
    }
    return made;
}

} // namespace

std::string freshEntry(const Document& document, const std::string& list)
{
    const std::string keys = freshKeys(document, list);
    const std::string generic = genericPath(list);
    // A list that an entry needs begins with one entry of its own, where entries have headers.
    std::string whole = keys, header = generic;
    for (std::size_t at = header.find("[]"); at != std::string::npos; at = header.find("[]"))
        header.erase(at, 2);
    for (const KeyRow* row : keysBelow(document.kind(), generic + "[]"))
        if (row->type == KeyType::tables && row->required)
            whole += "\n[[" + header + "." + keyOf(*row) + "]]\n"
                + freshKeys(document, list + "[" + std::to_string(document.size(list)) + "]." + keyOf(*row));
    Document tried = document;
    return tried.append(list, whole) ? whole : keys;
}

EntryList::EntryList(DocumentModel& model, std::string list, std::set<std::string> optional, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_list(std::move(list))
    , m_formBox(new QWidget)
{
    const KeyRow* row = findKey(m_model.document().kind(), m_list);
    m_entries = new EntriesTable(m_model, columnsOf(m_model.document(), m_list),
        row != nullptr ? labelOf(*row) : text(m_list), [this] { return fresh(); });
    m_entries->offerOrder();
    m_form = new KeyForm(m_model, m_list + "[]", { {}, {}, std::move(optional) });
    m_form->showRare(false);
    QTableView* view = m_entries->view();
    view->setMinimumHeight(
        view->horizontalHeader()->sizeHint().height() + kRowsInSight * (fontMetrics().lineSpacing() + 8) + 4);
    view->setMaximumHeight(view->minimumHeight() * 2);
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    auto* inner = new QVBoxLayout(m_formBox);
    inner->setContentsMargins(0, 4, 0, 0);
    inner->addWidget(m_form);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_entries);
    layout->addWidget(m_formBox);
    connect(m_entries, &EntriesTable::currentChanged, this, &EntryList::follow);
    connect(m_form, &KeyForm::explained, this, &EntryList::explained);
    connect(&m_model, &DocumentModel::changed, this, &EntryList::follow);
    // Queued: by then the table shows what was changed.
    connect(
        &m_model, &DocumentModel::changed, this, [this] { widenColumns(*m_entries->view()); },
        Qt::QueuedConnection);
    if (m_list.find("[]") == std::string::npos)
        setPlace(m_list);
}

std::string EntryList::fresh() const
{
    return freshEntry(m_model.document(), m_place);
}

void EntryList::setPlace(const std::string& place)
{
    m_place = place;
    m_entries->entries()->setList(place);
    m_entries->view()->resizeColumnsToContents();
    follow();
}

void EntryList::follow()
{
    const int count = m_entries->entries()->rowCount();
    int row = m_entries->current();
    if (row < 0 && count > 0) {
        row = 0;
        m_entries->view()->setCurrentIndex(m_entries->entries()->index(0, 0)); // comes back here
    }
    const bool hasEntry = row >= 0 && row < count && !m_place.empty();
    m_formBox->setVisible(hasEntry);
    if (hasEntry)
        m_form->setPlace(m_place + "[" + std::to_string(row) + "]");
    else
        m_form->clearPlace();
}

void EntryList::showRare(bool on)
{
    m_form->showRare(on);
}

std::set<std::string> EntryList::keys() const
{
    return m_form->keys();
}

FieldEditor* EntryList::reveal(const std::string& path)
{
    const std::size_t begin = m_place.size() + 1;
    if (m_place.empty() || path.size() < begin || !path.starts_with(m_place + "["))
        return nullptr;
    const int row = std::atoi(path.c_str() + begin);
    if (row < 0 || row >= m_entries->entries()->rowCount())
        return nullptr;
    m_entries->view()->setCurrentIndex(m_entries->entries()->index(row, 0));
    follow();
    return m_form->reveal(path);
}

void EntryList::commit()
{
    m_form->commit();
}

} // namespace loadstone::ui
