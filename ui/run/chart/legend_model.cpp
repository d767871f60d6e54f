// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than most: a table model whose cells, editing and remembered looks are about one list of entries.
#include "run/chart/legend_model.h"

#include "charts/series_colours.h"
#include "format.h"
#include "run/view/usual_lines.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMostRemembered = 200; // looks of lines that are not listed

/// A column of numbers, which are read from their right end.
bool isNumber(int column)
{
    return (column >= LegendModel::Last && column <= LegendModel::Rate) || column == LegendModel::Scale;
}

/// "3 s", "0.4 s".
QString formatAge(Nanoseconds age)
{
    return QStringLiteral("%1 s").arg(
        QString::number(seconds(age), 'f', age < std::chrono::seconds(10) ? 1 : 0));
}

/// The value, and how old it is or how long a stretch it is the mean of.
QString cursorText(const CursorValue& value, const QString& unit)
{
    const QString shown = formatIn(value.value, unit);
    if (!value.known())
        return shown;
    return value.stretch > Nanoseconds(0)
        ? LegendModel::tr("%1 (mean of %2)").arg(shown, formatAge(value.stretch))
        : LegendModel::tr("%1 (%2 old)").arg(shown, formatAge(value.age));
}

const QString kKey = QStringLiteral("key");

/// What other runs take over of a line's style: one that is hidden, scaled by hand or has a limit is so in its own run alone.
LineStyle lookOf(LineStyle style)
{
    style.shown = true;
    style.scale.reset();
    style.threshold.reset(); // it would look like a criterion of the other run's plan
    return style;
}

} // namespace

LineStyle StyleChange::appliedTo(LineStyle style) const
{
    style.colour = colour.value_or(style.colour);
    style.width = width.value_or(style.width);
    style.pen = pen.value_or(style.pen);
    style.scale = scale.value_or(style.scale);
    style.threshold = threshold.value_or(style.threshold);
    style.group = group.value_or(style.group);
    return style;
}

std::vector<double> scaleFactors()
{
    std::vector<double> factors;
    for (int n = -7; n <= 7; ++n)
        factors.push_back(std::pow(10, n));
    return factors;
}

void LegendModel::setAvailable(const RunHeader& header, const std::vector<SourceInfo>& sources,
    const std::vector<ComputerFacts>& computers, const std::vector<CounterInfo>& derived)
{
    m_available = linesOf(header, sources, computers, derived);
    m_usual = usualOrder(header, m_available);
    if (m_run != header.id || m_target != header.target)
        m_criteria.reset();
    m_run = header.id;
    m_target = header.target;
    applyLimits(header);
    for (Entry& e : m_entries) {
        e.info = lookUp(e.info.key);
        e.data = {};
        e.available = isAvailable(e.info.key);
    }
    if (!m_entries.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

LineInfo LegendModel::lookUp(const LineKey& key) const
{
    const auto it = std::find_if(
        m_available.begin(), m_available.end(), [&](const LineInfo& info) { return info.key == key; });
    if (it != m_available.end())
        return *it;
    return lineWithout(key);
}

bool LegendModel::isAvailable(const LineKey& key) const
{
    return std::any_of(
        m_available.begin(), m_available.end(), [&](const LineInfo& info) { return info.key == key; });
}

const LineStyle* LegendModel::remembered(const LineKey& key) const
{
    const auto it = std::find_if(
        m_remembered.begin(), m_remembered.end(), [&](const auto& line) { return line.first == key; });
    return it == m_remembered.end() ? nullptr : &it->second;
}

QColor LegendModel::freshColour(const LineKey& key, const std::vector<LineKey>& coming) const
{
    const auto taken = [&](const QColor& colour) {
        return std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& e) {
            return e.style.colour == colour;
        }) || std::any_of(coming.begin(), coming.end(), [&](const LineKey& each) {
            const LineStyle* const style = remembered(each);
            return style != nullptr && style->colour == colour;
        });
    };
    const auto place = std::find(m_usual.begin(), m_usual.end(), key);
    if (place != m_usual.end())
        if (const QColor own = seriesColour(static_cast<std::size_t>(place - m_usual.begin())); !taken(own))
            return own;
    for (std::size_t i = m_usual.size(); i < kSeriesColours.size(); ++i)
        if (!taken(seriesColour(i)))
            return seriesColour(i);
    for (const QRgb candidate : kSeriesColours)
        if (!taken(QColor(candidate)))
            return candidate;
    return seriesColour(m_entries.size());
}

