// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/document.h"
#include "loadstone/problem.h"
#include "loadstone/result.h"
#include "loadstone/run_kind.h"
#include "loadstone/time.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone {

/// A plan as functions take it: a file that they read, or a document, saved or not, whose text they take as it is. A profile that
/// the plan names is looked for beside its file, then among those that come with the program; a document without a file has the
/// latter alone.
class PlanInput {
public:
    PlanInput() = default;
    template <class T>
    requires std::convertible_to<const T&, std::filesystem::path> PlanInput(const T& file)
        : m_file(file)
    {
    }
    PlanInput(Document document)
        : m_file(document.file())
        , m_document(std::move(document))
    {
    }
    [[nodiscard]] bool empty() const { return m_file.empty() && !m_document; }
    /// Empty: a document that has none.
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    /// Null: the file is read.
    [[nodiscard]] const Document* document() const { return m_document ? &*m_document : nullptr; }
    /// For messages: without the folder.
    [[nodiscard]] std::string name() const
    {
        return m_document ? m_document->name() : m_file.filename().string();
    }

private:
    std::filesystem::path m_file;
    std::optional<Document> m_document;
};

/// What a chooser of plans shows.
struct PlanSummary {
    std::filesystem::path file; ///< empty: a document that is not saved
    RunKind kind = RunKind::mail;
    std::string title;
    std::string description;
    Nanoseconds length {}; ///< all mixes, quiet times and the drain
    std::size_t mixes = 0;
    std::size_t tests = 0; ///< of a storage test, which has them instead of mixes
    std::size_t users = 0; ///< of the largest mix
    std::string target; ///< "embedded target", or "SMTP 10.0.0.5:25, POP3 10.0.0.5:110"
    bool embedded = false; ///< it starts the embedded target, and needs no server
    std::uint64_t diskNeeded =
        0; ///< bytes that a storage test needs on all volumes; 0: none, or the plan has errors
    std::string authorised; ///< the statement that allows load on public addresses
    bool asksPassword = false; ///< RunOptions::password must hold what a person has typed
    std::vector<Problem> problems;
    /// Of a plan with named workloads, for each mix: "Mix 1: readers (8 of 10 threads), senders (2 of 10 threads), at most 0.5 iterations/s".
    std::vector<std::string> workloads;
    std::vector<std::string> notes; ///< not problems, but good to know: what is left out of the profile
    [[nodiscard]] bool runnable() const; ///< no error among the problems
};

/// Reads and checks a plan; all its problems at once. An Error only when the file cannot be read. Touches no server and no
/// volume. Any thread, as all functions here.
Result<PlanSummary> checkPlan(const PlanInput& plan);
/// The files of the plans that come with the program, in alphabetical order: from $LOADSTONE_RESOURCES/plans, else
/// share/loadstone/plans beside the program's bin/, else the source tree. None if there is no such folder.
std::vector<std::filesystem::path> shippedPlans();
/// The file of a plan that a person names: a file, or else the name of a shipped plan, with or without ".toml". The name itself
/// if there is neither.
std::filesystem::path findPlan(const std::string& name);

/// A folder of another machine and the folder that replaces it here: { "C:\\ExchangeVols", "/mnt" }.
using FolderMapping = std::pair<std::string, std::string>;
/// Makes the text of a storage plan from a Jetstress configuration (XML, at most 1 MB), with a comment for each setting that has no
/// counterpart. Folders without a mapping begin with /CHANGE-ME, which checkPlan() reports. An Error says file and line of what is wrong.
Result<std::string> importJetstress(
    const std::filesystem::path& file, const std::vector<FolderMapping>& folders);

} // namespace loadstone
