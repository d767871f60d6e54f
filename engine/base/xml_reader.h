// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone {

/// What a document from elsewhere may have at most; more is refused before it is kept.
struct XmlLimits {
    std::size_t bytes = 1U << 20; ///< of the document
    std::size_t depth = 32; ///< of elements within each other
    std::size_t elements = 10'000;
    std::size_t attributes = 100; ///< of one element
};

/// How names are given to the handler.
enum class XmlNames {
    asWritten, ///< "d:href"
    expanded, ///< with the namespace's name before a bar: "DAV:|href"
};

using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>; ///< name and value

/// Receives what readXml() finds in a document, in its order, on the caller's thread. Views are valid during the call.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void begin(std::string_view name, const XmlAttributes& attributes, int line) = 0; ///< line from 1
    virtual void text(std::string_view part) = 0; ///< within an element; one text may come in several parts
    virtual void end() = 0; ///< of the innermost element

protected:
    /// Ends the reading: no call follows. `why` completes "the document …": "has more than 100 resources".
    void refuse(std::string why)
    {
        if (!m_refusal)
            m_refusal = std::move(why);
    }

private:
    friend class XmlReading;
    std::optional<std::string> m_refusal;
};

/// Why a document was not read.
struct XmlFailure {
    int line = 0; ///< from 1; 0: the document as a whole
    std::string why; ///< completes "the document …": "is not well-formed XML: mismatched tag"
};

/// Reads a document that may be hostile and reports its parts to `handler`. Gives nothing when it was read to its end.
/// Refused: what is not well-formed, what is above `limits`, what the handler refuses, and each document with a type
/// declaration, for that is where entities come from, which can grow without end (RFC 4918, 20.6).
std::optional<XmlFailure> readXml(
    std::string_view document, const XmlLimits& limits, XmlNames names, XmlHandler& handler);

} // namespace loadstone