LineStyle LegendModel::freshStyle(const LineKey& key, const std::vector<LineKey>& coming) const
{
    if (const LineStyle* const known = remembered(key)) {
        // Two lines may have got one colour in runs where they did not stand beside each other.
        LineStyle kept = *known;
        if (std::any_of(m_entries.begin(), m_entries.end(),
                [&](const Entry& e) { return e.style.colour == kept.colour && e.style.pen == kept.pen; }))
            kept.colour = freshColour(key, coming);
        return kept;
    }
    LineStyle style;
    style.colour = freshColour(key, coming);
    const auto again =
        std::ranges::count_if(m_entries, [&](const Entry& e) { return e.style.colour == style.colour; });
    style.width = key.isLatency() ? 2 : 1;
    // There are more lines than hues.
    constexpr Qt::PenStyle kPens[] { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };
    style.pen = kPens[std::min<std::size_t>(static_cast<std::size_t>(again), std::size(kPens) - 1)];
    return style;
}

int LegendModel::rowOf(const LineKey& key) const
{
    const auto it =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.info.key == key; });
    return it == m_entries.end() ? -1 : static_cast<int>(it - m_entries.begin());
}

void LegendModel::setKeys(const std::vector<LineKey>& keys)
{
    std::vector<std::pair<LineKey, LineStyle>> lines;
    for (const LineKey& key : keys) {
        const int row = rowOf(key);
        lines.emplace_back(key, row >= 0 ? at(row).style : LineStyle {});
    }
    setLines(lines);
}

void LegendModel::setLines(const std::vector<std::pair<LineKey, LineStyle>>& lines)
{
    std::vector<LineKey> keys;
    for (const auto& [key, style] : lines)
        keys.push_back(key);
    beginResetModel();
    const std::vector<Entry> before = std::exchange(m_entries, {});
    for (const Entry& entry : before)
        keepLook(entry);
    for (const bool isFresh : { false, true }) // a fresh line takes a colour that no line after it has
        for (const auto& [key, style] : lines) {
            if (style.colour.isValid() == isFresh)
                continue;
            const auto old =
                std::find_if(before.begin(), before.end(), [&](const Entry& e) { return e.info.key == key; });
            Entry entry { lookUp(key), style, old == before.end() ? LineData {} : old->data, 1,
                old != before.end() && old->changed };
            entry.available = isAvailable(key);
            if (isFresh)
                entry.style = freshStyle(key, keys);
            m_entries.push_back(std::move(entry));
        }
    std::ranges::stable_sort(
        m_entries, {}, [&](const Entry& e) { return std::ranges::find(keys, e.info.key) - keys.begin(); });
    applyScales();
    endResetModel();
    emit keysChanged();
}

void LegendModel::add(const std::vector<LineKey>& keys)
{
    std::vector<LineKey> fresh;
    for (const LineKey& key : keys)
        if (rowOf(key) < 0 && std::find(fresh.begin(), fresh.end(), key) == fresh.end())
            fresh.push_back(key);
    if (fresh.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
    for (const LineKey& key : fresh) {
        m_entries.push_back({ lookUp(key), freshStyle(key, fresh), {} });
        m_entries.back().available = isAvailable(key);
    }
    endInsertRows();
    emit keysChanged();
}

void LegendModel::remove(QList<int> rows)
{
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const int row : rows) {
        beginRemoveRows({}, row, row);
        keepLook(at(row));
        m_entries.erase(m_entries.begin() + row);
        endRemoveRows();
    }
    if (!rows.isEmpty())
        emit keysChanged();
}

std::vector<LineKey> LegendModel::keys() const
{
    std::vector<LineKey> keys;
    for (const Entry& e : m_entries)
        keys.push_back(e.info.key);
    return keys;
}

void LegendModel::applyStyle(int row, const LineStyle& style)
{
    Entry& entry = m_entries[static_cast<std::size_t>(row)];
    entry.style = style;
    entry.changed = true;
    applyScales();
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    emit dataChanged(index(0, Scale), index(rowCount() - 1, Scale)); // those of its unit and family
}

void LegendModel::setStyle(int row, const LineStyle& style)
{
    if (at(row).style == style)
        return;
    applyStyle(row, style);
    emit styleChanged();
}

void LegendModel::changeStyles(const QList<int>& rows, const StyleChange& change)
{
    for (const int row : rows)
        applyStyle(row, change.appliedTo(at(row).style));
    emit styleChanged();
}

