// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_groups.h"
#include "counters/proc_file.h"
#include "counters/proc_text.h"

namespace loadstone::counters {

namespace {

constexpr std::size_t kMaxInterfaces = 32;
constexpr std::size_t kPerInterface = 4;
constexpr std::size_t kTcp = 5;

/// Interfaces that are down cannot carry load; loopback does, where server and generator share a machine.
bool isUp(const KernelFolders& folders, const std::string& name)
{
    ProcFile state(folders.sys / "class/net" / name / "operstate");
    return !state.read().starts_with("down");
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

class NetworkCounters final : public CounterSource {
public:
    explicit NetworkCounters(const KernelFolders& folders)
        // Of this network namespace, not of the one of whoever mounted /proc.
        : m_devices(folders.proc / "self/net/dev")
        , m_snmp(folders.proc / "self/net/snmp")
        , m_netstat(folders.proc / "self/net/netstat")
        , m_sockstat(folders.proc / "self/net/sockstat")
    {
        for (std::string& name : interfaceNames(m_devices.read()))
            if (m_interfaces.size() < kMaxInterfaces && isUp(folders, name))
                m_interfaces.emplace_back(std::move(name));
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        const char* object = "Network Interface";
        for (const Interface& one : m_interfaces) {
            all.push_back(describe(object, one.name(), "Bytes Received/sec", "bytes/s",
                "Bytes received, link headers included (/proc/net/dev)."));
            all.push_back(describe(object, one.name(), "Bytes Sent/sec", "bytes/s",
                "Bytes sent, link headers included (/proc/net/dev)."));
            all.push_back(describe(object, one.name(), "Bytes Total/sec", "bytes/s",
                "Bytes received and sent (/proc/net/dev)."));
            all.push_back(describe(object, one.name(), "Packets/sec", "/s",
                "Packets received and sent (/proc/net/dev).",
                "packets as the driver hands them over, before splitting"));
        }
        const char* tcp = "TCPv4";
        const char* both = "over IPv4 and IPv6 together, as the kernel counts";
        all.push_back(describe(tcp, "", "Connections Established", "connections",
            "Connections open at the moment of the sample (/proc/net/snmp: CurrEstab).", both));
        all.push_back(describe(tcp, "", "Connections In TIME_WAIT", "connections",
            "Closed connections whose ports are still held (/proc/net/sockstat: tw).", both));
        all.push_back(describe(tcp, "", "Segments Retransmitted/sec", "/s",
            "Segments sent once more because no acknowledgement came (/proc/net/snmp: RetransSegs).", both));
        all.push_back(describe(tcp, "", "Connections Refused/sec", "/s",
            "Attempts to connect that failed, in either direction (/proc/net/snmp: AttemptFails).", both));
        all.push_back(describe(tcp, "", "Listen Drops/sec", "/s",
            "Connections that a listening program lost because its queue was full (/proc/net/netstat: "
            "ListenDrops).",
            both));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        const std::string_view devices = m_devices.read();
        for (Interface& one : m_interfaces) {
            one.sample(devices, passed, values.first(kPerInterface));
            values = values.subspan(kPerInterface);
        }
        const std::span<double> tcp = values.first(kTcp);
        const std::string_view snmp = m_snmp.read();
        tcp[0] = snmpValue(snmp, "Tcp:", "CurrEstab");
        tcp[1] = sockstatValue(m_sockstat.read(), "TCP:", "tw");
        tcp[2] = m_retransmitted(snmpValue(snmp, "Tcp:", "RetransSegs")) / passed;
        tcp[3] = m_refused(snmpValue(snmp, "Tcp:", "AttemptFails")) / passed;
        tcp[4] = m_dropped(snmpValue(m_netstat.read(), "TcpExt:", "ListenDrops")) / passed;
    }

private:
    ProcFile m_devices, m_snmp, m_netstat, m_sockstat;
    Stopwatch m_watch;
    std::vector<Interface> m_interfaces;
    Growth m_retransmitted, m_refused, m_dropped;
};

} // namespace

std::unique_ptr<CounterSource> makeNetworkCounters(const KernelFolders& folders)
{
    return std::make_unique<NetworkCounters>(folders);
}

} // namespace loadstone::counters
