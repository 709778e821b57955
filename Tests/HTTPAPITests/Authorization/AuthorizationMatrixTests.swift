import Crypto
import Foundation
import HTTPTypes
import Kernel
import MemoryStore
import Operations
import Testing

@testable import HTTPAPI
@testable import Settings
@testable import Vestibule

/// Every route, with everything that must not open it.
struct AuthorizationMatrixTests {
    static let returnURL = "https://app.example.com/done"
    private static let webhookKey = Data(repeating: 5, count: 32)

    @Test(.timeLimit(.minutes(30)))
    func `no route gives anything to whom it does not declare, and each gives it to whom it does`() async throws {
        try await Self.run { bench in
            let rows = try await AuthorizationMatrix(bench: bench).rows()
            let table = AuthorizationTable.text(rows)
            print(table)
            for fault in rows.flatMap(\.faults) { Issue.record("\(fault)") }
            let routes = bench.api.table(bench.settings).routes
            #expect(Set(rows.map { "\($0.method) \($0.template)" }).count == routes.count)
            #expect(rows.count == routes.reduce(0) { $0 + AuthorizationMatrix.cases(of: $1).count })
            try Self.compare(table)
        }
    }

    @Test func `each route has a way to be called, and each way a route; none is easier than what it declares`()
        async throws
    {
        try await Self.run { bench in
            let routes = bench.api.table(bench.settings).routes
            var unused = Set(MatrixCases.all.map(\.route))
            #expect(Set(MatrixCases.all.map { $0.route + $0.variant }).count == MatrixCases.all.count, "each once")
            for route in routes {
                let name = "\(route.method.rawValue) \(route.template)"
                let rows = AuthorizationMatrix.cases(of: route)
                #expect(!rows.isEmpty, "\(name): MatrixCases has no way to call it")
                for row in rows {
                    unused.remove(row.route)
                    switch route.access {
                    case .session: #expect(row.credential == .access, "\(name)")
                    case .open, .guest: #expect(row.credential != .nothing || route.access.needed.isEmpty, "\(name)")
                    }
                }
            }
            #expect(unused.sorted() == [], "there are no such routes")
        }
    }

    /// docs/authorization.md has the table as it came out.
    private static func compare(_ table: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/authorization.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- the matrix -->\n", "\n<!-- its end -->")
        let parts = text.components(separatedBy: begin)
        try #require(parts.count == 2, "docs/authorization.md lacks \(begin)")
        let rest = parts[1].components(separatedBy: end)
        try #require(rest.count == 2, "docs/authorization.md lacks \(end)")
        guard rest[0] != table else { return }
        if ProcessInfo.processInfo.environment["VESTIBULE_WRITE_MATRIX"] != nil {
            try (parts[0] + begin + table + end + rest[1]).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let (old, new) = (Set(rest[0].split(separator: "\n")), Set(table.split(separator: "\n")))
        let differing = new.symmetricDifference(old).sorted().joined(separator: "\n")
        Issue.record("docs/authorization.md is another; VESTIBULE_WRITE_MATRIX=1 writes it anew:\n\(differing)")
    }

    /// A bench whose provider sends browsers back and has webhooks, and that counts no requests.
    private static func run(_ body: @Sendable (Bench) async throws -> Void) async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        try await Bench.run(provider: provider) { settings in
            settings.limits.off = true
            settings.passkeys.listUsers = true
            settings.passkeys.appleApps = ["A1B2C3D4E5.com.example.app"]
            settings.passkeys.androidApps = [
                AndroidApp("com.example.app " + Array(repeating: "00", count: 32).joined(separator: ":"))
            ].compactMap { $0 }
            settings.passkeys.relatedOrigins = ["https://example.net"]
            for index in settings.clients.indices { settings.clients[index].returnURLs = [returnURL] }
            settings.faceLogin.landing = .confirm
            settings.wallet.confirmEnrollment = true
            settings.clients[0].confirmWith = .passkeyIfAny
            guard case .authID(var mock) = settings.providers["mock"] else { return }
            var webhook = WebhookSettings()
            webhook.secrets = [Secret("whsec_" + webhookKey.base64EncodedString())]
            webhook.reference = "/data/id"
            mock.webhook = webhook
            settings.providers["mock"] = .authID(mock)
        } _: { bench in
            try await body(bench)
        }
    }
}

extension Bench {
    /// The headers of a webhook that its provider signed.
    func signedWebhook(_ body: String, _ number: Int) -> HTTPFields {
        let (id, time) = ("msg_\(number)", self.time.wall.seconds)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).\(body)".utf8),
            using: SymmetricKey(data: Data(repeating: 5, count: 32))
        )
        return [
            .named("webhook-id"): id, .named("webhook-timestamp"): "\(time)",
            .named("webhook-signature"): "v1,\(Data(code).base64EncodedString())",
        ]
    }
}
