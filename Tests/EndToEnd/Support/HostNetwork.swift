import Glibc
import PostgresServer

/// Several hosts of one machine: network namespaces, each joined to this machine by cables that a test can pull.
///
/// The tests, PostgreSQL and the provider stay outside. Hosts reach PostgreSQL at an address of its own. They reach the
/// provider at 127.0.0.1, as only there a daemon takes one without TLS.
struct HostNetwork: Sendable {
    /// The peer that a host reaches over a cable of its own.
    enum Cable: String, CaseIterable { case clients, database, provider }

    /// The packets that a pulled cable loses.
    enum Way {
        case both
        /// What the host sends arrives, and what it is answered is lost.
        case towardsHost
    }

    /// One of the hosts.
    struct Host: Sendable {
        let namespace: String
        /// Where clients reach it.
        let address: String

        /// The words before a command that is to run there.
        var entry: [String] { ["ip", "netns", "exec", namespace] }
    }

    let hosts: [Host]
    private let name = Self.prefix + String(getpid(), radix: 36)
    /// The third byte of the first cable's addresses, which are those of a test network (RFC 2544).
    private let subnet = 3 * UInt8.random(in: 0..<80)

    /// Namespaces and interfaces are called so and by the process, in at most 15 characters.
    private static let prefix = "vst"

    private init(count: Int) {
        let (name, subnet) = (name, subnet)
        hosts = (0..<count).map { Host(namespace: "\(name)-\($0)", address: "198.18.\(subnet).\(11 + $0)") }
    }

    /// Runs `body` with hosts that can reach all their peers.
    ///
    /// All of them are removed afterwards, also when it fails. What a killed process left is removed by the next one.
    static func use(count: Int = 3, _ body: (HostNetwork) async throws -> Void) async throws {
        let network = HostNetwork(count: count)
        try await removeAll()
        do {
            try await network.make()
            try await body(network)
        } catch {
            try? await removeAll()
            throw error
        }
        try await removeAll()
    }

    /// The address of a peer on its side of the hosts' cables.
    func address(_ cable: Cable) -> String { address(cable, 1) }

    /// The address of a host on one of its cables.
    func address(_ cable: Cable, of host: Int) -> String { address(cable, 11 + host) }

    /// Pulls a cable of a host: packets are lost, and nobody is told.
    ///
    /// Packets of one way go to a hardware address that nobody has. A blackhole route would tell the sender, and a
    /// kernel with `rp_filter` would drop the other way's packets too.
    func cut(_ cable: Cable, of host: Int, _ way: Way = .both) async throws {
        switch way {
        case .both: try await Self.ip(["link", "set", "dev", port(cable, host), "down"])
        case .towardsHost:
            let entry = [address(cable, of: host), "lladdr", "02:00:00:00:00:01", "dev", bridge(cable)]
            try await Self.ip(["neigh", "replace"] + entry + ["nud", "permanent"])
        }
    }

    /// Ends ``cut(_:of:_:)``.
    func mend(_ cable: Cable, of host: Int, _ way: Way = .both) async throws {
        switch way {
        case .both: try await Self.ip(["link", "set", "dev", port(cable, host), "up"])
        case .towardsHost: try await Self.ip(["neigh", "del", address(cable, of: host), "dev", bridge(cable)])
        }
    }

    private func address(_ cable: Cable, _ number: Int) -> String {
        "198.18.\(Int(subnet) + cable.number).\(number)"
    }

    private func bridge(_ cable: Cable) -> String { "\(name)-\(cable.letter)" }

    /// This machine's end of a cable.
    private func port(_ cable: Cable, _ host: Int) -> String { "\(name)-\(cable.letter)\(host)" }

    private func make() async throws {
        var commands: [String] = []
        for cable in Cable.allCases {
            let bridge = bridge(cable)
            commands += [
                // Without an address of its own it would have a cable's, and another one once that is pulled.
                "link add \(bridge) address 02:00:00:00:01:0\(cable.number) type bridge",
                "addr add \(address(cable))/24 dev \(bridge)", "link set dev \(bridge) up",
            ]
        }
        for (number, host) in hosts.enumerated() {
            commands.append("netns add \(host.namespace)")
            for cable in Cable.allCases {
                let port = port(cable, number)
                commands += [
                    "link add \(port) type veth peer name \(cable) netns \(host.namespace)",
                    "link set dev \(port) master \(bridge(cable)) up",
                ]
            }
        }
        try await Self.ip(["-batch", "-"], commands)
        try await Self.allowLoopback(on: bridge(.provider), by: "sh", [])
        for number in hosts.indices { try await connect(number) }
    }

