// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/document.h"
#include "loadstone/number.h"
#include "loadstone/problem.h"
#include "loadstone/quantity.h"
#include "loadstone/result.h"
#include "loadstone/run_kind.h"
#include "loadstone/time.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone {

struct ComparedRun; // compared.h
struct ReportTable; // table.h
enum class Statistic : std::uint8_t; // figure.h

/// How a printed number stands for the exact one.
enum class PrintedAs : std::uint8_t {
    rounded, ///< the exact value is within half a unit of the last digit
    cut, ///< it is within one unit above the printed one
    about, ///< the report says "about": within half a unit of the last digit that is not 0
    atLeast, ///< the report says "more than": a lower bound
    atMost, ///< the report says "less than": an upper bound, which no table compares
};
const char* toString(PrintedAs how); ///< "rounded", "cut", "about", "at least", "at most"

/// A number as a report prints it: "36,589.88", "75%", "1.549GB".
struct PrintedNumber {
    std::string text; ///< as printed
    double value = 0; ///< in the unit of its figure
    double slack = 0; ///< how far the exact value may be from it; see PrintedAs
    int decimals = 0; ///< digits behind the point, as printed
    PrintedAs how = PrintedAs::rounded;
    bool operator==(const PrintedNumber&) const = default;
};
/// Reads a number with commas between thousands, and a unit behind it or not, for a figure with `unit`: "0.25 s" for "ms" is 250. In front
/// of it may stand "about", "more than", "less than", "~", ">" or "<". None of a unit that is not one of the figure's kind; an Error says what would be right. Any thread.
Result<PrintedNumber> parsePrinted(
    std::string_view text, std::string_view unit, PrintedAs how = PrintedAs::rounded);
/// `value` in another unit of the same kind: 250 of "ms" is 0.25 of "s". None: they are not of the same kind.
std::optional<double> inUnit(double value, std::string_view from, std::string_view to);

/// A figure that the report's tables have.
struct ResultFigure {
    std::string id; ///< as columns and rows name it: "processor"
    std::string name; ///< as printed: "% Processor Time"
    std::string group; ///< of rows of a comparison: "Server"; empty: none
    std::string key; ///< of figureTable(): "mail.sent-rate"; empty: it is no figure of Loadstone's
    std::string of; ///< what it is of: the subject's name in figures ("Read message"); empty: all
    std::string counter; ///< `\Processor(_Total)\% Processor Time`, where it is a counter's mean
    std::string computer; ///< of the counter: its name or role, "sut"
    std::string unit; ///< "ms"; empty: a bare number
    std::string counts; ///< "per message", "per recipient"; empty: not said
    std::optional<Statistic> statistic; ///< none: not said
    std::optional<Better> better; ///< none: that of the key or counter, else neither
    PrintedAs how = PrintedAs::rounded;
    std::string source; ///< page or table; empty: that of the table or the file
    int line = 0;
    bool operator==(const ResultFigure&) const = default;
};

/// One system, configuration or host that the report has results of. It becomes a column of a comparison.
struct ResultSystem {
    std::string id;
    std::string name; ///< for people
    std::string lab; ///< a lab's file or the name of a shipped one; empty: none
    std::string variant; ///< of that lab
    std::string client, profile; ///< instead of the file's
    std::string note;
    std::optional<WallTime> from, to; ///< the window by the clock of the report, where it prints that
    std::vector<std::string> invalid; ///< what the report says against the run
    /// Beside those of the file: how often a user does something each day, and what else decides whether figures can be compared.
    std::vector<std::pair<std::string, std::string>> actions, conditions;
    int line = 0;
    bool operator==(const ResultSystem&) const = default;
};

