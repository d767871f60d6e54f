// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/item_form.h"

#include "form_rows.h"
#include "format.h"
#include "forms/value_editor.h"
#include "lab/item_tree_model.h"
#include "lab/lab_edits.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {
constexpr int kCheckMilliseconds = 150; // after the last key stroke

/// What the form has above the properties of a kind.
constexpr const char* kHead[] = { "name", "count", "in", "role" };

QString originOf(const LabValue& value)
{
    const QString by = value.by.empty() ? QString() : ItemForm::tr(" by %1").arg(text(value.by));
    const QString when = value.when.empty() ? QString() : ItemForm::tr(", %1").arg(text(value.when));
    return value.origin == ValueOrigin::imported ? ItemForm::tr("imported") + by + when
                                                 : ItemForm::tr("detected") + by + when;
}
}

ItemForm::ItemForm(LabModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_title(new QLabel)
    , m_scroll(new QScrollArea)
    , m_advanced(new QCheckBox(tr("Advan&ced: all properties")))
    , m_help(new QLabel)
    , m_checking(new QTimer(this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    QFont strong = m_title->font();
    strong.setBold(true);
    m_title->setFont(strong);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_help->setObjectName(QStringLiteral("words"));
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    m_help->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_title);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_help);
    layout->addWidget(m_advanced);
    m_checking->setSingleShot(true);
    m_checking->setInterval(kCheckMilliseconds);
    connect(m_checking, &QTimer::timeout, this, [this] { check(m_typed); });
    connect(m_advanced, &QCheckBox::toggled, this, &ItemForm::updateRare);
    connect(&m_model, &LabModel::changed, this, &ItemForm::follow);
    show({});
}

void ItemForm::show(const std::string& id)
{
    if (id == m_item && m_isBuilt)
        return;
    commit();
    m_item = id;
    follow(); // with the fields that the form has, where the item is of the same kind
    m_scroll->verticalScrollBar()->setValue(0);
    m_explained.clear();
    m_help->clear();
}

void ItemForm::follow()
{
    const LabItem* item = m_model.lab().find(m_item);
    m_advanced->setVisible(item != nullptr);
    if (item == nullptr) {
        dropFields();
        m_isBuilt = false;
        m_title->setText(!m_model.isEditable() && m_model.variant().empty()
                ? tr("The text has an error of syntax: its items come back when it is mended. The list of "
                     "problems has the line.")
                : m_model.lab().items.empty()
                ? tr("The lab has no items yet. Add a machine with \"Add\" on the left.")
                : tr("Choose an item on the left or in the diagram."));
        m_help->clear();
        return;
    }
    if (!m_isBuilt || m_kind != item->kind)
        build(*item);
    fill(*item);
}

/// They go later: a click on one of them may have taken the keyboard from the text that made them superfluous, and is still on its way.
void ItemForm::dropFields()
{
    for (auto& [key, line] : m_lines)
        line.editor->disconnect(this);
    m_lines.clear();
    m_form = nullptr;
    if (QWidget* fields = m_scroll->takeWidget()) {
        if (fields->isAncestorOf(QApplication::focusWidget()))
            m_scroll->setFocus(); // else the keyboard would go to any other part of the window
        fields->deleteLater();
    }
}

void ItemForm::build(const LabItem& item)
{
    dropFields();
    m_kind = item.kind;
    auto* body = new QWidget;
    m_form = new FormRows(body);
    m_form->setContentsMargins(0, 0, 4, 0);
    for (const std::string key : kHead)
        if (const KeyRow* row = findKey(FileKind::lab, "item[]." + key))
            addLine(*row);
    for (const KeyRow* row : propertyRows(item.kind))
        addLine(*row);
    m_scroll->setWidget(body);
    m_isBuilt = true;
    updateRare();
}

