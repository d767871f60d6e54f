// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/score_dialog.h"

#include "banner.h"
#include "format.h"

#include <loadstone/report.h>
#include <loadstone/score.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kFile = QStringLiteral("file");
constexpr std::size_t kColumns = 100;
}

ScoreDialog::ScoreDialog(QWidget* parent)
    : QDialog(parent)
    , m_given(new QLineEdit)
    , m_weights(new QComboBox)
    , m_percentile(new QDoubleSpinBox)
    , m_problem(makeProse())
    , m_result(new QPlainTextEdit)
{
    setWindowTitle(tr("Score of percentiles"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(820, 520);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeProse(tr(
        "The weighted mean of response times that were measured elsewhere, as published reports print them. "
        "The score of a run is on the tab Score of its page.")));
    auto* form = new QFormLayout;
    m_given->setPlaceholderText(QStringLiteral("read=340 ms, send=711 ms"));
    m_given->setClearButtonEnabled(true);
    form->addRow(tr("Res&ponse times:"), m_given);
    for (const std::string& name : shippedWeights())
        m_weights->addItem(text(name), text(name));
    m_weights->addItem(tr("File…"), kFile);
    m_weights->setCurrentIndex(std::max(0, m_weights->findData(QStringLiteral("medium-5.5"))));
    form->addRow(tr("&Weights:"), m_weights);
    m_percentile->setRange(0.1, 100);
    m_percentile->setDecimals(1);
    m_percentile->setValue(95);
    m_percentile->setSuffix(QStringLiteral(" %"));
    form->addRow(tr("P&ercentile:"), m_percentile);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    m_result->setReadOnly(true);
    m_result->setTabChangesFocus(true);
    m_result->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_result->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_result->setAccessibleName(tr("Score"));
    layout->addWidget(m_result, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_given, &QLineEdit::textChanged, this, &ScoreDialog::compute);
    connect(m_percentile, &QDoubleSpinBox::valueChanged, this, &ScoreDialog::compute);
    connect(m_weights, &QComboBox::activated, this, [this] {
        if (m_weights->currentData() == kFile)
            chooseFile();
        compute();
    });
    compute();
}

QString ScoreDialog::result() const
{
    return m_result->toPlainText();
}

void ScoreDialog::chooseFile()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Weights"), {}, tr("Profiles (*.toml);;All files (*)"));
    if (file.isEmpty()) {
        m_weights->setCurrentIndex(0);
        return;
    }
    m_weights->insertItem(0, QFileInfo(file).fileName(), file);
    m_weights->setCurrentIndex(0);
}

void ScoreDialog::compute()
{
    m_result->clear();
    m_problem->clear();
    if (m_given->text().trimmed().isEmpty())
        return;
    ScoreOptions options;
    options.percentile = m_percentile->value();
    options.weights = findWeights(bytes(m_weights->currentData().toString()));
    const auto score = scoreOf(bytes(m_given->text()), options);
    if (score)
        m_result->setPlainText(text(formatScore(*score, kColumns)));
    else
        m_problem->setText(text(score.error().message));
}

} // namespace loadstone::ui
