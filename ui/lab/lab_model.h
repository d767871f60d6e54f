// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forms/document_model.h"
#include "forms/key_words.h"

#include <loadstone/lab.h>

namespace loadstone::ui {

/// A lab file that is being edited: its document, and the lab that it describes. GUI thread only.
class LabModel : public DocumentModel {
    Q_OBJECT
public:
    explicit LabModel(Document document, QObject* parent = nullptr);

    /// With the chosen variant applied.
    [[nodiscard]] const Lab& lab() const { return m_checked.lab; }
    /// Of the syntax, the keys and the lab, by line.
    [[nodiscard]] const std::vector<Problem>& problems() const override { return m_checked.problems; }
    [[nodiscard]] const std::string& variant() const { return m_variant; }
    /// Empty: the lab as it stands.
    void setVariant(const std::string& id);
    /// Forms and trees write the lab as it stands: a variant, or a text that is not TOML, is edited as a text.
    [[nodiscard]] bool isEditable() const override
    {
        return m_variant.empty() && DocumentModel::isEditable();
    }

protected:
    void read() override;

private:
    LabReader m_reader;
    CheckedLab m_checked;
    std::string m_variant;
};

/// The properties of a kind in the order of forms: those of all kinds that describe what an item is, then the kind's own. Without the
/// keys that a page shows elsewhere (id, kind, in, count, place, tables).
std::vector<const KeyRow*> propertyRows(ItemKind kind);

} // namespace loadstone::ui
