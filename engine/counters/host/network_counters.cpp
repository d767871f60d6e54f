// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_part.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

namespace loadstone::counters {

namespace {

constexpr std::size_t kMaxInterfaces = 32;
constexpr std::size_t kPerInterface = 4;
constexpr std::size_t kTcp = 5;

/// Interfaces that are down cannot carry load; loopback does, where server and generator share a machine.
bool isUp(const KernelSnapshot& kernel, const std::string& name)
{
    return !kernel.text("/sys/class/net/" + name + "/operstate").starts_with("down");
}

class Interface {
public:
    explicit Interface(std::string name)
        : m_name(std::move(name))
    {
    }
    [[nodiscard]] const std::string& name() const { return m_name; }

    void sample(std::string_view text, double passed, std::span<double> values)
    {
        const InterfaceStats now = parseInterface(text, m_name);
        const double received = m_received(now.bytesReceived), sent = m_sent(now.bytesSent);
        values[0] = received / passed;
        values[1] = sent / passed;
        values[2] = (received + sent) / passed;
        values[3] = (m_packetsReceived(now.packetsReceived) + m_packetsSent(now.packetsSent)) / passed;
    }

private:
    std::string m_name;
    Growth m_received, m_sent, m_packetsReceived, m_packetsSent;
};

class NetworkCounters final : public HostPart {
public:
    explicit NetworkCounters(const KernelSnapshot& first)
    {
        for (std::string& name : interfaceNames(first.text("/proc/self/net/dev")))
            if (m_interfaces.size() < kMaxInterfaces && isUp(first, name))
                m_interfaces.emplace_back(std::move(name));
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        using enum Quantity;
        std::vector<CounterInfo> all;
        for (const Interface& one : m_interfaces)
            for (const Quantity quantity :
                { networkBytesReceived, networkBytesSent, networkBytes, networkPackets })
                all.push_back(counterOf({ quantity, Subject::ofDevice(one.name()) }));
        for (const Quantity quantity :
            { tcpConnections, tcpTimeWait, tcpRetransmitted, tcpRefused, listenDrops })
            all.push_back(counterOf(quantity));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        const std::string_view devices = kernel.text("/proc/self/net/dev");
        for (Interface& one : m_interfaces) {
            one.sample(devices, passed, values.first(kPerInterface));
            values = values.subspan(kPerInterface);
        }
        const std::span<double> tcp = values.first(kTcp);
        const std::string_view snmp = kernel.text("/proc/self/net/snmp");
        tcp[0] = snmpValue(snmp, "Tcp:", "CurrEstab");
        tcp[1] = sockstatValue(kernel.text("/proc/self/net/sockstat"), "TCP:", "tw");
        tcp[2] = m_retransmitted(snmpValue(snmp, "Tcp:", "RetransSegs")) / passed;
        tcp[3] = m_refused(snmpValue(snmp, "Tcp:", "AttemptFails")) / passed;
        tcp[4] =
            m_dropped(snmpValue(kernel.text("/proc/self/net/netstat"), "TcpExt:", "ListenDrops")) / passed;
    }

private:
    Stopwatch m_watch;
    std::vector<Interface> m_interfaces;
    Growth m_retransmitted, m_refused, m_dropped;
};

} // namespace

std::unique_ptr<HostPart> makeNetworkCounters(const KernelSnapshot& first, const HostChoice& /*choice*/)
{
    return std::make_unique<NetworkCounters>(first);
}

} // namespace loadstone::counters
