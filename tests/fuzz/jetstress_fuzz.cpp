// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes are a configuration or are refused with a line, and what is made of one is a document whose kind is storage.

#include "document/node.h"
#include "plan/jetstress/jetstress.h"
#include "plan/model/plan.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto read = plan::readJetstress(text);
    if (!read) {
        const std::string& message = read.error().message;
        require(!message.empty() && message.front() >= '0' && message.front() <= '9'
            && message.find(": ") != std::string::npos);
        return 0;
    }
    const std::string made = plan::writePlan(*read, "fuzz.xml", { { "C:\\", "/c" }, { "d:", "/d/" } });
    const auto document = document::parseDocument(made);
    require(std::holds_alternative<document::Node>(document));
    const auto loaded = plan::parsePlan(made, "fuzz.toml");
    require(loaded.plan.storage() != nullptr);
    // What is wrong with it is what nobody could know: never its form, nor a key that plans do not have.
    require(std::ranges::none_of(
        loaded.problems, [](const Problem& problem) { return problem.message == "this key is unknown"; }));
    return 0;
}
