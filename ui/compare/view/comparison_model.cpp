// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/comparison_model.h"

#include "format.h"
#include "icons.h"

#include <QFont>
#include <QIcon>

#include <algorithm>

namespace loadstone::ui {

namespace {

bool differ(const ComparisonRow& row)
{
    QString first;
    for (const ComparedCell& cell : row.cells) {
        const QString now = valueText(row, cell);
        if (first.isEmpty())
            first = now;
        else if (now != first)
            return true;
    }
    return false;
}

bool anyShown(const ComparisonRow& row)
{
    return std::any_of(row.cells.begin(), row.cells.end(),
        [](const ComparedCell& cell) { return isMarked(cell.word) && !cell.voided; });
}

} // namespace

const Comparison* ComparisonModel::comparison() const
{
    return m_view ? m_view->comparison.get() : nullptr;
}

bool ComparisonModel::passes(const ComparisonMix& mix, const ComparisonRow& row) const
{
    if (m_filter.show == CompareFilter::Show::differing && !differ(row))
        return false;
    if (m_filter.show == CompareFilter::Show::shown && !anyShown(row))
        return false;
    const QString words =
        mixTitle(mix) + QLatin1Char(' ') + text(row.group) + QLatin1Char(' ') + text(row.label);
    const QStringList wanted = m_filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(wanted.begin(), wanted.end(),
        [&](const QString& word) { return words.contains(word, Qt::CaseInsensitive); });
}

std::vector<ComparisonModel::Line> ComparisonModel::makeLines()
{
    std::vector<Line> lines;
    m_figures = m_shown = 0;
    const Comparison* made = comparison();
    if (made == nullptr)
        return lines;
    const bool searching = !m_filter.words.trimmed().isEmpty(); // then everything that fits is in sight
    const auto folded = [&](const QString& key) { return !searching && m_folded.contains(key); };
    for (std::size_t m = 0; m < made->mixes.size(); ++m) {
        const ComparisonMix& mix = made->mixes[m];
        Line top { static_cast<int>(m), -1, mixTitle(mix), QStringLiteral("mix:") + mixTitle(mix), 0, 0 };
        std::vector<Line> below;
        std::optional<std::size_t> group; // in `below`
        for (std::size_t r = 0; r < mix.rows.size(); ++r) {
            const ComparisonRow& row = mix.rows[r];
            ++m_figures;
            if (!passes(mix, row))
                continue;
            ++m_shown;
            ++top.below;
            const QString heading = row.group.empty() ? tr("Figures") : text(row.group);
            if (!group || below[*group].heading != heading) {
                group = below.size();
                below.push_back({ top.mix, -1, heading, top.key + QLatin1Char('|') + heading, 1, 0 });
            }
            ++below[*group].below;
            if (!folded(below[*group].key))
                below.push_back({ top.mix, static_cast<int>(r), {}, {}, 2, 0 });
        }
        if (below.empty())
            continue;
        const bool hidden = folded(top.key);
        lines.push_back(top);
        if (!hidden)
            lines.insert(lines.end(), below.begin(), below.end());
    }
    return lines;
}

void ComparisonModel::takeLines()
{
    std::vector<Line> lines = makeLines();
    if (lines == m_lines && !lines.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

void ComparisonModel::show(std::shared_ptr<const CompareView> view)
{
    const std::vector<std::string> before =
        comparison() != nullptr ? comparison()->columns : std::vector<std::string>();
    const bool hadDrift = m_hasDrift;
    const auto drifts = [](const Comparison& made) {
        return std::any_of(made.mixes.begin(), made.mixes.end(), [](const ComparisonMix& mix) {
            return std::any_of(mix.rows.begin(), mix.rows.end(),
                [](const ComparisonRow& row) { return row.drift.has_value(); });
        });
    };
    const auto next = view ? view->comparison : nullptr;
    const bool hasDrift = next != nullptr && drifts(*next);
    if ((next != nullptr ? next->columns : std::vector<std::string>()).size() != before.size()
        || hasDrift != hadDrift) {
        beginResetModel();
        m_view = std::move(view);
        m_hasDrift = hasDrift;
        m_lines = makeLines();
        endResetModel();
        return;
    }
    // The lines are made of the view: those of the old one go with it.
    std::vector<Line> old = std::exchange(m_lines, {});
    m_view = std::move(view);
    std::vector<Line> lines = makeLines();
    if (lines == old) {
        m_lines = std::move(lines);
        if (!m_lines.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        }
        return;
    }
    m_lines = std::move(old);
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

void ComparisonModel::setFilter(const CompareFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    takeLines();
}

void ComparisonModel::setDifferenceAs(DifferenceAs as)
{
    m_as = as;
    takeLines();
}

bool ComparisonModel::isHeading(int line) const
{
    return line >= 0 && line < rowCount() && m_lines[static_cast<std::size_t>(line)].row < 0;
}

bool ComparisonModel::isFolded(int line) const
{
    return isHeading(line) && m_folded.contains(m_lines[static_cast<std::size_t>(line)].key);
}

void ComparisonModel::setFolded(int line, bool folded)
{
    if (!isHeading(line) || isFolded(line) == folded)
        return;
    const QString key = m_lines[static_cast<std::size_t>(line)].key;
    if (folded)
        m_folded.insert(key);
    else
        m_folded.remove(key);
    takeLines();
}

void ComparisonModel::foldAll(bool folded)
{
    m_folded.clear();
    if (folded) {
        const QString words = std::exchange(m_filter.words, {});
        for (const Line& line : makeLines())
            if (line.level == 1)
                m_folded.insert(line.key);
        m_filter.words = words;
    }
    takeLines();
}

const ComparisonMix* ComparisonModel::mixAt(int line) const
{
    const Comparison* made = comparison();
    if (made == nullptr || line < 0 || line >= rowCount())
        return nullptr;
    const auto mix = static_cast<std::size_t>(m_lines[static_cast<std::size_t>(line)].mix);
    return mix < made->mixes.size() ? &made->mixes[mix] : nullptr;
}

const ComparisonRow* ComparisonModel::rowAt(int line) const
{
    const ComparisonMix* mix = mixAt(line);
    if (mix == nullptr || isHeading(line))
        return nullptr;
    const auto row = static_cast<std::size_t>(m_lines[static_cast<std::size_t>(line)].row);
    return row < mix->rows.size() ? &mix->rows[row] : nullptr;
}

std::optional<std::size_t> ComparisonModel::comparedColumn(int column) const
{
    const Comparison* made = comparison();
    if (made == nullptr || column < 1 || static_cast<std::size_t>(column) > made->columns.size())
        return std::nullopt;
    return static_cast<std::size_t>(column - 1);
}

const ComparedCell* ComparisonModel::cellAt(const QModelIndex& index) const
{
    const ComparisonRow* row = index.isValid() ? rowAt(index.row()) : nullptr;
    const auto column = comparedColumn(index.column());
    return row != nullptr && column && *column < row->cells.size() ? &row->cells[*column] : nullptr;
}

DotPicture ComparisonModel::dotsAt(const QModelIndex& index) const
{
    const ComparisonRow* row = rowAt(index.row());
    const ComparedCell* cell = cellAt(index);
    DotPicture picture;
    if (row == nullptr || cell == nullptr)
        return picture;
    const std::size_t baseline = comparison()->options.baseline;
    const auto values = [](const ComparedCell& of) {
        std::vector<double> all;
        for (const RunDot& dot : of.dots)
            if (dot.value && dot.counts)
                all.push_back(*dot.value);
        return all;
    };
    std::vector<DotPicture> all;
    for (const ComparedCell& other : row->cells)
        all.push_back({ values(row->cells[baseline]), values(other), row->cells[baseline].value, other.value,
            other.critical });
    picture = all[*comparedColumn(index.column())];
    std::tie(picture.low, picture.high) = dotAxis(all);
    if (&row->cells[baseline] == cell)
        picture.baseline.clear(); // they are its own
    return picture;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    const Comparison* made = comparison();
    if (parent.isValid())
        return 0;
    return made == nullptr ? 1 : static_cast<int>(made->columns.size()) + 1 + (m_hasDrift ? 1 : 0);
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (line.row < 0) {
        if (role == Qt::FontRole) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        if (index.column() != 0)
            return {};
        if (role == Qt::DisplayRole)
            return QStringLiteral("%1%2 %3 (%4)")
                .arg(QString(line.level * 2, QLatin1Char(' ')),
                    m_folded.contains(line.key) ? QStringLiteral("▸") : QStringLiteral("▾"), line.heading,
                    QString::number(line.below));
        if (role == Qt::ToolTipRole)
            return tr("Space folds and unfolds");
        return {};
    }
    const ComparisonRow* row = rowAt(index.row());
    if (row == nullptr)
        return {};
    if (index.column() == 0) {
        if (role == Qt::DisplayRole)
            return text(row->label);
        if (role == Qt::ToolTipRole)
            return QStringLiteral("%1: %2").arg(text(row->group), text(row->label));
        return {};
    }
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    const ComparedCell* cell = cellAt(index);
    if (cell == nullptr) { // the drift
        if (role == Qt::DisplayRole && row->drift)
            return row->drift->change
                ? text(format(Number { *row->drift->change, Unit::share, { Notation::difference, 1 } }))
                : numberText(*row, row->drift->difference);
        if (role == Qt::ToolTipRole && row->drift)
            return row->drift->beyond ? tr("The control moved by more than chance: the row is void")
                                      : tr("How far the control moved from the baseline");
        return {};
    }
    const std::size_t column = *comparedColumn(index.column());
    if (role == Qt::DisplayRole) {
        QStringList parts { valueText(*row, *cell) };
        if (const QString difference = differenceText(*row, *cell, m_as); !difference.isEmpty())
            parts.append(difference);
        if (const QString word = wordText(*cell); !word.isEmpty())
            parts.append(word);
        return parts.join(QStringLiteral("  "));
    }
    if (role == Qt::ToolTipRole)
        return explainCell(*comparison(), *row, column).join(QLatin1Char('\n'));
    return {};
}

QStringList ComparisonModel::copiedHeadings(int column) const
{
    QStringList headings { headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() };
    if (const auto compared = comparedColumn(column);
        compared && comparison() != nullptr && *compared != comparison()->options.baseline)
        headings += { tr("Difference"), tr("Found") };
    return headings;
}

QStringList ComparisonModel::copiedTexts(int row, int column) const
{
    const QModelIndex at = index(row, column);
    const ComparisonRow* const of = rowAt(row);
    const ComparedCell* const cell = of != nullptr && column > 0 ? cellAt(at) : nullptr;
    QStringList texts =
        cell != nullptr ? QStringList { valueText(*of, *cell) } : QStringList { at.data().toString() };
    if (copiedHeadings(column).size() > 1)
        texts += cell != nullptr ? QStringList { differenceText(*of, *cell, m_as), wordText(*cell) }
                                 : QStringList { QString(), QString() };
    return texts;
}

QString ComparisonModel::columnTip(std::size_t column) const
{
    const Comparison& made = *comparison();
    QStringList lines { text(made.columns[column]) };
    lines.append(made.external[column]  ? tr("From a published result")
            : made.repeats[column] == 1 ? tr("1 run")
                                        : tr("%1 runs").arg(made.repeats[column]));
    const ColumnStatus& status = made.status[column];
    for (const std::string& reason : status.notComparable)
        lines.append(tr("Not comparable: %1").arg(text(reason)));
    for (const std::string& caution : status.cautions)
        lines.append(text(caution));
    if (!status.unknown.empty()) {
        QStringList unknown;
        for (const std::string& fact : status.unknown)
            unknown.append(text(fact));
        lines.append(tr("Not known: %1").arg(unknown.join(QStringLiteral(", "))));
    }
    lines.append(column == made.options.baseline
            ? tr("The others are compared with this column")
            : tr("Click to compare the others with this column; drag to move it"));
    return lines.join(QLatin1Char('\n'));
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const Comparison* made = comparison();
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section == 0)
        return role == Qt::DisplayRole ? QVariant(tr("Figure")) : QVariant();
    const auto column = comparedColumn(section);
    if (!column)
        return role == Qt::DisplayRole ? QVariant(tr("Control\ndrift")) : QVariant();
    const bool baseline = *column == made->options.baseline;
    const ColumnStatus& status = made->status[*column];
    if (role == Qt::DisplayRole) {
        QString second = baseline           ? tr("baseline")
            : !status.notComparable.empty() ? tr("not comparable")
            : status.control                ? tr("control")
            : made->external[*column]       ? tr("published")
            : made->repeats[*column] == 1   ? tr("1 run")
                                            : tr("%1 runs").arg(made->repeats[*column]);
        return text(made->columns[*column]) + QLatin1Char('\n') + second;
    }
    if (role == Qt::ToolTipRole)
        return columnTip(*column);
    if (role == Qt::DecorationRole && (!status.notComparable.empty() || !status.cautions.empty()))
        return icon(QStringLiteral("warning"));
    if (role == Qt::FontRole && baseline) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

Qt::ItemFlags ComparisonModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace loadstone::ui