void ItemForm::addLine(const KeyRow& row)
{
    const std::string key = keyOf(row);
    if (m_lines.contains(key))
        return; // the kind's own row stands for that of all kinds
    auto* whole = new QWidget;
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    Line made { new ValueEditor(row), whole, new QLabel, new QToolButton, row.rare };
    line->addWidget(made.editor, 1);
    made.more->setText(QStringLiteral("⋯"));
    made.more->setAutoRaise(true);
    made.more->setPopupMode(QToolButton::InstantPopup);
    made.more->setAccessibleName(tr("More about %1").arg(labelOf(row)));
    auto* menu = new QMenu(made.more);
    made.more->setMenu(menu);
    made.more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    made.more->setFocusPolicy(Qt::TabFocus);
    connect(menu, &QMenu::aboutToShow, this, [this, button = made.more, key] { fillMore(*button, key); });
    line->addWidget(made.more);
    column->addLayout(line);
    made.origin->setTextFormat(Qt::PlainText);
    made.origin->setWordWrap(true);
    made.origin->setForegroundRole(QPalette::PlaceholderText); // quieter than the value, and legible
    column->addWidget(made.origin);
    auto* label = new QLabel(labelOf(row));
    label->setBuddy(made.editor->field());
    label->setToolTip(text(std::string(row.help)));
    m_form->addRow(label, whole);
    connect(made.editor, &ValueEditor::done, this, [this, key] { take(key); });
    connect(made.editor, &ValueEditor::entered, this, [this, key] { explain(key); });
    connect(made.editor, &ValueEditor::typed, this, [this, key] {
        m_typed = key;
        m_checking->start();
    });
    m_lines.emplace(key, made);
}

void ItemForm::updateRare()
{
    const LabItem* item = m_model.lab().find(m_item);
    if (m_form == nullptr || item == nullptr)
        return;
    for (const auto& [key, line] : m_lines) // what has a value is in sight, rare or not
        m_form->showRow(line.whole, !line.rare || m_advanced->isChecked() || item->find(key) != nullptr);
}

void ItemForm::fill(const LabItem& item)
{
    m_title->setText(item.name.empty()
            ? tr("%1 (%2)").arg(kindName(item.kind), text(item.id))
            : tr("%1 (%2, %3)").arg(text(item.name), kindName(item.kind).toLower(), text(item.id)));
    // One look at the problems for all fields.
    m_objections.clear();
    const std::string prefix = pathOf({});
    for (const Problem& problem : m_model.problems())
        if (!prefix.empty() && problem.field.starts_with(prefix))
            m_objections[problem.field.substr(prefix.size())] =
                text(problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy);
    for (auto& [key, line] : m_lines)
        fillLine(item, key, line);
    explain(m_explained); // its value may have changed: by Undo, in the text, by another field
    updateRare();
}

void ItemForm::fillLine(const LabItem& item, const std::string& key, Line& line)
{
    QString value, origin;
    const LabProperty* property = item.find(key);
    if (key == "name")
        value = text(item.name);
    else if (key == "notes")
        value = text(item.notes);
    else if (key == "in")
        value = text(item.in);
    else if (key == "count") {
        // As it is written: of one that is refused the item has 1.
        const auto written = m_model.document().getText(pathOf(key));
        value = written ? text(*written) : QString::number(item.count);
    } else if (key == "role") {
        QStringList roles;
        for (const std::string& role : item.roles)
            roles.append(text(role));
        value = roles.join(QStringLiteral(", "));
    } else if (property != nullptr) {
        value = text(property->value.text);
        if (property->value.origin == ValueOrigin::notDisclosed)
            origin = tr("not disclosed");
        else if (property->value.origin != ValueOrigin::typed)
            origin = originOf(property->value);
        else if (property->detected)
            origin = tr("typed; %1: %2").arg(originOf(*property->detected), text(property->detected->text));
    } else if (const auto written = m_model.document().getText(pathOf(key)); written)
        value = text(*written); // refused, and so no property of the item
    if (line.editor->row().type == KeyType::flag && property != nullptr)
        value = property->value.text == "yes" ? QStringLiteral("true")
            : property->value.text == "no"    ? QStringLiteral("false")
                                              : value;
    const bool isHalfTyped = m_typed == key && line.editor->field()->hasFocus() && m_checking->isActive();
    if (!isHalfTyped)
        line.editor->setText(value);
    line.editor->setReadOnly(!m_model.isEditable());
    line.editor->setObjection(m_objections[key]);
    line.origin->setText(origin);
    line.origin->setVisible(!origin.isEmpty());
    line.more->setEnabled(m_model.isEditable());
}

