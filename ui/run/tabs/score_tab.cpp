// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/score_tab.h"

#include "banner.h"
#include "format.h"
#include "run/tabs/assessment_tables.h"
#include "tables/data_table.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

const QString kPercentile = QStringLiteral("score/percentile"), kWeights = QStringLiteral("score/weights"),
              kColumns = QStringLiteral("columns/score");
const QString kSuggested = QStringLiteral("medium-5.5"); // the profile that LsLog's own were nearest to

/// "95 %", not "95.0 %".
class PercentileBox : public QDoubleSpinBox {
public:
    [[nodiscard]] QString textFromValue(double value) const override
    {
        return QString::number(value, 'g', 6);
    }
};

} // namespace

ScoreTab::ScoreTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<FiguresRow>(scoreColumns(m_percentile), this))
    , m_percentileBox(new PercentileBox)
    , m_weights(new QComboBox)
    , m_result(new QWidget)
    , m_score(new QLabel)
    , m_how(makeProse())
    , m_problem(new Banner)
    , m_empty(new QWidget)
    , m_table(new DataTable)
{
    m_percentileBox->setRange(0.1, 100);
    m_percentileBox->setDecimals(1);
    m_percentileBox->setValue(m_percentile);
    m_percentileBox->setSuffix(QStringLiteral(" %"));
    m_percentileBox->setKeyboardTracking(false);
    m_percentileBox->setAccessibleName(tr("Percentile of the score"));
    m_weights->setAccessibleName(tr("Weights of the score"));
    m_weights->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_weights->addItem(tr("The run's profile"), QString());
    for (const std::string& name : shippedWeights())
        m_weights->addItem(text(name), text(name));
    auto* file = new QPushButton(tr("File…"));
    file->setToolTip(tr("Weights from a profile or a file with a [score] table"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* row = new QHBoxLayout;
    const auto add = [&](const QString& words, QWidget* field) {
        auto* label = new QLabel(words);
        label->setBuddy(field);
        row->addWidget(label);
        row->addWidget(field);
        row->addSpacing(8);
    };
    add(tr("Percentile:"), m_percentileBox);
    add(tr("Weights:"), m_weights);
    row->addWidget(file);
    row->addStretch(1);
    layout->addLayout(row);

    m_score->setWordWrap(true);
    m_score->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_problem);

    auto* empty = new QVBoxLayout(m_empty);
    empty->setContentsMargins(0, 0, 0, 0);
    empty->addWidget(
        makeProse(tr("The plan has no profile, so there are no score weights. Choose the weights of a "
                     "shipped profile above, or a file of your own.")));
    auto* suggest = new QPushButton(tr("Use the weights of %1").arg(kSuggested));
    empty->addWidget(suggest, 0, Qt::AlignLeft);
    empty->addStretch(1);
    layout->addWidget(m_empty, 1);
    m_table->setSource(m_rows);
    m_table->freezeFirstColumn();
    m_table->setAccessibleName(tr("Score by action"));
    auto* words = new QVBoxLayout;
    words->addWidget(m_score);
    m_how->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words->addWidget(m_how);
    words->addStretch();
    auto* result = new QHBoxLayout(m_result);
    result->setContentsMargins(0, 0, 0, 0);
    result->setSpacing(16);
    result->addLayout(words, 2);
    result->addWidget(m_table, 3);
    layout->addWidget(m_result, 1);
    layout->addStretch(); // where neither is shown
    for (QWidget* widget : { static_cast<QWidget*>(m_problem), m_empty })
        widget->hide();

    connect(m_percentileBox, &QDoubleSpinBox::valueChanged, this, &ScoreTab::queryChanged);
    connect(m_weights, &QComboBox::currentIndexChanged, this, &ScoreTab::queryChanged);
    connect(file, &QPushButton::clicked, this, &ScoreTab::openWeights);
    connect(suggest, &QPushButton::clicked, this, [this] { chooseWeights(kSuggested); });
}

ScoreQuery ScoreTab::query() const
{
    return { m_percentileBox->value(), bytes(m_weights->currentData().toString()) };
}

void ScoreTab::chooseWeights(const QString& name)
{
    if (m_weights->findData(name) < 0) {
        m_weights->addItem(QFileInfo(name).fileName(), name);
        m_weights->setItemData(m_weights->count() - 1, name, Qt::ToolTipRole);
    }
    m_weights->setCurrentIndex(m_weights->findData(name));
}

void ScoreTab::openWeights()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Open weights"),
        QFileInfo(m_weights->currentData().toString()).path(), tr("Profiles (*.toml);;All files (*)"));
    if (!file.isEmpty())
        chooseWeights(file);
}

void ScoreTab::show(const RunView& view)
{
    if (!view.score)
        return; // it was not asked for: another tab is in front
    const ScoreView& shown = *view.score;
    m_empty->setVisible(shown.noWeights);
    m_problem->setVisible(!shown.problem.empty());
    m_problem->say(text(shown.problem));
    m_result->setVisible(shown.score.has_value());
    if (shown.score)
        showScore(*shown.score);
    else
        m_rows->setRows({});
}

void ScoreTab::showScore(const Score& score)
{
    if (m_percentile != score.percentile) {
        m_percentile = score.percentile;
        m_rows->setColumns(scoreColumns(m_percentile));
    }
    m_rows->setRows(scoreRows(score));
    const auto all = static_cast<std::size_t>(std::count_if(
        score.rows.begin(), score.rows.end(), [](const ScoreRow& row) { return row.weight > 0; }));
    const bool partial = score.happened() < all;
    // Large is only what weighs all actions: anything else is no figure to quote.
    QFont large = font();
    if (!partial) {
        large.setPointSizeF(large.pointSizeF() * 1.8);
        large.setBold(true);
    }
    m_score->setFont(large);
    const std::vector<Figure> figures = figuresOf(score);
    const QString figure = figureText(findFigure(figures, "score.value"));
    if (!score.value)
        m_score->setText(tr("No score"));
    else if (partial)
        m_score->setText(tr("Partial score %1 ms: %2 of %3 actions happened, %4 % of the weights")
                             .arg(figure)
                             .arg(score.happened())
                             .arg(all)
                             .arg(std::lround(100 * score.shareOfWeights())));
    else
        m_score->setText(tr("Score %1 ms").arg(figure));
    const QString formula = score.value ? tr("The weighted mean of the %1 response times: the sum of weight "
                                             "× percentile over the sum of weights, of "
                                             "the actions that happened.")
                                              .arg(formatPercentile(score.percentile))
                                        : tr("Nothing that has a weight happened within this window.");
    m_how->setText(formula + QLatin1Char('\n')
        + tr("Weights: %1. They approximate those of LsLog, which were never published; scores compare only "
             "under the "
             "same weights.")
              .arg(text(score.weightsFrom)));
}

void ScoreTab::saveTo(QSettings& settings) const
{
    settings.setValue(kPercentile, m_percentileBox->value());
    settings.setValue(kWeights, m_weights->currentData().toString());
    m_table->saveColumns(settings, kColumns);
}

void ScoreTab::restoreFrom(const QSettings& settings)
{
    m_percentileBox->setValue(settings.value(kPercentile, m_percentile).toDouble());
    const QString weights = settings.value(kWeights).toString();
    if (m_weights->findData(weights) >= 0 || QFileInfo::exists(weights)) // a file may have gone
        chooseWeights(weights);
    m_table->restoreColumns(settings, kColumns);
}

} // namespace loadstone::ui
