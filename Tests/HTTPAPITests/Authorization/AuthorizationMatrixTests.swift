import Crypto
import FaceProviders
import Foundation
import HTTPTypes
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// Every route, with everything that must not open it.
struct AuthorizationMatrixTests {
    static let returnURL = "https://app.example.com/done"
    private static let webhookKey = Data(repeating: 5, count: 32)

    // T-089, T-150
    @Test(.timeLimit(.minutes(30)), arguments: MatrixCases.groups)
    func `no route gives anything to whom it does not declare, and each gives it to whom it does`(
        _ group: MatrixGroup
    ) async throws {
        try await Self.run { harness in
            let rows = try await AuthorizationMatrix(harness: harness).rows(of: group)
            for fault in rows.flatMap(\.faults) { Issue.record("\(fault)") }
            try AuthorizationDocument.expect(AuthorizationTable.lines(rows), of: Set(rows.map(\.way.key)))
        }
    }

    // T-089
    @Test func `each route has a way to be called, and each way a route; none is easier than what it declares`()
        async throws
    {
        try await Self.run { harness in
            let routes = harness.api.table.routes
            var unused = Set(MatrixCases.all.map(\.route))
            #expect(Set(MatrixCases.all.map(\.id)).count == MatrixCases.all.count, "each once")
            for route in routes {
                let name = "\(route.method.rawValue) \(route.template)"
                let rows = MatrixWay.cases(of: route)
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

    // T-089
    @Test func `whatever a route declares is held against every column, however few cells one of its rows has`()
        async throws
    {
        try await Self.run { harness in
            let ways = MatrixWay.all(harness.api.table.routes)
            for way in ways {
                let columns = way.columns(among: ways)
                #expect(columns.count >= 2 && columns.contains(.right), "\(way.key)")
                #expect(way.row.credential == .nothing || columns.count == MatrixColumn.allCases.count, "\(way.key)")
                let alike = ways.filter {
                    $0.row.credential == way.row.credential && $0.route.access == way.route.access
                }
                let all = alike.reduce(into: Set<MatrixColumn>()) { $0.formUnion($1.columns(among: ways)) }
                #expect(all == Set(MatrixColumn.allCases), "\(way.key)")
            }
        }
    }

    @Test func `the document has the table's head, each line in its place, and none of a route that is no more`()
        async throws
    {
        try await Self.run { harness in
            let document = try AuthorizationDocument()
            #expect(document.head == AuthorizationTable.head)
            let keys = document.lines.map(\.key)
            #expect(keys == keys.sorted())
            let there = MatrixWay.all(harness.api.table.routes).map(\.key)
            try AuthorizationDocument.expect([], of: Set(keys).subtracting(there))
        }
    }

    /// A bench whose provider sends browsers back and has webhooks, and that counts no requests.
    private static func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        try await Harness.run(provider: provider) { settings in
            settings.limits.off = true
            settings.passkeys.listUsers = true
            settings.passkeys.apps.apple = ["A1B2C3D4E5.com.example.app"]
            settings.passkeys.apps.android = [
                AndroidApp("com.example.app " + Array(repeating: "00", count: 32).joined(separator: ":"))
            ].compactMap { $0 }
            settings.passkeys.relyingParty.relatedOrigins = ["https://example.net"]
            for index in settings.clients.indices { settings.clients[index].returnURLs = [returnURL] }
            settings.faceLogin.landing = .confirm
            settings.wallet.confirmEnrollment = true
            settings.clients[0].confirmWith = .passkeyIfAny
            var webhook = WebhookSettings()
            webhook.verifier.keys = [Secret("whsec_" + webhookKey.base64EncodedString())]
            webhook.verifier.reference = JSONPointer("/data/id").map { WebhookReferencePath($0) } ?? .root
            settings.providers["mock"]?.webhook = webhook
        } _: { harness in
            try await body(harness)
        }
    }
}

extension Harness {
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