void LegendModel::setData(const RunView& view)
{
    if (const auto& criteria = view.criteria ? view.criteria : view.criteriaSoFar;
        criteria && view.header && criteria != m_criteria) {
        m_criteria = criteria;
        applyLimits(*view.header);
    }
    for (Entry& entry : m_entries) {
        const auto it = std::find_if(
            view.lines.begin(), view.lines.end(), [&](const LineData& l) { return l.key == entry.info.key; });
        if (it == view.lines.end())
            continue;
        const std::optional<ValueExtent> before = entry.data.whole;
        entry.data = *it;
        if (m_holdsScales && before) // of which scales and the value axis are made
            entry.data.whole = before;
    }
    applyScales();
    if (!m_entries.empty())
        emit dataChanged(index(0, Last), index(rowCount() - 1, Scale));
}

void LegendModel::applyLimits(const RunHeader& header)
{
    m_limits = m_criteria ? limitsOf(m_criteria->judgement, header, m_available) : std::vector<LineLimit> {};
}

void LegendModel::setReadouts(const std::vector<CursorReadout>& readouts)
{
    for (std::size_t i = 0; i < std::min(readouts.size(), m_entries.size()); ++i)
        m_entries[i].readout = readouts[i];
    if (!m_entries.empty())
        emit dataChanged(index(0, AtA), index(rowCount() - 1, Rate));
}

void LegendModel::applyScales()
{
    std::vector<ScaledLine> lines;
    for (const Entry& e : m_entries)
        lines.push_back({ e.info.unit, e.family(), e.style.shown ? e.data.whole : std::nullopt });
    const std::vector<std::optional<double>> scales = automaticScales(lines);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Entry& e = m_entries[i];
        const double own = e.data.whole ? automaticScale(*e.data.whole, e.info.unit) : 1;
        if (!e.style.scale && m_holdsScales && e.isScaled)
            continue;
        e.scale = e.style.scale.value_or(scales[i].value_or(own));
        e.isScaled = !e.style.scale && e.data.whole.has_value();
    }
}

QString LegendModel::nameOf(const Entry& entry) const
{
    return entry.info.shortName(std::ranges::any_of(
        m_entries, [&](const Entry& other) { return differByObject(entry.info, other.info); }));
}

QString LegendModel::shortName(int row) const
{
    return nameOf(m_entries.at(static_cast<std::size_t>(row)));
}

std::vector<ChartLine> LegendModel::chartLines() const
{
    std::vector<ChartLine> lines;
    const bool isOfSeveral = std::ranges::adjacent_find(m_entries, std::not_equal_to<>(), [](const Entry& e) {
        return e.info.computer;
    }) != m_entries.end();
    for (const Entry& e : m_entries) {
        ChartLine& line = lines.emplace_back();
        line.computer = isOfSeveral ? e.info.computer : QString();
        line.name = nameOf(e);
        line.unit = e.info.unit;
        line.colour = e.style.colour;
        line.width = e.style.width;
        line.shown = e.style.shown;
        line.scale = e.scale;
        line.bands = e.data.bands;
        line.threshold = e.style.threshold;
        line.statistics = e.data.statistics;
        line.coverage = e.data.coverage;
        line.style = e.style.pen;
        line.family = e.family();
        line.whole = e.data.whole;
        line.read = e.data.read;
        for (const LineLimit& limit : m_limits)
            if (limit.key == e.info.key)
                line.limits.push_back(limit.limit);
    }
    return lines;
}

void LegendModel::keepLook(const Entry& entry)
{
    if (!entry.changed) // a colour that was only free is for the next line
        return;
    const auto known = std::find_if(m_remembered.begin(), m_remembered.end(),
        [&](const auto& line) { return line.first == entry.info.key; });
    if (known != m_remembered.end())
        known->second = lookOf(entry.style);
    else if (m_remembered.size() < kMostRemembered)
        m_remembered.emplace_back(entry.info.key, lookOf(entry.style));
}

QVariantList LegendModel::looks() const
{
    QVariantList looks;
    const auto add = [&](const LineKey& key, const LineStyle& style) {
        QVariantMap map = savedStyle(lookOf(style));
        map.insert(kKey, key.text());
        looks.append(map);
    };
    // A usual line that the user has not changed takes its colour from its place in usualOrder(). Kinds of runs have
    // different orders, so a colour kept from one kind would be wrong in another.
    const auto isKept = [&](const Entry& e) {
        return e.changed || std::find(m_usual.begin(), m_usual.end(), e.info.key) == m_usual.end();
    };
    for (const Entry& e : m_entries)
        if (isKept(e))
            add(e.info.key, e.style);
    for (const auto& [key, style] : m_remembered) // a session without them must not forget how they look
        if (const int row = rowOf(key); row < 0 || !isKept(at(row)))
            add(key, style);
    return looks;
}

