// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/problem_columns.h"

#include "format.h"
#include "icons.h"

#include <QCoreApplication>

#include <algorithm>

namespace loadstone::ui {

namespace {

using P = Problem;

QString words(const char* source)
{
    return QCoreApplication::translate("problems", source);
}

QString counted(std::ptrdiff_t count, const char* one, const char* many)
{
    return count == 1 ? words(one) : words(many).arg(count);
}

Column<P> textColumn(const char* title, std::string P::*field)
{
    return { words(title), {}, [field](const P& p) { return text(p.*field); }, {},
        [field](const P& p, int role) {
            return role == Qt::ToolTipRole ? QVariant(text(p.*field)) : QVariant();
        } };
}

} // namespace

std::vector<Column<P>> problemColumns()
{
    return {
        { words("Line"), {},
            [](const P& p) { return p.line > 0 ? QString::number(p.line) : QStringLiteral("–"); },
            [](const P& p) { return QVariant(p.line); },
            [](const P& p, int role) {
                const bool error = p.severity == ProblemSeverity::error;
                if (role == Qt::DecorationRole)
                    return QVariant(icon(error ? QStringLiteral("error") : QStringLiteral("warning")));
                if (role == Qt::AccessibleTextRole)
                    return QVariant(
                        QStringLiteral("%1, %2").arg(error ? words("error") : words("warning")).arg(p.line));
                return QVariant();
            } },
        textColumn("Field", &P::field),
        textColumn("What is wrong", &P::message),
        textColumn("What would be right", &P::remedy),
    };
}

QString countOfProblems(const std::vector<P>& problems)
{
    const auto errors = std::count_if(
        problems.begin(), problems.end(), [](const P& p) { return p.severity == ProblemSeverity::error; });
    const auto warnings = static_cast<std::ptrdiff_t>(problems.size()) - errors;
    QStringList parts;
    if (errors > 0)
        parts.append(counted(errors, "1 error", "%1 errors"));
    if (warnings > 0)
        parts.append(counted(warnings, "1 warning", "%1 warnings"));
    return parts.isEmpty() ? words("no problems") : parts.join(QStringLiteral(", "));
}

} // namespace loadstone::ui
