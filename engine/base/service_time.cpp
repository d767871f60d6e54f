// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/service_time.h"

#include <loadstone/units.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace loadstone {

Result<ServiceTime> ServiceTime::parse(std::string_view text)
{
    const auto wrong = [&](const std::string& why) { return fail("\"" + std::string(text) + "\": " + why); };
    ServiceTime service;
    if (text == "none")
        return service;
    const auto space = text.find(' ');
    const auto shape = text.substr(0, space);
    auto rest = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    if (shape == "constant")
        service.shape = Shape::constant;
    else if (shape == "exponential")
        service.shape = Shape::exponential;
    else if (shape == "lognormal")
        service.shape = Shape::lognormal;
    else
        return wrong("unknown distribution");
    if (service.shape == Shape::lognormal) {
        const auto last = rest.rfind(' ');
        if (last == std::string_view::npos)
            return wrong("mean and sigma are expected");
        const auto sigma = rest.substr(last + 1);
        const auto read = std::from_chars(sigma.data(), sigma.data() + sigma.size(), service.sigma);
        if (read.ec != std::errc() || read.ptr != sigma.data() + sigma.size() || !(service.sigma >= 0)
            || service.sigma > 5)
            return wrong("sigma is a number from 0 to 5");
        rest = rest.substr(0, last);
    }
    const auto mean = parseDuration(rest);
    if (!mean)
        return wrong(mean.error().message);
    if (*mean > std::chrono::hours(1))
        return wrong("the mean is at most 1 h");
    service.meanNs = static_cast<double>(mean->count());
    return service;
}

Nanoseconds ServiceTime::draw(Random& random) const
{
    constexpr double kLongest = 3.6e12;
    double ns = 0;
    switch (shape) {
    case Shape::none:
        break;
    case Shape::constant:
        ns = meanNs;
        break;
    case Shape::exponential:
        ns = random.exponential(meanNs);
        break;
    case Shape::lognormal: // the mean of exp(N(m, s)) is exp(m + s^2 / 2)
        ns = meanNs * std::exp(sigma * random.normal() - sigma * sigma / 2);
        break;
    }
    return Nanoseconds(std::llround(std::min(ns, kLongest)));
}

} // namespace loadstone