void LegendModel::remember(const QVariantList& looks)
{
    m_remembered.clear();
    for (const QVariant& item : looks) {
        const QVariantMap map = item.toMap();
        const auto key = LineKey::parse(map.value(kKey).toString());
        const LineStyle style = styleOf(map);
        if (key && style.colour.isValid() && m_remembered.size() < kMostRemembered)
            m_remembered.emplace_back(*key, lookOf(style));
    }
}

int LegendModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int LegendModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LegendModel::display(const Entry& entry, int column) const
{
    const CounterStatistics& values = entry.data.statistics;
    const auto value = [&](double v) {
        return formatIn(values.samples == 0 ? std::numeric_limits<double>::quiet_NaN() : v, entry.info.unit);
    };
    switch (column) {
    case Counter:
        return entry.info.counter;
    case Instance:
        return entry.info.instance;
    case Last:
        return value(values.last);
    case Average:
        return value(values.average);
    case Minimum:
        return value(values.minimum);
    case Maximum:
        return value(values.maximum);
    case AtA:
        return cursorText(entry.readout.a, entry.info.unit);
    case AtB:
        return cursorText(entry.readout.b, entry.info.unit);
    case Difference:
        return formatIn(entry.readout.difference, entry.info.unit);
    case Rate:
        return formatIn(entry.readout.perSecond, entry.info.unit);
    case Unit: // empty where the values are printed with it
        return formatIn(1, entry.info.unit) == formatIn(1, {}) ? entry.info.unit : QString();
    case Scale:
        return formatScale(entry.scale);
    case Object:
        return entry.info.object;
    case Computer:
        return entry.info.role.empty() || entry.info.role == "generator"
            ? entry.info.computer
            : tr("%1 (%2)").arg(entry.info.computer, roleName(entry.info.role));
    default:
        return {};
    }
}

QString LegendModel::toolTipAt(const CursorValue& value)
{
    if (!value.known())
        return tr("No sample here");
    if (value.stretch > Nanoseconds(0))
        return tr("The mean of the %1 that the chart draws as one").arg(formatElapsedExact(value.stretch));
    return tr("The last sample at or before the cursor, %1 old").arg(formatAge(value.age));
}

QString LegendModel::toolTip(const Entry& entry, int column) const
{
    if (column == Scale)
        return entry.style.scale ? tr("Values are drawn times this factor.")
                                 : tr("Values are drawn times this factor, chosen to fit 0 to 100.");
    if (column >= Last && column <= Maximum && entry.data.statistics.samples != 0)
        return tr("Over %1: %2 samples")
            .arg(formatElapsed(entry.data.statistics.duration), formatCount(entry.data.statistics.samples));
    if (column == AtA || column == AtB)
        return toolTipAt(column == AtA ? entry.readout.a : entry.readout.b);
    return entry.info.help;
}

QVariant LegendModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = at(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(entry, column);
    case Qt::EditRole:
        if (column == Scale)
            return entry.style.scale.value_or(0.0); // 0: automatic
        if (column == Colour)
            return entry.style.colour;
        return display(entry, column);
    case Qt::CheckStateRole:
        if (column == Show)
            return static_cast<int>(entry.style.shown ? Qt::Checked : Qt::Unchecked);
        break;
    case Qt::ForegroundRole:
        if (!m_available.empty() && !entry.available)
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        break;
    case Qt::ToolTipRole:
        return toolTip(entry, column);
    case Qt::TextAlignmentRole:
        if (isNumber(column))
            return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
        break;
    default:
        break;
    }
    return {};
}

QVariant LegendModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    static const std::array<const char*, ColumnCount> kTitles { "Show", "Colour", "Counter", "Instance",
        "Last", "Average", "Minimum", "Maximum", "At A", "At B", "B - A", "Per second", "Unit", "Scale",
        "Object", "Computer" };
    return section >= 0 && section < ColumnCount ? QVariant(tr(kTitles[static_cast<std::size_t>(section)]))
                                                 : QVariant();
}

Qt::ItemFlags LegendModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Show)
        flags |= Qt::ItemIsUserCheckable;
    if (index.column() == Scale)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool LegendModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    LineStyle style = at(index.row()).style;
    if (index.column() == Show && role == Qt::CheckStateRole)
        style.shown = value.toInt() == Qt::Checked;
    else if (index.column() == Scale && role == Qt::EditRole)
        style.scale = value.toDouble() > 0 ? std::optional(value.toDouble()) : std::nullopt;
    else if (index.column() == Colour && role == Qt::EditRole)
        style.colour = value.value<QColor>();
    else
        return false;
    setStyle(index.row(), style);
    return true;
}

} // namespace loadstone::ui
