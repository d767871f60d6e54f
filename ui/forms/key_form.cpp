// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: fields, groups and lists of one table, which show, hide and write together.
#include "forms/key_form.h"

#include "form_rows.h"
#include "format.h"
#include "forms/entry_list.h"
#include "forms/field_editor.h"
#include "forms/inks.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"

#include <QGroupBox>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr int kCheckMilliseconds = 150; // after the last key stroke
constexpr int kSwitchPadding = 10; // pixels: of a group's title

/// A table whose keys are names that a person chooses.
bool isOfOwnNames(FileKind kind, const KeyRow& row)
{
    return row.type == KeyType::table && findKey(kind, std::string(row.path) + ".*") != nullptr
        && keysBelow(kind, row.path).size() == 1;
}

bool isBelow(const std::string& path, const std::string& table)
{
    return path.size() > table.size() && path.starts_with(table)
        && (path[table.size()] == '.' || path[table.size()] == '[');
}

} // namespace

KeyForm::KeyForm(DocumentModel& model, std::string table, FormKeys keys, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_kind(model.document().kind())
    , m_table(std::move(table))
    , m_keys(std::move(keys))
    , m_form(new FormRows(this))
    , m_checking(new QTimer(this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_checking->setSingleShot(true);
    m_checking->setInterval(kCheckMilliseconds);
    connect(m_checking, &QTimer::timeout, this, &KeyForm::check);
    connect(&m_model, &DocumentModel::changed, this, [this] {
        if (isVisible())
            follow();
    });
    connect(&m_model, &DocumentModel::fieldsWanted, this, &KeyForm::commit);
    build();
    if (m_table.find("[]") == std::string::npos)
        setPlace(m_table);
    else
        clearPlace();
}

KeyForm::~KeyForm() = default;

void KeyForm::build()
{
    std::vector<const KeyRow*> rows;
    if (m_keys.only.empty())
        rows = keysBelow(m_kind, m_table);
    for (const std::string& key : m_keys.only)
        if (const KeyRow* row = findKey(m_kind, pathOf(key)))
            rows.push_back(row);
    std::erase_if(rows, [this](const KeyRow* row) {
        return std::ranges::find(m_keys.without, keyOf(*row)) != m_keys.without.end();
    });
    // Fields first: groups below them are about something else.
    for (const KeyRow* row : rows)
        if ((row->type != KeyType::table && row->type != KeyType::tables) || isOfOwnNames(m_kind, *row))
            addLine(*row);
    for (const KeyRow* row : rows)
        if (row->type == KeyType::table && !isOfOwnNames(m_kind, *row))
            addGroup(*row);
        else if (row->type == KeyType::tables)
            addList(*row);
}

QLabel* KeyForm::makeNote()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->hide();
    return label;
}

void KeyForm::note(QLabel* label, const QString& words, const QColor& colour)
{
    label->setText(words);
    label->setVisible(!words.isEmpty());
    QPalette ink = label->palette();
    ink.setColor(QPalette::WindowText, colour);
    label->setPalette(ink);
}

void KeyForm::addLine(const KeyRow& row)
{
    const std::string key = keyOf(row);
    Line line;
    line.editor = makeFieldEditor(row);
    line.whole = new QWidget;
    auto* column = new QVBoxLayout(line.whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addWidget(line.editor);
    line.note = makeNote();
    column->addWidget(line.note);
    line.label = new QLabel(labelOf(row) + QLatin1Char(':'));
    line.label->setBuddy(line.editor->field());
    line.label->setToolTip(text(std::string(row.help)));
    m_form->addRow(line.label, line.whole);
    connect(line.editor, &FieldEditor::done, this, [this, key] { take(key); });
    connect(line.editor, &FieldEditor::entered, this, [this, key] { explain(key); });
    connect(line.editor, &FieldEditor::typed, this, [this, key] {
        m_typed = key;
        m_checking->start();
    });
    m_lines.emplace(key, line);
}

void KeyForm::addGroup(const KeyRow& row)
{
    const std::string key = keyOf(row);
    const std::string path(row.path);
    FormKeys below;
    below.optional = m_keys.optional;
    Group group { new QGroupBox(labelOf(row)), nullptr, &row };
    group.form = new KeyForm(m_model, path, below);
    auto* layout = new QVBoxLayout(group.box);
    layout->addWidget(group.form);
    group.box->setToolTip(text(std::string(row.help)));
    group.box->setAccessibleName(labelOf(row));
    group.box->setAccessibleDescription(text(std::string(row.help)));
    if (m_keys.optional.contains(path)) {
        group.box->setCheckable(true);
        connect(group.box, &QGroupBox::clicked, this, [this, key](bool on) { switchTable(key, on); });
    }
    connect(group.form, &KeyForm::explained, this, &KeyForm::explained);
    m_form->addRow(group.box);
    m_groups.emplace(key, group);
}

void KeyForm::addList(const KeyRow& row)
{
    const std::string key = keyOf(row);
    List list { new EntryList(m_model, std::string(row.path), m_keys.optional), &row, makeNote() };
    connect(list.list, &EntryList::explained, this, &KeyForm::explained);
    auto* box = new QGroupBox(labelOf(row));
    box->setToolTip(text(std::string(row.help)));
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(list.note);
    layout->addWidget(list.list);
    m_form->addRow(box);
    m_lists.emplace(key, list);
}

std::string KeyForm::pathOf(const std::string& key) const
{
    const std::string& table = m_hasPlace ? m_place : m_table;
    return table.empty() ? key : table + "." + key;
}

void KeyForm::setPlace(const std::string& place)
{
    if (m_hasPlace && place == m_place)
        return;
    commit();
    m_place = place;
    m_hasPlace = true;
    for (auto& [key, group] : m_groups)
        group.form->setPlace(pathOf(key));
    for (auto& [key, list] : m_lists)
        list.list->setPlace(pathOf(key));
    follow();
}

void KeyForm::clearPlace()
{
    commit();
    m_hasPlace = false;
    m_place.clear();
    for (auto& [key, group] : m_groups)
        group.form->clearPlace();
    for (auto& [key, list] : m_lists)
        list.list->setPlace({});
}

void KeyForm::showRare(bool on)
{
    m_rare = on;
    for (auto& [key, group] : m_groups)
        group.form->showRare(on);
    for (auto& [key, list] : m_lists)
        list.list->showRare(on);
    follow();
}

bool KeyForm::hasRare() const
{
    const auto isRare = [](const auto& each) { return each.second.row->rare; };
    return std::ranges::any_of(m_lines, [](const auto& line) { return line.second.editor->row().rare; })
        || std::ranges::any_of(m_groups, isRare) || std::ranges::any_of(m_lists, isRare)
        || std::ranges::any_of(m_groups, [](const auto& group) { return group.second.form->hasRare(); })
        || std::ranges::any_of(m_lists, [](const auto& list) { return list.second.list->form()->hasRare(); });
}

std::set<std::string> KeyForm::keys() const
{
    std::set<std::string> all;
    if (!m_table.empty())
        all.insert(m_table.ends_with("[]") ? m_table.substr(0, m_table.size() - 2) : m_table);
    for (const auto& [key, line] : m_lines) {
        const std::string path(line.editor->row().path);
        all.insert(path);
        if (line.editor->row().type == KeyType::secret || isOfOwnNames(m_kind, line.editor->row()))
            for (const KeyRow* row : keysBelow(m_kind, path)) // its ways, its names
                all.emplace(row->path);
    }
    for (const auto& [key, group] : m_groups) {
        all.emplace(group.row->path);
        all.merge(group.form->keys());
    }
    for (const auto& [key, list] : m_lists) {
        all.emplace(list.row->path);
        all.merge(list.list->keys());
    }
    return all;
}

bool KeyForm::isShown(const KeyRow& row, const std::string& path) const
{
    const Document& document = m_model.document();
    if (document.has(path)) // what has a value is in sight, rare or not
        return true;
    if (isOfOtherKind(document, row))
        return false;
    return m_rare || !row.rare;
}

bool KeyForm::hasLinesInSight() const
{
    return std::ranges::any_of(m_lines, [this](const auto& line) {
        return isShown(line.second.editor->row(), pathOf(line.first));
    }) || std::ranges::any_of(m_groups, [this](const auto& group) {
        return isShown(*group.second.row, pathOf(group.first)) && group.second.form->hasLinesInSight();
    }) || !m_lists.empty();
}

void KeyForm::showEvent(QShowEvent* event)
{
    follow();
    QWidget::showEvent(event);
}

void KeyForm::follow()
{
    if (!m_hasPlace || m_following)
        return;
    m_following = true;
    const Document& document = m_model.document();
    const std::string prefix = m_place.empty() ? std::string() : m_place + ".";
    std::map<std::string, QString> problems; // one look at them for all fields
    for (const Problem& problem : m_model.problems())
        if (problem.field.starts_with(prefix)) {
            const std::string rest = problem.field.substr(prefix.size());
            const std::string key = rest.substr(0, rest.find_first_of(".["));
            QString& words = problems[key];
            if (words.isEmpty())
                words = problem.line > 0 ? tr("Line %1: %2").arg(problem.line).arg(objectionOf(problem))
                                         : objectionOf(problem);
        }
    for (auto& [key, line] : m_lines)
        fill(key, line, problems);
    for (auto& [key, group] : m_groups) {
        const std::string path = pathOf(key);
        const bool isThere = document.has(path);
        m_form->showRow(group.box,
            isShown(*group.row, path) && (group.box->isCheckable() || group.form->hasLinesInSight()));
        if (group.box->isCheckable()) {
            group.box->setChecked(isThere);
            group.form->setVisible(isThere);
            group.box->setFlat(!isThere);
            // What is switched off is one line.
            group.box->setMaximumHeight(isThere ? QWIDGETSIZE_MAX : fontMetrics().height() + kSwitchPadding);
        }
        const QString reason = isThere ? QString() : whyNot(document, path);
        group.box->setEnabled(reason.isEmpty());
        group.box->setToolTip(reason.isEmpty() ? text(std::string(group.row->help)) : reason);
        if (!group.form->isVisible())
            group.form->follow();
    }
    for (auto& [key, list] : m_lists) {
        const std::string path = pathOf(key);
        QWidget* box = list.list->parentWidget();
        m_form->showRow(box, isShown(*list.row, path));
        const QString reason = document.has(path) ? QString() : whyNot(document, path);
        box->setEnabled(reason.isEmpty());
        box->setToolTip(reason.isEmpty() ? text(std::string(list.row->help)) : reason);
        // Not what is wrong with an entry, which its own fields say.
        const auto ofList = std::ranges::find(m_model.problems(), path, &Problem::field);
        if (ofList != m_model.problems().end())
            note(list.note, objectionOf(*ofList), problemInk(palette()));
        else
            note(list.note, reason, palette().color(QPalette::Disabled, QPalette::WindowText));
    }
    m_following = false;
}

void KeyForm::fill(const std::string& key, Line& line, const std::map<std::string, QString>& problems)
{
    const Document& document = m_model.document();
    const std::string path = pathOf(key);
    const bool isHalfTyped = m_typed == key && line.editor->field()->hasFocus();
    if (!isHalfTyped)
        line.editor->read(document, path);
    const QString reason = document.has(path) ? QString() : whyNot(document, path);
    line.editor->setReadOnly(!m_model.isEditable());
    line.editor->setWithoutIt(reason.isEmpty() ? withoutIt(document, path) : reason);
    line.whole->setEnabled(reason.isEmpty());
    line.label->setEnabled(reason.isEmpty());
    const auto problem = problems.find(key);
    const QString words = problem == problems.end() ? QString() : problem->second;
    if (!isHalfTyped) {
        line.editor->setObjection(words);
        note(line.note, words, problemInk(palette()));
    }
    m_form->showRow(line.whole, isShown(line.editor->row(), path));
}

void KeyForm::take(const std::string& key)
{
    m_checking->stop();
    const bool wasTyped = m_typed == key;
    m_typed.clear();
    const auto line = m_lines.find(key);
    if (line == m_lines.end() || !m_hasPlace || !m_model.isEditable())
        return;
    FieldEditor* editor = line->second.editor;
    QString why;
    const auto refused =
        connect(&m_model, &DocumentModel::refused, this, [&](const QString& words) { why = words; });
    const bool done = m_model.edit([&](Document& document) { return editor->write(document, pathOf(key)); });
    disconnect(refused);
    if (done && wasTyped)
        follow(); // the value may be spelled otherwise
    if (done)
        return;
    // The text stays in the field, with what is wrong about it.
    editor->setObjection(why);
    line->second.note->setText(why);
    line->second.note->show();
    emit explained(why);
}

void KeyForm::check()
{
    const auto line = m_lines.find(m_typed);
    if (line == m_lines.end() || !m_hasPlace)
        return;
    const std::string path = pathOf(m_typed);
    Document tried = m_model.document();
    QString wrong;
    if (const auto written = line->second.editor->write(tried, path); !written)
        wrong = text(written.error().message);
    else
        for (const Problem& problem : tried.problems())
            if (problem.field == path || isBelow(problem.field, path))
                wrong = objectionOf(problem);
    line->second.editor->setObjection(wrong);
    line->second.note->setText(wrong);
    line->second.note->setVisible(!wrong.isEmpty());
    explain(m_typed);
}

void KeyForm::explain(const std::string& key)
{
    const auto line = m_lines.find(key);
    if (line == m_lines.end())
        return;
    const KeyRow& row = line->second.editor->row();
    QString words = text(std::string(row.help));
    if (!words.endsWith(QLatin1Char('.')))
        words += QLatin1Char('.');
    QString kind = text(describeKey(row));
    if (!kind.isEmpty())
        kind[0] = kind[0].toUpper();
    emit explained(tr("%1 %2. (%3)").arg(words, kind, text(pathOf(key))));
}

void KeyForm::switchTable(const std::string& key, bool on)
{
    const std::string path = pathOf(key);
    m_model.edit([&](Document& document) -> Result<void> {
        if (!on)
            return document.erase(path);
        if (document.has(path))
            return {};
        return document.change(path, [&](Document& changed) -> Result<void> {
            if (const auto done = eraseReplaced(changed, path); !done)
                return done;
            // A table comes with its header when a key is written below it: the host, where it has one.
            const bool hasHost = findKey(m_kind, path + ".host") != nullptr;
            if (hasHost)
                return changed.setText(path + ".host", "127.0.0.1");
            for (const KeyRow* row : keysBelow(m_kind, genericPath(path)))
                if (!row->fallback.empty())
                    return changed.setText(path + "." + keyOf(*row), std::string(row->fallback));
            return changed.set(path, "{}");
        });
    });
    follow();
}

EntryList* KeyForm::listOf(const std::string& list) const
{
    for (const auto& [key, each] : m_lists)
        if (each.row->path == genericPath(list))
            return each.list;
    return nullptr;
}

QGroupBox* KeyForm::groupOf(const std::string& table) const
{
    for (const auto& [key, group] : m_groups) {
        if (group.row->path == genericPath(table))
            return group.box;
        if (QGroupBox* below = group.form->groupOf(table))
            return below;
    }
    return nullptr;
}

FieldEditor* KeyForm::reveal(const std::string& path)
{
    const KeyRow* row = findKey(m_kind, path);
    if (row != nullptr && !m_model.document().has(path) && isOfOtherKind(m_model.document(), *row))
        return nullptr;
    for (auto& [key, line] : m_lines) {
        const std::string own = pathOf(key);
        if (path != own && !isBelow(path, own))
            continue;
        m_form->showRow(line.whole, true);
        for (QWidget* above = parentWidget(); above != nullptr; above = above->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(above))
                scroll->ensureWidgetVisible(line.whole);
        return line.editor;
    }
    for (auto& [key, group] : m_groups)
        if (isBelow(path, pathOf(key))) {
            m_form->showRow(group.box, true);
            if (group.box->isCheckable() && !group.box->isChecked())
                switchTable(key, true);
            return group.form->reveal(path);
        }
    for (auto& [key, list] : m_lists)
        if (isBelow(path, pathOf(key))) {
            m_form->showRow(list.list->parentWidget(), true);
            return list.list->reveal(path);
        }
    return nullptr;
}

void KeyForm::commit()
{
    if (!m_typed.empty())
        take(std::string(m_typed));
    for (auto& [key, group] : m_groups)
        group.form->commit();
    for (auto& [key, list] : m_lists)
        list.list->commit();
}

} // namespace loadstone::ui
