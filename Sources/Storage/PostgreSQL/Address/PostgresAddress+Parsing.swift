import Kernel

// The form of a connection string (PostgreSQL 15, §34.1.1.2):
// postgresql://[user@][host[:port],…][/database][?name=value&…]
extension PostgresAddress {
    /// Reads and checks a connection string.
    package init(parsing url: String) throws(PostgresAddressError) {
        let parts = try Parts(url)
        var named = try Self.query(parts.query)
        hosts = try Self.hosts(parts.hosts, names: named.removeValue(forKey: "host"), named.removeValue(forKey: "port"))
        user = try Self.only(parts.user, or: named.removeValue(forKey: "user"), of: "user")
        let database = try Self.only(parts.database, or: named.removeValue(forKey: "dbname"), of: "dbname")
        guard let database else { throw .noDatabase }
        self.database = database
        let mode = named.removeValue(forKey: "sslmode")
        guard let protection = mode.map(Protection.init(rawValue:)) ?? Self.defaultProtection(hosts) else {
            throw .value(parameter: "sslmode", allowed: Protection.allCases.map(\.rawValue))
        }
        self.protection = protection
        further = named
    }

    /// The parameters that a connection string may have.
    ///
    /// All else that libpq knows is set by the program, holds a secret, or makes no sense for a daemon.
    static let known = (["dbname", "host", "port", "sslmode", "user"] + paths + values.keys).sorted()

    /// The parameters that name a file.
    static let paths = ["sslcert", "sslcrl", "sslkey", "sslrootcert"]

    /// The parameters with a choice of values.
    ///
    /// The daemon writes, so that no standby can be meant.
    private static let values = [
        "channel_binding": ["disable", "prefer", "require"],
        "target_session_attrs": ["any", "read-write", "primary"],
    ]

    /// Returns what holds where the connection string says nothing: a server of another machine must prove itself.
    private static func defaultProtection(_ hosts: [Host]) -> Protection {
        hosts.allSatisfy { $0.isSocket || $0.isLoopback } ? .prefer : .verifyFull
    }

    private static func query(_ text: Substring) throws(PostgresAddressError) -> [String: String] {
        var found: [String: String] = [:]
        for pair in QueryText.pairs(String(text)) {
            let (name, value) = (String(pair.name), decode(pair.value))
            if name == "password" || name == "sslpassword" { throw .password }
            guard known.contains(name), found[name] == nil else { throw .parameter(nameable(name)) }
            if let allowed = values[name], !allowed.contains(value) { throw .value(parameter: name, allowed: allowed) }
            if paths.contains(name), !value.hasPrefix("/") { throw .relativePath(parameter: name) }
            found[name] = value
        }
        return found.filter { !$0.value.isEmpty }
    }

    /// Returns a name as libpq has them, and `nil` for text that may be anything.
    private static func nameable(_ name: String) -> String? {
        !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F } ? name : nil
    }

    /// Returns the value of a parameter that may be in the query or before it, and not in both: libpq takes the last one,
    /// and a reader the first.
    private static func only(
        _ value: String?,
        or queried: String?,
        of parameter: String
    ) throws(PostgresAddressError) -> String? {
        guard value == nil || queried == nil else { throw .parameter(parameter) }
        return value ?? queried
    }

    private static func hosts(
        _ text: Substring,
        names: String?,
        _ ports: String?
    ) throws(PostgresAddressError) -> [Host] {
        var hosts: [Host] = []
        let list = text.split(separator: ",", omittingEmptySubsequences: false).map(decode)
        if list != [""] {
            _ = try only(String(text), or: names, of: "host")
            // libpq would see two hosts in a name with a comma.
            guard !list.contains(where: { $0.contains(",") }) else { throw .noHost }
            for item in list { hosts.append(try host(item)) }
        } else {
            for name in names?.split(separator: ",") ?? [] { hosts.append(Host(name: String(name), port: 5432)) }
        }
        guard !hosts.isEmpty, hosts.allSatisfy({ !$0.name.isEmpty }) else { throw .noHost }
        guard let ports else { return hosts }
        let numbers = ports.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 1 || numbers.count == hosts.count else { throw .port }
        for index in hosts.indices {
            hosts[index] = Host(name: hosts[index].name, port: try port(numbers[numbers.count == 1 ? 0 : index]))
        }
        return hosts
    }

    /// Reads `host`, `host:port`, `[IPv6 address]` or `[IPv6 address]:port`.
    private static func host(_ text: String) throws(PostgresAddressError) -> Host {
        if text.hasPrefix("/") { return Host(name: text, port: 5432) }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .port }
            let name = String(text[text.index(after: text.startIndex)..<end])
            return Host(name: name, port: rest.isEmpty ? 5432 : try port(rest.dropFirst()))
        }
        guard let colon = text.firstIndex(of: ":") else { return Host(name: text, port: 5432) }
        return Host(name: String(text[..<colon]), port: try port(text[text.index(after: colon)...]))
    }

    private static func port(_ text: Substring) throws(PostgresAddressError) -> Int {
        guard let port = Int(text), (1...65535).contains(port) else { throw .port }
        return port
    }

    /// Decodes percent-encoding, and leaves a plus as it is, as libpq does.
    private static func decode(_ text: Substring) -> String { QueryText.decode(text.replacing("+", with: "%2B")) }

    /// The parts of a connection string, of which only the user and the database are decoded.
    private struct Parts {
        let user: String?
        let hosts: Substring
        let database: String?
        let query: Substring

        init(_ url: String) throws(PostgresAddressError) {
            guard let scheme = ["postgres://", "postgresql://"].first(where: url.hasPrefix) else { throw .scheme }
            let rest = url.dropFirst(scheme.count)
            let (head, query) = Self.cut(rest, at: "?")
            let (authority, path) = Self.cut(head, at: "/")
            let login = authority.lastIndex(of: "@").map { authority[..<$0] }
            // After a colon a password may hold a slash or a question mark, which then seem to end the authority.
            let isSplit = authority.contains(":") && rest.dropFirst(authority.count).contains("@")
            guard !isSplit, login?.contains(":") != true else { throw .password }
            user = login.map(decode).flatMap { $0.isEmpty ? nil : $0 }
            hosts = login.map { authority.dropFirst($0.count + 1) } ?? authority
            database = path.isEmpty ? nil : decode(path)
            self.query = query
            let decoded = decode(Substring(url)).unicodeScalars
            guard !decoded.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { throw .controlCharacter }
        }

        /// Returns what is before the first `mark`, and what is after it.
        private static func cut(_ text: Substring, at mark: Character) -> (Substring, Substring) {
            guard let index = text.firstIndex(of: mark) else { return (text, "") }
            return (text[..<index], text[text.index(after: index)...])
        }
    }
}
