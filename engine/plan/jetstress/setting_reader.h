// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/jetstress/xml_tree.h"

#include <loadstone/time.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace loadstone::plan {

/// A value of an XML document with its place.
struct Setting {
    std::string name, value;
    int line = 0;
};

/// Reads values by type and range, keeps the first thing that is wrong, and knows which elements were asked for. What gets no
/// value gives none.
class SettingReader {
public:
    /// The text of a child element, which counts as used; nothing where it is not there or empty.
    std::optional<Setting> take(const XmlElement* parent, std::string_view name);
    static std::optional<Setting> attribute(const XmlElement& element, std::string_view name);
    void use(const XmlElement* element) { m_used.insert(element); }
    [[nodiscard]] bool used(const XmlElement& element) const { return m_used.count(&element) != 0; }

    std::optional<double> decimal(const std::optional<Setting>& setting, double least, double most);
    std::optional<unsigned> whole(const std::optional<Setting>& setting, unsigned least, unsigned most);
    /// true, false, 1 or 0.
    bool flag(const std::optional<Setting>& setting, bool otherwise);
    /// To an hour.
    std::optional<Nanoseconds> milliseconds(const std::optional<Setting>& setting);
    /// Of ISO 8601, as in P0Y0M0DT2H0M0S, a second to 30 days. Years have 365 days here, and months 30.
    std::optional<Nanoseconds> isoDuration(const std::optional<Setting>& setting);

    void wrong(int line, const std::string& what);
    /// "12: ThreadCount: ..."; empty: nothing was.
    [[nodiscard]] const std::string& wrong() const { return m_wrong; }

private:
    std::set<const XmlElement*> m_used;
    std::string m_wrong;
};

} // namespace loadstone::plan
