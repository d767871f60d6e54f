// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace loadstone::mail {

/// A worker's executor by its own type: a type-erased one is copied several times in each operation of the load path.
using Executor = boost::asio::io_context::executor_type;

/// A coroutine on a worker's thread.
template <class T>
using Task = boost::asio::awaitable<T, Executor>;

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;

/// `co_await operation(..., kTuple)` gives a tuple that begins with the error code. Deferred: with use_awaitable each
/// operation would be a coroutine of its own, which a reply would pay for.
inline constexpr boost::asio::as_tuple_t<boost::asio::deferred_t> kTuple(boost::asio::deferred);

} // namespace loadstone::mail
