import Wire

/// Begins logins of one person, several at a time, and opens them if that is wanted.
struct Seeding: Sendable {
    let server: SeedServer
    let email: String
    let opens: Bool

    /// `server`: its address, without a trailing slash.
    init(server: String, email: String, opens: Bool, connections: Int) {
        self.server = SeedServer(url: server, connections: connections)
        self.email = email
        self.opens = opens
    }

    /// Begins `count` logins.
    /// - Returns: Each of them, in no order.
    /// - Throws: ``SeedError`` for the first answer that is not as it should be.
    func run(count: Int) async throws -> [SeededLogin] {
        try await server.use { client in
            try await server.share(Array(0..<count)) { _ in
                try await server.begin(InitiateLoginRequest(email: email), opens: opens, client)
            }
        }
    }

    /// Begins `count` logins, and collects them when all are begun.
    /// - Returns: For each the path of a refresh, and a refresh token.
    /// - Throws: ``SeedError`` for the first answer that is not as it should be.
    func refreshes(count: Int) async throws -> [String] {
        try await server.use { client in
            let logins = try await server.share(Array(0..<count)) { _ in
                try await server.begin(InitiateLoginRequest(email: email), opens: opens, client)
            }
            return try await server.share(logins) { login in
                try await "/auth/refresh " + server.collect(login, client).refreshToken
            }
        }
    }
}
