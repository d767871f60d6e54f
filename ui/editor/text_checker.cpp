// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text_checker.h"

#include <loadstone/lab.h>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kPauseMilliseconds = 250; // since the last key
}

bool CheckedText::usable() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const Problem& p) { return p.severity == ProblemSeverity::error; });
}

CheckedText checkText(Document document)
{
    CheckedText checked;
    checked.kind = document.kind();
    checked.problems = document.problems();
    if (document.isWellFormed() && checked.kind == FileKind::plan) {
        auto plan = checkPlan(PlanInput(document));
        if (plan) {
            checked.problems = plan->problems;
            checked.plan = *std::move(plan);
        } else {
            checked.problems.push_back({ ProblemSeverity::error, 0, 0, "", plan.error().message, "" });
        }
    } else if (document.isWellFormed() && checked.kind == FileKind::lab) {
        checked.problems = readLab(document.text(), document.name()).problems;
    }
    checked.document = std::move(document);
    return checked;
}

TextChecker::TextChecker(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kPauseMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &TextChecker::begin);
}

void TextChecker::check(const Document& document, std::function<std::string()> text)
{
    m_document = document;
    m_text = std::move(text);
    m_waiting = true;
    m_timer.start();
}

void TextChecker::checkNow()
{
    if (m_waiting)
        begin();
}

void TextChecker::begin()
{
    m_timer.stop();
    if (m_running) // its end begins the next one
        return;
    m_waiting = false;
    m_running = true;
    m_worker.post(
        [document = m_document, bytes = m_text()]() mutable -> Result<CheckedText> {
            document.replaceText(std::move(bytes));
            return checkText(std::move(document));
        },
        this,
        [this](Result<CheckedText> result) {
            m_running = false;
            if (m_waiting && !m_timer.isActive())
                begin();
            if (result)
                emit checked(*result);
        });
}

} // namespace loadstone::ui
