// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/row_value.h"
#include "lab/draft.h"
#include "lab/items.h"
#include "lab/reading.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::lab {

/// What cannot be: ids that occur twice, containers and ends of links that do not exist or do not fit, circles. Errors.
void checkStructure(const Draft& draft, LabProblems& findings);

/// Sums that do not add up, as warnings that name the lines and both numbers. A printed number stands for all that round to it, and a
/// size for both readings of its unit (1000 and 1024). `draft` has no errors of structure.
void checkSums(const Draft& draft, LabProblems& findings);

// Parts of checkSums(), by what they look at.
void checkSpace(
    const Draft& draft, const Items& items, LabProblems& findings); ///< drives, pools, volumes, file systems
void checkMachines(const Draft& draft, const Items& items, LabProblems& findings); ///< modules, cores
void checkPorts(
    const Draft& draft, const Items& items, LabProblems& findings); ///< links against ports and their speed
void checkUsers(
    const Draft& draft, const Items& items, LabProblems& findings); ///< generators, users, mailboxes

/// All values that a printed number may stand for: up to two stretches, one for each reading of a size's unit. A number may have been
/// cut in place of rounded, so that it stands for up to a whole unit of its last digit more.
struct Span {
    double least = 0, most = 0;
    double exact = 0; ///< the number as it is printed
};
class Amount {
public:
    Amount() = default;
    explicit Amount(double exact)
        : m_spans { { exact, exact, exact } }
    {
    }
    /// Of a property; nothing when it is absent, not disclosed or no number.
    static std::optional<Amount> of(const LabItem& item, std::string_view key);
    /// The same for what is never rounded, such as the size of a memory module.
    static std::optional<Amount> exactly(const LabItem& item, std::string_view key);

    [[nodiscard]] Amount times(double factor) const;
    [[nodiscard]] Amount times(const Amount& factor) const;
    /// 70 of 70 %; nothing when `whole` may be 0.
    [[nodiscard]] std::optional<Amount> shareOf(const Amount& whole) const;
    [[nodiscard]] Amount plus(const Amount& other) const;
    /// Whether both may stand for one value, in any of their readings.
    [[nodiscard]] bool agreesWith(const Amount& other) const;
    /// Whether this one may stand for as much as the other or less, when both are read the same way.
    [[nodiscard]] bool mayBeAtMost(const Amount& other) const;
    /// As printed, in its first reading.
    [[nodiscard]] double value() const { return m_spans.front().exact; }

private:
    template <class Combine>
    [[nodiscard]] Amount combined(const Amount& other, Combine combine) const;

    std::vector<Span> m_spans { { 0, 0, 0 } }; ///< one, or first the decimal and then the binary reading
};

/// "43.2 TB" in steps of 1000, or "16 GiB" in steps of 1024.
std::string sizeText(double bytes, document::ByteSteps steps = document::ByteSteps::decimal);
/// "83,300", without a fraction where there is none.
std::string countText(double count);
/// "24 x 600 GB (sas1, line 12)"; without a key "24 x sas1 (line 12)".
std::string termOf(const LabItem& item, std::string_view key, double count);
/// "1 + 2 + 3 and 4 more"
class Terms {
public:
    void add(std::string term);
    [[nodiscard]] std::string text() const;

private:
    std::string m_text;
    std::size_t m_number = 0;
};

} // namespace loadstone::lab