void ItemForm::fillMore(QToolButton& button, const std::string& key)
{
    QMenu& menu = *button.menu();
    menu.clear();
    const LabItem* item = m_model.lab().find(m_item);
    if (item == nullptr)
        return;
    const LabProperty* property = item->find(key);
    QAction* clear = menu.addAction(tr("&Clear"), this, [this, key] { m_model.setValue(pathOf(key), {}); });
    clear->setEnabled(m_model.document().has(pathOf(key)));
    QAction* use = menu.addAction(property != nullptr && property->detected
            ? tr("&Use what was detected: %1").arg(text(property->detected->text))
            : tr("&Use what was detected"),
        this, [this, key] { m_model.edit([&](Document& document) { return document.erase(pathOf(key)); }); });
    use->setEnabled(
        property != nullptr && property->detected && property->value.origin == ValueOrigin::typed);
    QAction* keep = menu.addAction(tr("&Keep as typed"), this, [this, key] {
        if (const LabItem* now = m_model.lab().find(m_item))
            m_model.setValue(pathOf(key), text(now->text(key)));
    });
    keep->setEnabled(property != nullptr && property->value.origin == ValueOrigin::detected);
    const bool isHead = key == "name" || key == "notes" || key == "in" || key == "count" || key == "role";
    QAction* withheld = menu.addAction(tr("&Not disclosed"));
    withheld->setCheckable(true);
    withheld->setChecked(property != nullptr && property->value.origin == ValueOrigin::notDisclosed);
    withheld->setEnabled(!isHead);
    connect(withheld, &QAction::triggered, this, [this, key](bool on) {
        m_model.edit([&](Document& document) { return setNotDisclosed(document, m_item, key, on); });
    });
}

std::string ItemForm::pathOf(const std::string& key) const
{
    const auto path = itemPath(m_model.document(), m_item);
    return path ? *path + "." + key : std::string();
}

void ItemForm::take(const std::string& key)
{
    m_checking->stop();
    m_typed.clear();
    const auto line = m_lines.find(key);
    const std::string path = pathOf(key);
    const LabItem* item = m_model.lab().find(m_item);
    if (line == m_lines.end() || path.empty() || item == nullptr || !m_model.isEditable())
        return;
    const QString value = line->second.editor->text().trimmed();
    // A field that was only passed through stays as it is: what was detected is not typed, and 1 is not written.
    // The item has 1 while a count that is refused is written.
    if (key == "count" && !m_model.document().has(path) && value == QString::number(item->count))
        return;
    if (const LabProperty* property = item->find(key); property != nullptr)
        if (!m_model.document().has(path) && value == text(property->value.text))
            return;
    if (key == "role" && value == [&] {
            QStringList roles;
            for (const std::string& role : item->roles)
                roles.append(text(role));
            return roles.join(QStringLiteral(", "));
        }())
        return;
    const LabProperty* property = item->find(key);
    if (line->second.editor->row().type == KeyType::texts && property != nullptr
        && value == text(property->value.text))
        return;
    if (!m_model.setValue(path, value)) // the text stays in the field, with what is wrong about it
        line->second.editor->setObjection(m_model.objection(path, value));
}

void ItemForm::check(const std::string& key)
{
    const auto line = m_lines.find(key);
    if (line == m_lines.end())
        return;
    line->second.editor->setObjection(m_model.objection(pathOf(key), line->second.editor->text()));
    explain(key);
}

void ItemForm::explain(const std::string& key)
{
    const auto line = m_lines.find(key);
    if (line == m_lines.end())
        return;
    m_explained = key;
    const QString wrong = m_model.objection(pathOf(key), line->second.editor->text());
    const KeyRow& row = line->second.editor->row();
    m_help->setText(
        wrong.isEmpty() ? tr("%1 %2").arg(text(std::string(row.help)), text(describeKey(row))) : wrong);
}

void ItemForm::commit()
{
    if (!m_typed.empty())
        take(std::string(m_typed));
}

ValueEditor* ItemForm::editor(const std::string& key) const
{
    const auto line = m_lines.find(key);
    return line == m_lines.end() ? nullptr : line->second.editor;
}

bool ItemForm::enter(const std::string& key)
{
    const auto line = m_lines.find(key);
    if (line == m_lines.end())
        return false;
    if (line->second.rare)
        m_form->showRow(line->second.whole, true);
    m_scroll->ensureWidgetVisible(line->second.whole);
    line->second.editor->field()->setFocus(Qt::ShortcutFocusReason);
    return true;
}

} // namespace loadstone::ui