    /// Gives a host its addresses, and the way to the provider in the place of a loopback of its own.
    private func connect(_ number: Int) async throws {
        let namespace = hosts[number].namespace
        var commands = Cable.allCases.flatMap { cable in
            ["addr add \(address(cable, of: number))/24 dev \(cable)", "link set dev \(cable) up"]
        }
        commands.append("route add 127.0.0.1/32 dev \(Cable.provider) src \(address(.provider, of: number))")
        try await Self.ip(["-n", namespace, "-batch", "-"], commands)
        try await Self.allowLoopback(on: "\(Cable.provider)", by: "ip", ["netns", "exec", namespace, "sh"])
    }

    /// Lets an interface carry packets of 127.0.0.1.
    private static func allowLoopback(on interface: String, by program: String, _ words: [String]) async throws {
        let command = "echo 1 >/proc/sys/net/ipv4/conf/\(interface)/route_localnet"
        let run = try await CommandRun.run(program, words + ["-c", command], within: .seconds(20))
        guard run.code == 0 else { throw ExpectationError("\(run)") }
    }

    @discardableResult
    private static func ip(_ words: [String], _ commands: [String] = []) async throws -> String {
        let input = commands.map { $0 + "\n" }.joined()
        let run = try await CommandRun.run("ip", words, input: input, within: .seconds(20))
        guard run.code == 0 else { throw ExpectationError("\(run)") }
        return run.output
    }
}

extension HostNetwork.Cable: CustomStringConvertible {
    /// The name of the host's end.
    var description: String { rawValue }

    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    fileprivate var letter: Character { rawValue.first ?? "-" }
}

// MARK: - Programs

extension HostNetwork {
    /// The options of a server that the hosts reach.
    func options(_ options: PostgresServerOptions) -> PostgresServerOptions {
        var options = options
        options.more["listen_addresses"] = "127.0.0.1,\(address(.database))"
        return options
    }

    /// Lets the hosts sign in to the server with its password.
    func admit(to server: PostgresServer) async throws {
        let superuser = PostgresServer.superuser
        let line = "host all all \(address(.database))/24 scram-sha-256"
        let sql = "COPY (SELECT '\(line)') TO PROGRAM 'cat >>pg_hba.conf'; SELECT pg_reload_conf()"
        try await server.run(sql, in: superuser, as: superuser)
    }

    /// The settings of the daemon on a host.
    func settings(of host: Int, _ database: TestPostgresDatabase, passwordFile: String) -> [String] {
        let server = "\(address(.database)):\(database.server.port)"
        return [
            "storage.postgres.url=postgresql://\(PostgresServer.owner)@\(server)/\(database.name)?sslmode=prefer",
            "storage.postgres.password=file:\(passwordFile)", "listen.host=\(hosts[host].address)",
            // Without TLS they listen only for a proxy, and then nothing turns the limits off.
            "listen.behindProxy=true", "limits.off=false",
        ]
    }
}

// MARK: - What is left

extension HostNetwork {
    /// Removes what this process has made, and what others that are gone have left.
    ///
    /// In a task of its own, for the commands of a test that is ended are ended too.
    private static func removeAll() async throws {
        try await Task {
            let interfaces = try await leftovers(["-brief", "link"]).map { "link del \($0)" }
            let namespaces = try await leftovers(["netns", "list"]).map { "netns del \($0)" }
            guard !(interfaces + namespaces).isEmpty else { return }
            // An end of a cable takes the other one with it.
            _ = try await CommandRun.run(
                "ip",
                ["-force", "-batch", "-"],
                input: (interfaces + namespaces).joined(separator: "\n") + "\n",
                within: .seconds(20)
            )
            let rest = try await leftovers(["-brief", "link"]) + leftovers(["netns", "list"])
            guard rest.isEmpty else { throw ExpectationError("not removed: \(rest)") }
        }.value
    }

    /// The names that a listing's lines begin with, as far as they are this process's or of one that is gone.
    private static func leftovers(_ words: [String]) async throws -> [String] {
        try await ip(words).split(separator: "\n").compactMap { line in
            let name = line.prefix { $0 != " " && $0 != "@" }
            guard name.hasPrefix(prefix), let end = name.firstIndex(of: "-"),
                let process = pid_t(name[..<end].dropFirst(prefix.count), radix: 36), process > 0
            else { return nil }
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            return isGone || process == getpid() ? String(name) : nil
        }
    }
}
