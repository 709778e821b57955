import Audit
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly

/// Secrets that must stay where they are: in no answer, no log, no audit row.
struct SecrecyTests {
    @Test func `attack: the provider's address is in no API answer, no log and no audit row`() async throws {
        try await Harness.run { harness in
            var answers: [TestResponse] = []
            for isChallenged in [false, true] {
                let login = try await harness.start(isChallenged: isChallenged)
                let proof = isChallenged ? Harness.proof : login.bound
                answers.append(login.response)
                answers.append(try await harness.send(.get, login.landingPath))
                let redirect = try await harness.open(login)
                #expect(redirect.headers[.location]?.contains("provider.example.com/scan") == true)
                #expect(!redirect.text.contains("provider.example.com"), "in the Location alone")
                answers.append(try await harness.poll(login, proof))
                try await harness.judge(.approved)
                answers.append(try await harness.poll(login, proof))
                answers.append(try await harness.send(.post, login.ackPath, proof))
                answers.append(try await harness.send(.get, login.landingPath))
            }
            for answer in answers {
                #expect(!answer.text.contains("provider.example.com"))
                for field in answer.headers where field.name != .contentSecurityPolicy {
                    #expect(!field.value.contains("provider.example.com"), "\(field.name)")
                }
                #expect(!(answer.headers[.contentSecurityPolicy] ?? "").contains("/scan"))
                #expect(!answer.text.contains("scan-1"), "nor its name for the scan")
            }
            for line in harness.log.lines { #expect(!line.text.contains("example.com/scan"), "\(line.text)") }
            for row in try await Self.audit(harness) { #expect(!row.contains("example.com"), "\(row)") }
        }
    }

    // T-217, O-068
    @Test(arguments: HarnessStorage.databases)
    func `attack: no secret of a login is in the log or the audit, whatever happens to it`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            var secrets: [String] = [Harness.verifier]
            let login = try await harness.start(isChallenged: true)
            harness.provider.fail(with: .unavailable(cause: "down"))
            try await harness.open(login)
            harness.provider.fail(with: nil)
            let browser = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.approved)
            let completed = try await harness.poll(login, Harness.proof.adding(.cookie, login.cookie))
            let tokens = try #require(try completed.decode(PollLoginResponse.self).tokens)
            let device = try #require(completed.cookie("vst_device"))
            try await harness.send(.post, login.ackPath, [.authorization: "Bearer \(tokens.accessToken)"])
            let late = try await harness.start()
            try await harness.open(late)
            await harness.pass(.seconds(180))
            try await harness.judge(.approved)
            let broken = try await harness.start()
            try harness.composition.stores.upkeep.close()
            try await harness.open(broken)
            secrets += [tokens.accessToken, tokens.refreshToken, "ada@example.com"]
            secrets += [login, late, broken].flatMap { [$0.id, $0.ticket, Self.value($0.cookie)] }
            secrets += [Self.value(browser), Self.value(device)]
            #expect(secrets.allSatisfy { $0.utf8.count > 12 })
            #expect(harness.log.lines.count > 10)
            for line in harness.log.lines {
                for secret in secrets { #expect(!line.text.contains(secret), "\(line.text)") }
            }
        }
    }

    @Test func `the audit tells the whole story by row ids, and its chain is sound`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            _ = try await harness.poll(login, login.bound)
            try await harness.send(.post, login.ackPath, login.bound)
            let rows = try await Self.audit(harness)
            let row = try harness.operation(login).id.description
            let events = ["opened", "scan_started", "approved", "redeemed", "closed"].map {
                "operation.\($0) \(row)"
            }
            #expect(rows.count { $0.hasPrefix("operation.") } == 5)
            for (event, text) in zip(events, rows.filter { $0.hasPrefix("operation.") }) {
                #expect(text.hasPrefix(event), "\(text)")
                #expect(!text.contains(login.id) && !text.contains(login.ticket))
            }
            #expect(try await harness.composition.audit.verify(against: nil).finding == .sound)
        }
    }

    private static func value(_ cookie: String) -> String { String(cookie.drop { $0 != "=" }.dropFirst()) }

    private static func audit(_ harness: Harness) async throws -> [String] {
        try await harness.composition.stores.audit.rows(of: CoreFeature.node, from: 1, limit: 1000).map {
            "\($0.entry.event) \($0.entry.subject) \($0.entry.detail ?? "-")"
        }
    }
}
