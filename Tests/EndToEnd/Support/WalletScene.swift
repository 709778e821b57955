import Foundation

/// A daemon with a bank, and people whose phones have the wallet app.
struct WalletScene: Sendable {
    let fixture: Fixture
    let bank: BankProgram

    /// The same bank under another name, whose attempts are none of the first one's.
    static let otherBank = "other"

    /// Runs `play`; `people` have a face at the provider, which accepts each of their scans if the address says so.
    static func run(
        _ settings: [String] = [],
        people: [String] = ["accept@example.com"],
        _ play: @escaping @Sendable (WalletScene) async throws -> Void
    ) async throws {
        try await WebClient.use { web in
            let bank = BankProgram(web)
            do {
                try await bank.start()
                let all = ["clients.mwsim.initiators=anyone"] + bank.settings() + bank.settings(as: Self.otherBank)
                try await Fixture.run(all + settings, people: people, within: .seconds(240)) { fixture in
                    let scene = WalletScene(fixture: fixture, bank: bank)
                    try await bank.allow([BankProgram.id, Self.otherBank].map { scene.callback($0) })
                    try await play(scene)
                }
            } catch {
                await bank.destroy()
                throw error
            }
            await bank.destroy()
        }
    }

    /// Where a bank sends browsers back to.
    func callback(_ bank: String) -> String {
        "http://localhost:\(fixture.daemon.port)/api/enrollment/callback/\(bank)"
    }

    /// The answer to a browser that was sent to one of the daemon's addresses.
    ///
    /// Blocks its thread while it waits.
    func arrive(at address: String, cookie: String = "") throws -> RedirectedBrowser.Page {
        let (target, port) = try own(address)
        var browser = RedirectedBrowser(port: port, cookie: cookie)
        return try browser.get(target)
    }

    /// The same for two browsers that come at the same moment.
    func arriveTwice(at address: String) throws -> [String?] {
        let (target, port) = try own(address)
        let first = try RawConnection(port: port)
        let second = try RawConnection(port: port)
        // Both are on their way before either is answered.
        try first.send("GET", target, [:])
        try second.send("GET", target, [:])
        return [
            Browser.field("Location", of: try first.readHead()), Browser.field("Location", of: try second.readHead()),
        ]
    }

    /// The address of the daemon that this public one is, for a client that is told where to connect.
    func local(_ address: String) throws -> String { fixture.daemon.url + (try own(address).target) }

    private func own(_ address: String) throws -> (target: String, port: Int) {
        let (origin, port) = ("http://localhost:\(fixture.daemon.port)", fixture.daemon.port)
        guard address.hasPrefix(origin + "/") else {
            throw ExpectationError("\(address) is not an address of the daemon")
        }
        return (String(address.dropFirst(origin.count)), port)
    }
}
