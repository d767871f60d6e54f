// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/lab_value.h"

#include "base/joined.h"
#include "document/lab_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loadstone::report {

namespace {

using State = LabFigure::State;

LabFigure textFigure(std::string text)
{
    LabFigure figure;
    figure.state = text.empty() ? State::absent : State::stated;
    figure.text = std::move(text);
    return figure;
}

LabFigure numberFigure(double number)
{
    LabFigure figure;
    figure.state = State::stated;
    figure.text = fmt::format("{}", number);
    figure.number = number;
    figure.isBare = true;
    return figure;
}

LabFigure stateFigure(State state)
{
    LabFigure figure;
    figure.state = state;
    return figure;
}

/// The unit that a row's numbers are in.
void addUnit(LabFigure& figure, const KeyRow* row)
{
    if (row == nullptr)
        return;
    if (row->type == KeyType::bytes) {
        figure.unit = "B";
        figure.step = row->unit.ends_with("iB") || row->unit.empty() ? 1024 : 1000;
        // What the file states in binary units is in binary units.
        if (figure.text.ends_with("iB"))
            figure.step = 1024;
    } else if (row->type == KeyType::duration)
        figure.unit = "s";
    else if (row->type == KeyType::percent)
        figure.unit = "%";
    else
        figure.unit = row->unit;
    figure.isBare = figure.unit.empty() && (row->type == KeyType::integer || row->type == KeyType::number);
}

LabFigure propertyFigure(const LabProperty* property, const KeyRow* row)
{
    if (property == nullptr)
        return stateFigure(row == nullptr ? State::noKey : State::absent);
    if (property->value.origin == ValueOrigin::notDisclosed)
        return stateFigure(State::notDisclosed);
    LabFigure figure = textFigure(property->value.text);
    figure.number = property->value.number;
    addUnit(figure, row);
    return figure;
}

LabFigure tuningFigure(const LabTuning& tuning, std::string_view key)
{
    if (key == "name")
        return textFigure(tuning.name);
    if (key == "place")
        return textFigure(tuning.place);
    if (key == "type")
        return textFigure(tuning.type);
    if (key == "default")
        return textFigure(tuning.defaultValue);
    if (key == "value") {
        LabFigure figure = textFigure(tuning.value);
        figure.number = tuning.number;
        return figure;
    }
    if (key == "why")
        return textFigure(tuning.why);
    return stateFigure(State::noKey);
}

LabFigure variantFigure(const LabVariant& variant, std::string_view key)
{
    if (key == "id")
        return textFigure(variant.id);
    if (key == "title")
        return textFigure(variant.title);
    if (key == "base")
        return textFigure(variant.base);
    return stateFigure(State::noKey);
}

LabFigure labFigure(const Lab& lab, std::string_view key)
{
    if (key == "title")
        return textFigure(lab.title);
    if (key == "description")
        return textFigure(lab.description);
    if (key == "revision")
        return textFigure(lab.revision);
    if (key == "variant") {
        const auto it = std::ranges::find(lab.variants, lab.variant, &LabVariant::id);
        return textFigure(it != lab.variants.end() ? it->title : std::string());
    }
    return stateFigure(State::noKey);
}

/// "MsgHandleThreshold = 10,000; …"
LabFigure tuningsFigure(const LabItem& item)
{
    std::vector<std::string> parts;
    for (const LabTuning& tuning : item.changed)
        parts.push_back(tuning.name + " = " + tuning.value);
    return textFigure(joined(parts, "; "));
}

LabFigure itemFigure(const LabIndex& lab, const LabItem& item, std::string_view key)
{
    if (key == "count")
        return numberFigure(static_cast<double>(item.count));
    if (key == "total")
        return numberFigure(static_cast<double>(lab.total(item)));
    if (key == "id")
        return textFigure(item.id);
    if (key == "name")
        return textFigure(item.label());
    if (key == "kind")
        return textFigure(toString(item.kind));
    if (key == "notes")
        return textFigure(item.notes);
    if (key == "role" || key == "roles")
        return textFigure(joined(item.roles, ", "));
    if (key == "changed")
        return tuningsFigure(item);
    if (key == "in") {
        const LabItem* around = lab.find(item.in);
        return textFigure(around != nullptr ? around->label() : item.in);
    }
    if (key.ends_with(".sum")) {
        LabFigure figure = itemFigure(lab, item, key.substr(0, key.size() - 4));
        if (figure.number) {
            *figure.number *= static_cast<double>(lab.total(item));
            figure.text = fmt::format("{}", *figure.number);
        }
        return figure;
    }
    return propertyFigure(item.find(key), document::labPropertyRow(toString(item.kind), key));
}

LabFigure linkFigure(const LabLink* link, std::string_view key)
{
    if (link == nullptr)
        return stateFigure(State::noItem);
    if (key == "count")
        return numberFigure(static_cast<double>(link->count));
    if (key == "kind")
        return textFigure(toString(link->kind));
    if (key == "notes")
        return textFigure(link->notes);
    const auto property = std::ranges::find(link->properties, key, &LabProperty::key);
    return propertyFigure(
        property != link->properties.end() ? &*property : nullptr, document::labLinkRow(key));
}

LabFigure scopedFigure(const LabScope& scope, std::string_view key)
{
    if (scope.tuning != nullptr)
        return tuningFigure(*scope.tuning, key);
    if (scope.variant != nullptr)
        return variantFigure(*scope.variant, key);
    if (scope.item != nullptr)
        return key.empty() ? textFigure(summaryOf(*scope.item)) : itemFigure(*scope.lab, *scope.item, key);
    return stateFigure(State::noItem);
}

std::optional<double> wholeNumber(std::string_view name)
{
    int value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (error != std::errc() || end != name.data() + name.size())
        return std::nullopt;
    return value;
}

} // namespace

