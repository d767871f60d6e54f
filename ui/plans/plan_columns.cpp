// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/plan_columns.h"

#include "format.h"
#include "icons.h"
#include "plans/problem_columns.h"

#include <QCoreApplication>

#include <algorithm>

namespace loadstone::ui {

namespace {

using F = PlanFacts;
constexpr std::size_t kMostListed = 20; // problems

QString words(const char* source)
{
    return QCoreApplication::translate("plans", source);
}

QString place(const F& facts)
{
    switch (facts.origin) {
    case PlanOrigin::shipped:
        return words("comes with Loadstone");
    case PlanOrigin::recent:
    case PlanOrigin::folder:
        break;
    }
    return text(facts.file.parent_path().string());
}

QString standing(const F& facts)
{
    return !facts.read             ? words("reading…")
        : !facts.failure.isEmpty() ? facts.failure
        : facts.problems.empty()   ? words("none")
                                   : countOfProblems(facts.problems);
}

QVariant standingIcon(const F& facts)
{
    if (!facts.read)
        return {};
    return icon(!facts.usable()      ? QStringLiteral("error")
            : facts.problems.empty() ? QStringLiteral("valid")
                                     : QStringLiteral("warning"));
}

QString needs(const F& facts)
{
    return facts.needs.join(QStringLiteral(", "));
}

Column<F> textColumn(const char* title, QString (*words_)(const F&), const char* tip = "")
{
    return { words(title), words(tip), [words_](const F& f) { return words_(f); }, {},
        [words_](
            const F& f, int role) { return role == Qt::ToolTipRole ? QVariant(words_(f)) : QVariant(); } };
}

QString row(const QString& name, const QString& value)
{
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                                 .arg(name, value.toHtmlEscaped());
}

} // namespace

std::vector<Column<F>> planColumns()
{
    std::vector<Column<F>> columns;
    columns.push_back({ words("Title"), {}, [](const F& f) { return f.name(); }, {},
        [](const F& f, int role) {
            return role == Qt::ToolTipRole ? QVariant(f.description.isEmpty() ? f.name() : f.description)
                                           : QVariant();
        } });
    columns.push_back(textColumn("Kind", [](const F& f) { return kindText(f); }));
    columns.push_back({ words("Length"),
        words("Mixes, quiet times and the drain; making mailboxes or databases takes its own time"),
        [](const F& f) { return f.lengthText.isEmpty() ? QStringLiteral("–") : f.lengthText; },
        [](const F& f) { return f.tests ? QVariant(seconds(f.length)) : QVariant(); }, {} });
    columns.push_back({ words("Problems"), {}, standing,
        [](const F& f) {
            return f.read ? QVariant(f.failure.isEmpty() ? static_cast<int>(f.problems.size()) : 1'000'000)
                          : QVariant();
        },
        [](const F& f, int role) {
            return role == Qt::DecorationRole ? standingIcon(f)
                : role == Qt::ToolTipRole     ? QVariant(standing(f))
                                              : QVariant();
        },
        true });
    columns.push_back(textColumn("Needs", [](const F& f) { return needs(f); }));
    columns.push_back(textColumn("Size", [](const F& f) { return f.what; }));
    columns.push_back(textColumn("File", [](const F& f) { return text(f.file.filename().string()); }));
    columns.push_back(textColumn("Folder", place));
    return columns;
}

bool matches(const F& facts, const QString& search)
{
    const QString all = QStringList { facts.name(), facts.description, kindText(facts), facts.what,
        needs(facts), text(facts.file.string()), place(facts) }
                            .join(QLatin1Char('\n'));
    const QStringList parts = search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(parts.begin(), parts.end(),
        [&](const QString& part) { return all.contains(part, Qt::CaseInsensitive); });
}

QString detailsOf(const F& facts)
{
    QString page = QStringLiteral("<h3>%1</h3>").arg(facts.name().toHtmlEscaped());
    if (!facts.description.isEmpty())
        page += QStringLiteral("<p>%1</p>").arg(facts.description.toHtmlEscaped());
    page += QStringLiteral("<table>");
    page += row(words("Kind"), kindText(facts));
    page += row(words("Size"), facts.what);
    page += row(words("Length"), facts.lengthText);
    page += row(words("Needs"), needs(facts));
    page += row(words("File"), text(facts.file.string()));
    page += QStringLiteral("</table>");
    if (!facts.failure.isEmpty())
        page +=
            QStringLiteral("<p>%1</p>").arg(words("Cannot be read: %1").arg(facts.failure).toHtmlEscaped());
    if (!facts.notes.isEmpty())
        page += QStringLiteral("<p>%1</p>")
                    .arg(facts.notes.join(QLatin1Char('\n'))
                             .toHtmlEscaped()
                             .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    if (!facts.problems.empty())
        page += QStringLiteral("<p><b>%1</b></p><ul>").arg(countOfProblems(facts.problems));
    for (std::size_t i = 0; i < std::min(facts.problems.size(), kMostListed); ++i) {
        const Problem& p = facts.problems[i];
        const QString where = p.line > 0 ? words("line %1: ").arg(p.line) : QString();
        page += QStringLiteral("<li>%1</li>")
                    .arg((where + text(p.field) + QStringLiteral(" ") + text(p.message)
                        + (p.remedy.empty() ? QString() : QStringLiteral("; ") + text(p.remedy)))
                             .toHtmlEscaped());
    }
    if (facts.problems.size() > kMostListed)
        page +=
            QStringLiteral("<li>%1</li>").arg(words("and %1 more").arg(facts.problems.size() - kMostListed));
    if (!facts.problems.empty())
        page += QStringLiteral("</ul>");
    return page;
}

} // namespace loadstone::ui
