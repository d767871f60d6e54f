// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/legend_model.h"

#include "format.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace loadstone::ui {

namespace {

// Ten hues that can be told apart on white and on dark grey, by the colour-blind too (after Okabe and Ito).
constexpr std::array<QRgb, 10> kColours { 0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7, 0xffe69f00,
    0xff56b4e9, 0xff8c564b, 0xff9467bd, 0xff7f7f7f, 0xffbcbd22 };

constexpr std::size_t kMostRemembered = 200; // looks of lines that are not listed

struct SavedLine {
    LineKey key;
    LineStyle style; // the colour is invalid where it makes no sense
    bool listed = true;
};

QVariantMap saveLine(const LineKey& key, const LineStyle& style, bool listed)
{
    QVariantMap map { { QStringLiteral("key"), key.text() },
        { QStringLiteral("colour"), style.colour.name() }, { QStringLiteral("width"), style.width },
        { QStringLiteral("shown"), style.shown }, { QStringLiteral("listed"), listed } };
    if (style.scale)
        map.insert(QStringLiteral("scale"), *style.scale);
    if (style.threshold)
        map.insert(QStringLiteral("threshold"), *style.threshold);
    return map;
}

/// What LegendModel::save() wrote. Bad entries are left out.
std::vector<SavedLine> savedLines(const QVariantList& saved)
{
    std::vector<SavedLine> lines;
    for (const QVariant& item : saved) {
        const QVariantMap map = item.toMap();
        const auto key = LineKey::parse(map.value(QStringLiteral("key")).toString());
        if (!key)
            continue;
        LineStyle style;
        style.colour = QColor(map.value(QStringLiteral("colour")).toString());
        style.width = std::clamp(map.value(QStringLiteral("width"), 1).toInt(), 1, 8);
        style.shown = map.value(QStringLiteral("shown"), true).toBool();
        if (const double scale = map.value(QStringLiteral("scale")).toDouble(); scale > 0)
            style.scale = scale;
        if (map.contains(QStringLiteral("threshold")))
            style.threshold = map.value(QStringLiteral("threshold")).toDouble();
        lines.push_back({ *key, style, map.value(QStringLiteral("listed"), true).toBool() });
    }
    return lines;
}

} // namespace

std::vector<double> scaleFactors()
{
    std::vector<double> factors;
    for (int n = -7; n <= 7; ++n)
        factors.push_back(std::pow(10, n));
    return factors;
}

void LegendModel::setAvailable(const RunHeader& header, const std::vector<SourceInfo>& sources)
{
    m_available = linesOf(header, sources);
    for (Entry& e : m_entries) {
        e.info = lookUp(e.info.key);
        e.data = {};
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
    return { key, text(key.name()), {}, {}, {}, {}, tr("This recording has no such counter.") };
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

QColor LegendModel::freshColour(const std::vector<LineKey>& coming) const
{
    const auto taken = [&](const QColor& colour) {
        return std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& e) {
            return e.style.colour == colour;
        }) || std::any_of(coming.begin(), coming.end(), [&](const LineKey& key) {
            const LineStyle* const style = remembered(key);
            return style != nullptr && style->colour == colour;
        });
    };
    for (const QRgb candidate : kColours)
        if (!taken(QColor(candidate)))
            return candidate;
    return kColours[m_entries.size() % kColours.size()];
}

LineStyle LegendModel::freshStyle(const LineKey& key, const std::vector<LineKey>& coming) const
{
    if (const LineStyle* const style = remembered(key))
        return *style;
    LineStyle style;
    style.colour = freshColour(coming);
    const bool again = std::any_of(
        m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.style.colour == style.colour; });
    style.width = key.isLatency() || again ? 2 : 1; // there are more lines than hues
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
    beginResetModel();
    m_entries.clear();
    for (const LineKey& key : keys)
        m_entries.push_back({ lookUp(key), freshStyle(key, keys), {}, 1 });
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
    for (const LineKey& key : fresh)
        m_entries.push_back({ lookUp(key), freshStyle(key, fresh), {}, 1 });
    endInsertRows();
    emit keysChanged();
}

void LegendModel::remove(QList<int> rows)
{
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const int row : rows) {
        beginRemoveRows({}, row, row);
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

void LegendModel::setStyle(int row, const LineStyle& style)
{
    Entry& entry = m_entries[static_cast<std::size_t>(row)];
    if (entry.style == style)
        return;
    entry.style = style;
    entry.scale = style.scale.value_or(automaticScale(entry.data.bands));
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    emit styleChanged();
}

void LegendModel::setData(const RunView& view)
{
    for (Entry& entry : m_entries) {
        const auto it = std::find_if(
            view.lines.begin(), view.lines.end(), [&](const LineData& l) { return l.key == entry.info.key; });
        if (it == view.lines.end())
            continue;
        entry.data = *it;
        entry.scale = entry.style.scale.value_or(automaticScale(entry.data.bands));
    }
    if (!m_entries.empty())
        emit dataChanged(index(0, Scale), index(rowCount() - 1, Scale));
}

std::vector<ChartLine> LegendModel::chartLines() const
{
    std::vector<ChartLine> lines;
    for (const Entry& e : m_entries)
        lines.push_back({ e.info.shortName(), e.info.unit, e.style.colour, e.style.width, e.style.shown,
            e.scale, e.data.bands, e.style.threshold });
    return lines;
}

QVariantList LegendModel::save() const
{
    QVariantList saved;
    for (const Entry& e : m_entries)
        saved.append(saveLine(e.info.key, e.style, true));
    for (const auto& [key, style] : m_remembered) // a session without them must not forget how they look
        if (rowOf(key) < 0)
            saved.append(saveLine(key, style, false));
    return saved;
}

void LegendModel::restore(const QVariantList& saved)
{
    remember(saved);
    beginResetModel();
    m_entries.clear();
    for (const SavedLine& line : savedLines(saved)) {
        if (!line.listed)
            continue;
        LineStyle style = line.style;
        if (!style.colour.isValid())
            style.colour = freshColour({});
        m_entries.push_back({ lookUp(line.key), style, {}, 1 });
    }
    endResetModel();
    emit keysChanged();
}

void LegendModel::remember(const QVariantList& saved)
{
    m_remembered.clear();
    for (const SavedLine& line : savedLines(saved))
        if (line.style.colour.isValid() && m_remembered.size() < kMostRemembered)
            m_remembered.emplace_back(line.key, line.style);
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
    switch (column) {
    case Scale:
        return formatScale(entry.scale);
    case Counter:
        return entry.info.counter;
    case Instance:
        return entry.info.instance;
    case Object:
        return entry.info.object;
    case Computer:
        return entry.info.computer;
    case Unit:
        return entry.info.unit;
    default:
        return {};
    }
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
        if (!m_available.empty() && !isAvailable(entry.info.key))
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        break;
    case Qt::ToolTipRole:
        if (column == Scale)
            return entry.style.scale ? tr("Values are drawn times this factor.")
                                     : tr("Values are drawn times this factor, chosen to fit 0 to 100.");
        return entry.info.help.isEmpty() ? QVariant() : entry.info.help;
    case Qt::TextAlignmentRole:
        if (column == Scale)
            return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
        break;
    default:
        break;
    }
    return {};
}

QVariant LegendModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Scale)
        return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Show:
        return tr("Show");
    case Colour:
        return tr("Colour");
    case Scale:
        return tr("Scale");
    case Counter:
        return tr("Counter");
    case Instance:
        return tr("Instance");
    case Object:
        return tr("Object");
    case Computer:
        return tr("Computer");
    case Unit:
        return tr("Unit");
    default:
        return {};
    }
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