LabFigure figureOf(const LabScope& scope, std::string_view name)
{
    if (name.starts_with('.'))
        return scopedFigure(scope, name.substr(1));
    if (const auto number = wholeNumber(name))
        return numberFigure(*number);
    if (const LabItem* item = scope.lab->find(name))
        return textFigure(summaryOf(*item));
    // An id may have dots, and so may "size.sum": the longest id counts.
    for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
         dot = name.rfind('.', dot - 1)) {
        const std::string_view id = name.substr(0, dot), key = name.substr(dot + 1);
        if (const std::size_t arrow = id.find("->"); arrow != std::string_view::npos)
            return linkFigure(scope.lab->findLink(id.substr(0, arrow), id.substr(arrow + 2)), key);
        if (const LabItem* item = scope.lab->find(id))
            return itemFigure(*scope.lab, *item, key);
        if (id == "lab")
            return labFigure(scope.lab->lab(), key);
    }
    return stateFigure(State::noItem);
}

std::optional<std::vector<LabScope>> scopesOf(const LabIndex& lab, std::string_view list)
{
    std::vector<LabScope> scopes;
    const auto addItem = [&](const LabItem& item) { scopes.push_back({ &lab, &item }); };
    if (list == "variants") {
        for (const LabVariant& variant : lab.lab().variants)
            scopes.push_back({ .lab = &lab, .variant = &variant });
    } else if (list.starts_with("kind ")) {
        for (const LabItem& item : lab.lab().items)
            if (toString(item.kind) == list.substr(5))
                addItem(item);
    } else if (list.starts_with("role ")) {
        for (const LabItem& item : lab.lab().items)
            if (std::ranges::find(item.roles, list.substr(5)) != item.roles.end())
                addItem(item);
    } else if (const LabItem* item = lab.find(list)) {
        addItem(*item);
    } else if (const std::size_t changed = list.find(".changed"); changed != std::string_view::npos) {
        item = lab.find(list.substr(0, changed));
        const std::string_view type = list.substr(changed + 8);
        if (item == nullptr || !(type.empty() || type.starts_with(' ')))
            return std::nullopt;
        for (const LabTuning& tuning : item->changed)
            if (type.empty() || tuning.type == type.substr(1))
                scopes.push_back({ .lab = &lab, .tuning = &tuning });
    } else if (list.ends_with(".below")) {
        item = lab.find(list.substr(0, list.size() - 6));
        if (item == nullptr)
            return std::nullopt;
        for (const LabItem* below : lab.below(item->id))
            addItem(*below);
    } else
        return std::nullopt;
    return scopes;
}

/// Whether the model or the product begins with the vendor: "AMD EPYC".
bool isSaidBy(const LabItem& item, const std::string& vendor)
{
    return item.text("model").starts_with(vendor + " ") || item.text("product").starts_with(vendor + " ");
}

std::string descriptionOf(const LabItem& item)
{
    // What distinguishes one of a kind, in the order in which people say it.
    static constexpr auto kWords = { "size", "speed", "interface", "vendor", "model", "product", "version",
        "edition", "type" };
    std::vector<std::string> parts;
    for (const char* key : kWords) {
        // A type says what no model does.
        if (key == std::string_view("type") && !parts.empty())
            break;
        std::string text = item.text(key);
        if (key == std::string_view("vendor") && isSaidBy(item, text))
            continue;
        if (!text.empty())
            parts.push_back(std::move(text));
    }
    return parts.empty() ? item.label() : joined(parts, " ");
}

std::string summaryOf(const LabItem& item)
{
    return item.count == 1 ? descriptionOf(item) : fmt::format("{} x {}", item.count, descriptionOf(item));
}

} // namespace loadstone::report