/// One printed figure.
struct ResultValue {
    std::size_t system = 0, figure = 0; ///< indices into ExternalResult::systems and figures
    std::optional<double> load; ///< in ExternalResult::loadUnit; none: of the whole run
    std::string mix; ///< a name, where several are of one load: "final hour"
    std::optional<PrintedNumber> printed; ///< none: the report has no figure there
    std::optional<Statistic> statistic; ///< instead of the figure's
    std::optional<Nanoseconds> window, warmUp; ///< instead of the file's
    std::string source; ///< page or table
    std::string field; ///< "table[0].rows[3].cells[1]", where an edit writes it
    bool operator==(const ResultValue&) const = default;
};

/// A load at which a system was measured, whether or not the report prints a figure of it.
struct ResultPoint {
    std::size_t system = 0;
    double load = 0;
    std::string mix;
    std::optional<bool> passed; ///< by the report's own words; none: it says nothing
    std::string source;
    bool operator==(const ResultPoint&) const = default;
};

/// Tables from paper as runs without ticks: a file of `kind = "result"`.
struct ExternalResult {
    std::string title; ///< of these tables
    std::string report, publisher, date, source; ///< of the publication: title, who, when, where to find it
    std::string tool; ///< that measured: "LoadSim 2003"
    std::optional<RunKind> kind; ///< of the runs; none: not said
    std::string client, profile; ///< "cached", "online"; the load's profile
    std::string note;
    std::string loadUnit; ///< "users"
    std::optional<Nanoseconds> window, warmUp; ///< of each measurement
    std::vector<std::pair<std::string, std::string>> actions,
        conditions; ///< of all systems; see ResultSystem
    std::vector<ResultFigure> figures;
    std::vector<ResultSystem> systems;
    std::vector<ResultPoint> points;
    std::vector<ResultValue> values; ///< in the order of the file; no two of one system, figure, load and mix
    std::filesystem::path file; ///< empty: a text
    std::string revision; ///< digest of the text: 16 hex digits
    /// None: no system has this id.
    [[nodiscard]] std::optional<std::size_t> findSystem(std::string_view id) const;
    [[nodiscard]] std::optional<std::size_t> findFigure(std::string_view id) const;
    /// The value that counts for a system, a figure and a load; nullptr: the report prints none.
    [[nodiscard]] const ResultValue* find(std::string_view system, std::string_view figure,
        std::optional<double> load = {}, std::string_view mix = {}) const;
};

struct CheckedResult {
    ExternalResult result; ///< as far as it could be read
    std::vector<Problem> problems; ///< by line
    [[nodiscard]] bool usable() const; ///< no error among the problems
};

/// Reads and checks a result; all its problems at once. At most 200 systems, 500 figures and 100,000 cells. Any thread.
CheckedResult readResult(const Document& document);
/// The same from a file; an Error only when it cannot be read.
Result<CheckedResult> checkResult(const std::filesystem::path& file);

/// A run for each system, in their order, with a mix for each load.
std::vector<ComparedRun> comparedRuns(const ExternalResult& result);

/// What a CSV file does not say.
struct ResultImport {
    std::string title, report, publisher, date, source, loadUnit;
    std::string system; ///< of tables without one
};
/// Makes the text of a result from a table as CSV (RFC 4180). Long: a line for each figure under the headings system, figure, printed, and
/// any of load, mix, unit, statistic, source. Wide: the first heading is "figure", "load" or "system", and the other columns are
/// systems or figures. An Error names the line, what is wrong and what would be right.
Result<std::string> importResultCsv(std::string_view csv, const std::string& name, const ResultImport& also);
/// The long form, which importResultCsv() reads: texts that a spreadsheet would take for formulas are made harmless.
std::string formatResultCsv(const ExternalResult& result);

/// As a report prints them: a table for each load and name, rows by group, numbers as printed.
std::vector<ReportTable> resultTables(const ExternalResult& result);

/// The results that come with the program, in alphabetical order; see shippedPlans().
std::vector<std::filesystem::path> shippedResults();
/// The file of a result that a person names: a file, or else the name of a shipped one, with or without ".toml".
std::filesystem::path findResult(const std::string& name);

} // namespace loadstone
