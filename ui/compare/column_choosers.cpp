// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/column_choosers.h"

#include "format.h"

#include <loadstone/external_result.h>
#include <loadstone/study.h>

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

ChooseDialog::ChooseDialog(
    const QString& title, const QString& accept, const std::vector<Entry>& entries, QWidget* parent)
    : QDialog(parent)
    , m_search(new QLineEdit)
    , m_list(new QListWidget)
{
    setWindowTitle(title);
    resize(620, 460);
    auto* layout = new QVBoxLayout(this);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search"));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setAccessibleName(title);
    for (const Entry& entry : entries) {
        auto* item = new QListWidgetItem(entry.words, m_list);
        item->setToolTip(entry.tip);
        item->setSelected(entry.chosen);
    }
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    auto* buttons = new QDialogButtonBox;
    m_accept = buttons->addButton(accept, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
    connect(m_search, &QLineEdit::textChanged, this, &ChooseDialog::filter);
    const auto update = [this] { m_accept->setEnabled(!m_list->selectedItems().isEmpty()); };
    connect(m_list, &QListWidget::itemSelectionChanged, this, update);
    update();
    m_list->setFocus();
}

void ChooseDialog::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int i = 0; i < m_list->count(); ++i) {
        const QString all = m_list->item(i)->text();
        m_list->item(i)->setHidden(!std::all_of(wanted.begin(), wanted.end(),
            [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); }));
    }
}

std::vector<std::size_t> ChooseDialog::chosen() const
{
    std::vector<std::size_t> all;
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->isSelected() && !m_list->item(i)->isHidden())
            all.push_back(static_cast<std::size_t>(i));
    return all;
}

std::vector<RunId> chooseRuns(const std::vector<RunSummary>& runs, QWidget* parent)
{
    std::vector<ChooseDialog::Entry> entries;
    for (const RunSummary& run : runs)
        entries.push_back({ QStringLiteral("%1   %2   %3")
                                .arg(formatWhen(run.started), text(run.title), verdictName(run.verdict)),
            text(run.note), false });
    ChooseDialog dialog(ChooseDialog::tr("Runs to compare"), ChooseDialog::tr("&Add"), entries, parent);
    std::vector<RunId> chosen;
    if (dialog.exec() == QDialog::Accepted)
        for (const std::size_t at : dialog.chosen())
            chosen.push_back(runs[at].id);
    return chosen;
}

namespace {

std::vector<ChosenColumn> chosenOf(const QString& title, const std::vector<ChooseDialog::Entry>& entries,
    const std::vector<ChosenColumn>& columns, QWidget* parent)
{
    if (columns.size() == 1)
        return columns;
    ChooseDialog dialog(title, ChooseDialog::tr("&Add"), entries, parent);
    std::vector<ChosenColumn> chosen;
    if (dialog.exec() == QDialog::Accepted)
        for (const std::size_t at : dialog.chosen())
            chosen.push_back(columns[at]);
    return chosen;
}

std::vector<ChosenColumn> systemsOf(const QString& file, QWidget* parent, QStringList& refused)
{
    const auto checked = checkResult(bytes(file));
    if (!checked || !checked->usable()) {
        refused.append(!checked ? text(checked.error().message)
                                : ChooseDialog::tr("%1 has errors: open it to see them").arg(file));
        return {};
    }
    std::vector<ChooseDialog::Entry> entries;
    std::vector<ChosenColumn> columns;
    for (const ResultSystem& system : checked->result.systems) {
        const QString name = text(system.name.empty() ? system.id : system.name);
        entries.push_back({ name, text(system.note), true });
        columns.push_back({ name, {}, bytes(file), system.id, {}, {} });
    }
    return chosenOf(text(checked->result.title), entries, columns, parent);
}

} // namespace

std::vector<ChosenColumn> chooseResultSystems(QWidget* parent)
{
    const auto shipped = shippedResults();
    std::vector<ChooseDialog::Entry> entries;
    for (const auto& file : shipped) {
        const auto checked = checkResult(file);
        if (!checked)
            continue;
        const ExternalResult& result = checked->result;
        QStringList by { text(result.publisher), text(result.date) };
        by.removeAll(QString());
        entries.push_back({ QStringLiteral("%1   %2").arg(text(result.title), by.join(QStringLiteral(", "))),
            text(result.report), false });
    }
    entries.push_back({ ChooseDialog::tr("Another file…"), {}, false });
    ChooseDialog dialog(ChooseDialog::tr("Published results"), ChooseDialog::tr("&Choose"), entries, parent);
    if (dialog.exec() != QDialog::Accepted)
        return {};
    std::vector<ChosenColumn> columns;
    QStringList refused;
    for (const std::size_t at : dialog.chosen()) {
        const QString file = at < shipped.size()
            ? text(shipped[at].string())
            : QFileDialog::getOpenFileName(parent, ChooseDialog::tr("Published result"), {},
                ChooseDialog::tr("Results (*.toml);;All files (*)"));
        if (file.isEmpty())
            continue;
        const auto more = columnsOfFile(file, parent, refused);
        columns.insert(columns.end(), more.begin(), more.end());
    }
    return columns;
}

std::vector<ChosenColumn> columnsOfFile(const QString& file, QWidget* parent, QStringList& refused)
{
    const auto document = Document::read(bytes(file));
    if (!document) {
        refused.append(text(document.error().message));
        return {};
    }
    if (document->kind() == FileKind::result)
        return systemsOf(file, parent, refused);
    if (document->kind() != FileKind::study) {
        refused.append(ChooseDialog::tr("%1 is neither a result nor a study").arg(file));
        return {};
    }
    const CheckedStudy checked = readStudy(*document);
    std::vector<ChooseDialog::Entry> entries;
    std::vector<ChosenColumn> columns;
    const auto add = [&](const std::string& id, const std::string& label) {
        entries.push_back({ text(label), {}, true });
        columns.push_back({ text(label), {}, {}, {}, bytes(file), id });
    };
    for (const StudyCase& one : checked.study.cases)
        add(one.id, one.label());
    for (const HostSet& set : checked.study.sets)
        add(set.id, set.label());
    if (columns.empty()) {
        refused.append(ChooseDialog::tr("%1 has no cases").arg(file));
        return {};
    }
    return chosenOf(text(checked.study.title), entries, columns, parent);
}

} // namespace loadstone::ui
