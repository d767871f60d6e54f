// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/fields_bar.h"

#include "format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace loadstone::ui {

QString htmlOf(const std::vector<ReportTable>& tables)
{
    QString html;
    for (const ReportTable& table : tables) {
        html += QStringLiteral("<h3>%1</h3><table border=\"1\" cellspacing=\"0\" cellpadding=\"4\"><tr>")
                    .arg(text(table.title).toHtmlEscaped());
        for (const ReportColumn& column : table.columns)
            html += QStringLiteral("<th align=\"%1\">%2</th>")
                        .arg(column.number ? QStringLiteral("right") : QStringLiteral("left"),
                            text(column.heading).toHtmlEscaped());
        html += QStringLiteral("</tr>");
        for (const auto& row : table.rows) {
            html += QStringLiteral("<tr>");
            for (std::size_t i = 0; i < row.size(); ++i)
                html += QStringLiteral("<td align=\"%1\">%2</td>")
                            .arg(i < table.columns.size() && table.columns[i].number ? QStringLiteral("right")
                                                                                     : QStringLiteral("left"),
                                text(row[i].text())
                                    .toHtmlEscaped()
                                    .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
            html += QStringLiteral("</tr>");
        }
        html += QStringLiteral("</table>");
        if (!table.note.empty())
            html += QStringLiteral("<p>%1</p>").arg(text(table.note).toHtmlEscaped());
    }
    return html;
}

FieldsBar::FieldsBar(LabModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_report(new QComboBox)
    , m_fields(new QToolButton)
    , m_menu(new QMenu(this))
{
    for (const LabReport report : { LabReport::storage, LabReport::mail, LabReport::virtualisation })
        m_report->addItem(text(toString(report)), static_cast<int>(report));
    m_report->setAccessibleName(tr("Report whose fields are counted"));
    m_report->setToolTip(tr("Published reports of this kind name the fields that are counted."));
    m_fields->setPopupMode(QToolButton::InstantPopup);
    m_fields->setMenu(m_menu);
    m_fields->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fields);
    layout->addWidget(m_report);
    layout->addStretch();
    connect(m_report, &QComboBox::currentIndexChanged, this, &FieldsBar::follow);
    connect(&m_model, &LabModel::changed, this, &FieldsBar::follow);
    connect(m_menu, &QMenu::aboutToShow, this, &FieldsBar::fill);
    follow();
}

LabReport FieldsBar::report() const
{
    return static_cast<LabReport>(m_report->currentData().toInt());
}

QString FieldsBar::words() const
{
    return m_fields->text();
}

void FieldsBar::follow()
{
    m_fields->setText(text(labFieldsText(m_model.lab(), report())));
    m_fields->setToolTip(tr("The fields that are empty; a click leads there"));
}

void FieldsBar::fill()
{
    m_menu->clear();
    for (const LabField& field : labFields(m_model.lab(), report())) {
        if (field.filled())
            continue;
        const QString words = field.state == LabFieldState::noItem
            ? tr("%1: there are no %2").arg(text(field.field), text(field.where))
            : tr("%1 (%2)").arg(text(field.field), text(field.item));
        m_menu->addAction(QString(words).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
            [this, item = field.item, key = field.key] { emit wanted(item, key); });
    }
    if (m_menu->isEmpty())
        m_menu->addAction(tr("All fields are filled."))->setEnabled(false);
}

} // namespace loadstone::ui
