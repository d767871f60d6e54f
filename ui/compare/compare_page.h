// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/view/chosen_column.h"
#include "compare/view/compare_words.h"
#include "pages/page.h"

class QActionGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace loadstone::ui {

class Banner;
class BarsTab;
class CompareExporter;
class CompareTab;
class ComparisonFeed;
class ConfigurationTab;
class CurvesTab;
class HistoryStore;
class OverlayTab;
class QuantileTab;
class TableTab;

/// Runs, cases of studies and published results side by side: the table of their figures, pictures, and in what their configurations
/// differ. Everything is computed on a thread of its own, and again when the history says that a run has changed.
class ComparePage : public Page {
    Q_OBJECT
public:
    /// `history`: the folder; `store`: the window's list of runs.
    ComparePage(HistoryStore& store, const std::filesystem::path& history, QWidget* parent = nullptr);
    ~ComparePage() override;

    /// `options`: instead of the present ones.
    void setColumns(
        std::vector<ChosenColumn> columns, const std::optional<CompareOptions>& options = std::nullopt);
    /// Those that are there already are left out.
    void addColumns(const std::vector<ChosenColumn>& columns);
    [[nodiscard]] const CompareQuery& query() const;
    [[nodiscard]] const std::shared_ptr<const CompareView>& view() const { return m_view; }
    [[nodiscard]] TableTab* tableTab() const { return m_table; }
    [[nodiscard]] CurvesTab* curvesTab() const { return m_curves; }
    [[nodiscard]] BarsTab* barsTab() const { return m_bars; }
    [[nodiscard]] OverlayTab* overlayTab() const { return m_overlay; }
    [[nodiscard]] QuantileTab* quantileTab() const { return m_quantiles; }
    [[nodiscard]] ConfigurationTab* configurationTab() const { return m_configuration; }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }
    [[nodiscard]] ComparisonFeed* feed() const { return m_feed; }
    [[nodiscard]] CompareExporter* exporter() const { return m_exporter; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString titleDetail() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("comparing"); }
    [[nodiscard]] bool canClose() const override { return true; }
    [[nodiscard]] bool takesDrop(const QMimeData& dropped) const override;
    void takeDrop(const QMimeData& dropped) override;
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void compared(); ///< another view is shown
    void openWanted(const loadstone::RunId& id);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeActions();
    QWidget* makeBar();
    void layOut();
    void take(std::shared_ptr<const CompareView> view);
    void sayWhatIsWrong();
    void ask(const CompareQuery& query);
    void moveColumn(int from, int to);
    void removeColumn(int column);
    /// The places in the query of what column `column` of the table shows.
    [[nodiscard]] std::vector<std::size_t> partsOf(int column) const;
    void setBaseline(int column);
    void addRuns();
    void addResult();
    void addStudy();
    void updateFilter();
    void addFiles(const QStringList& files);

    HistoryStore& m_store;
    ComparisonFeed* m_feed;
    CompareExporter* m_exporter;
    std::shared_ptr<const CompareView> m_view;
    std::optional<CompareQuery> m_before; ///< the last one that could be compared
    QStackedWidget* m_stack;
    QTabWidget* m_tabs;
    TableTab* m_table;
    CurvesTab* m_curves;
    BarsTab* m_bars;
    OverlayTab* m_overlay;
    QuantileTab* m_quantiles;
    ConfigurationTab* m_configuration;
    QList<CompareTab*> m_all;
    Banner *m_reasons, *m_warnings;
    QLabel* m_empty;
    QLineEdit* m_search;
    QComboBox *m_show, *m_difference, *m_match;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QAction *m_addRuns {}, *m_addResult {}, *m_addStudy {}, *m_copy {}, *m_group {}, *m_details {},
        *m_anyway {}, *m_find {};
};

} // namespace loadstone::ui
