import Crypto
import FaceProviders
import Foundation
import Kernel
import Logging
import Operations
import Outbound
import ScriptedServer
import SettingsFixture
import Testing

@testable import Settings

/// config/providers/veriff.yaml and onfido.yaml as they are shipped, each against a scripted fake of its API.
struct ShippedProviderTests {
    private static let folder = SettingsFiles.resolve(#filePath + "/../../../config/providers", against: "/")

    private static let environment = [
        "VERIFF_API_KEY": "veriff-key", "VERIFF_SHARED_SECRET": "veriff-shared-secret",
        "ONFIDO_API_TOKEN": "api_live.token",
        "ONFIDO_WORKFLOW_ID": "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11", "SCANS_KEY": "scans-key-value",
        "SCANS_CLIENT_ID": "scans-client-value", "SCANS_CLIENT_SECRET": "scans-secret-value",
    ]

    /// A config with that file as its one provider.
    private static func fixture(_ name: String) throws -> SettingsFixture {
        guard case .text(let text, _) = SettingsFiles.disk.read("\(folder)/\(name).yaml") else {
            throw SettingsErrors(findings: [])
        }
        var fixture = SettingsFixture("faceLogin: {provider: \(name)}\nproviders: {\(name): providers/\(name).yaml}\n")
        fixture.files["/srv/vestibule-test/config/providers/\(name).yaml"] = (text, 0o644)
        fixture.environment = environment
        return fixture
    }

    /// The provider as the daemon makes it, but for where its API is.
    private func use(
        _ name: String,
        _ script: @escaping ScriptedServer.Script,
        during body: (HTTPTemplateProvider, ScriptedServer) async throws -> Void
    ) async throws {
        try await ScriptedServer.run(script) { server in
            let fixture = try Self.fixture(name).setting(
                "providers.\(name).baseURL=\(server.url)",
                "providers.\(name).requestTimeout=60s"
            )
            let settings = try fixture.load().settings
            guard let provider = settings.providers[name], case .http(let described) = provider.adapter else {
                Issue.record("\(name) is not described by its file")
                return
            }
            let environment = Environment(
                now: { Instant(seconds: 1_767_225_600) },
                clock: LiveClock(),
                randomBytes: { Array(repeating: 7, count: $0) }
            )
            try await OutboundHTTP.use(provider.outboundLimits, clock: environment.clock) { http in
                let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                try await body(
                    HTTPTemplateProvider(
                        described,
                        named: ProviderName(name),
                        publicURL: settings.publicURL,
                        http: http,
                        environment: environment,
                        logger: logger
                    ),
                    server
                )
            }
        }
    }

    private func begin(_ provider: HTTPTemplateProvider) async throws(ProviderError) -> StartedScan {
        try await provider.begin(ScanRequest(enrolment: "person-1", timeLeft: .seconds(180)))
    }

    @Test(arguments: ["http", "veriff", "onfido"]) func `each shipped provider file loads without errors or warnings`(
        _ name: String
    ) throws {
        #expect(try Self.fixture(name).faults() == [])
        let loaded = try Self.fixture(name).load()
        #expect(loaded.warnings.filter { $0.key.hasPrefix("providers") }.isEmpty)
        let printed = ConfigPrinter(loaded: loaded).yaml()
        let secrets = Self.environment.values
        #expect(!secrets.isEmpty && printed.contains("env:"))
        for secret in secrets { #expect(!printed.contains(secret)) }
    }

    @Test(arguments: ["veriff", "onfido"])
    func `the commented webhook of each shipped provider file loads without errors`(_ name: String) throws {
        var fixture = try Self.fixture(name)
        let path = "/srv/vestibule-test/config/providers/\(name).yaml"
        let text = try #require(fixture.files[path]?.text)
        let start = try #require(text.firstRange(of: "# webhook:"))
        let webhook = text[start.lowerBound...].split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
        fixture.files[path] = (text[..<start.lowerBound] + webhook, 0o644)
        fixture.environment["ONFIDO_WEBHOOK_TOKEN"] = "an-onfido-webhook-token"
        #expect(fixture.faults() == [])
        #expect(try fixture.load().settings.providers[name]?.webhook?.scheme == .hmac)
    }

    // MARK: Veriff

    private static let session = "f04bdb47-d3be-4b28-b028-a652feb060b5"

    private static func signed(_ text: String) -> String {
        HMAC<SHA256>.authenticationCode(
            for: Data(text.utf8),
            using: SymmetricKey(data: Data("veriff-shared-secret".utf8))
        ).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Answers as the API does to a request with the right key and signature.
    private static func veriff(decision: String) -> ScriptedServer.Script {
        { request in
            guard request.header("X-AUTH-CLIENT") == "veriff-key" else {
                return .json(#"{"status":"fail","code":"1802","message":"unknown key"}"#, status: 401)
            }
            switch (request.method, request.path) {
            case ("POST", "/v1/sessions"):
                guard request.header("X-HMAC-SIGNATURE") == signed(request.text) else {
                    return .json("{}", status: 401)
                }
                let page = "https://alchemy.veriff.com/v/eyJhbGciOi"
                return .json(
                    #"{"status":"success","verification":{"id":"\#(session)","url":"\#(page)","status":"created"}}"#,
                    status: 201
                )
            case ("GET", "/v1/sessions/\(session)/decision"):
                guard request.header("X-HMAC-SIGNATURE") == signed(session) else { return .json("{}", status: 401) }
                return .json(decision)
            default: return .json(#"{"status":"fail","code":"1002","message":"not found"}"#, status: 404)
            }
        }
    }

    private static func decision(_ status: String, _ code: Int, id: String = session) -> String {
        #"{"status":"success","verification":{"id":"\#(id)","code":\#(code),"status":"\#(status)","vendorData":"person-1"}}"#
    }

    @Test func `Veriff: a session is begun for the person, signed`() async throws {
        try await use("veriff", Self.veriff(decision: "{}")) { provider, server in
            let scan = try await begin(provider)
            #expect(scan.reference.text == Self.session)
            #expect(scan.page.expose() == "https://alchemy.veriff.com/v/eyJhbGciOi")
            #expect(server.requests.first?.text == #"{"verification": {"vendorData": "person-1"}}"#)
        }
    }

    @Test(arguments: [
        (#"{"status":"success","verification":null}"#, ScanStatus.pending(.processing)),
        (decision("approved", 9001), .approved), (decision("declined", 9102), .rejected(.declined)),
        (decision("resubmission_requested", 9103), .pending(.userInProvider)), (decision("expired", 9104), .expired),
        (decision("abandoned", 9104), .canceled), (decision("review", 9121), .pending(.processing)),
        (decision("started", 7001), .pending(.userInProvider)), (decision("submitted", 7002), .pending(.processing)),
        (decision("approved", 9102), .unrecognised), (decision("Approved", 9001), .unrecognised),
        (decision("flagged", 9999), .unrecognised), (decision("approved", 9001, id: "another"), .nonsense),
        (#"{"status":"success","verification":{"code":9001,"status":"approved"}}"#, .unrecognised),
        (#"{"status":"approved","code":9001}"#, .pending(.processing)), ("<html>", .nonsense),
    ])
    func `Veriff: each decision`(body: String, status: ScanStatus) async throws {
        try await use("veriff", Self.veriff(decision: body)) { provider, _ in
            let found = try await provider.check(ProviderReference(Self.session))
            #expect(found == status)
        }
    }

    @Test func `Veriff: a session that it does not know, and its outage`() async throws {
        try await use("veriff", Self.veriff(decision: "{}")) { provider, _ in
            let found = try await provider.check(ProviderReference("other"))
            #expect(found == .unknownReference)
        }
        let fault = ScriptedReply.json(#"{"status":"fail","code":"1500","message":"try later"}"#, status: 503)
        try await use("veriff", { _ in fault }) { provider, _ in
            await #expect(throws: ProviderError.unavailable(cause: "starting a scan: HTTP 503 1500 try later")) {
                try await begin(provider)
            }
            await #expect(throws: ProviderError.self) { try await provider.check(ProviderReference(Self.session)) }
        }
    }

    // MARK: Onfido

    private static let run = "cd92c304-1c16-4bb5-8395-d5b8fe27088e"

    private static func onfido(
        status: String,
        id: String = run,
        page: String = "https://eu.onfido.app/l/\(run)",
        token: String = "api_live.token"
    ) -> ScriptedServer.Script {
        { request in
            guard request.header("Authorization") == "Token token=\(token)" else {
                let error = #"{"error":{"type":"authorization_error","message":"bad api_live.token"}}"#
                return .json(error, status: 401)
            }
            let body = #"""
                {"id":"\#(id)","workflow_id":"w","applicant_id":"person-1","status":\#(status),"output":null,"reasons":[],
                 "link":{"url":"\#(page)","expires_at":"2026-01-01T00:03:00Z","language":"en"},"error":null}
                """#
            switch (request.method, request.path) {
            case ("POST", "/v3.6/workflow_runs"): return .json(body, status: 201)
            case ("GET", "/v3.6/workflow_runs/\(run)"): return .json(body)
            default:
                return .json(#"{"error":{"type":"resource_not_found","message":"no such run"}}"#, status: 404)
            }
        }
    }

    @Test func `Onfido: a run is begun whose link ends with the login`() async throws {
        try await use("onfido", Self.onfido(status: #""awaiting_input""#)) { provider, server in
            let scan = try await begin(provider)
            #expect(scan.reference.text == Self.run)
            #expect(scan.page.expose() == "https://eu.onfido.app/l/\(Self.run)")
            struct Body: Decodable, Equatable {
                let workflow: String
                let applicant: String
                let link: [String: String]

                enum CodingKeys: String, CodingKey {
                    case workflow = "workflow_id"
                    case applicant = "applicant_id"
                    case link
                }
            }
            let body = try JSONDecoder().decode(Body.self, from: Data(try #require(server.requests.first).body))
            #expect(body.workflow == "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11")
            #expect(body.applicant == "person-1")
            #expect(body.link == ["expires_at": "2026-01-01T00:03:00Z"])
        }
    }

    @Test(arguments: [
        ("awaiting_input", ScanStatus.pending(.userInProvider)), ("processing", .pending(.processing)),
        ("review", .pending(.processing)), ("approved", .approved), ("declined", .rejected(.declined)),
        ("abandoned", .canceled), ("error", .broken), ("APPROVED", .unrecognised), ("withdrawn", .unrecognised),
        ("", .unrecognised),
    ])
    func `Onfido: each status`(word: String, status: ScanStatus) async throws {
        try await use("onfido", Self.onfido(status: "\"\(word)\"")) { provider, _ in
            let found = try await provider.check(ProviderReference(Self.run))
            #expect(found == status)
        }
    }

    // T-053
    @Test func `Onfido: what is odd approves nobody`() async throws {
        for status in ["null", #"["approved"]"#, #"{"approved":true}"#, "true"] {
            try await use("onfido", Self.onfido(status: status)) { provider, _ in
                let found = try await provider.check(ProviderReference(Self.run))
                #expect(found == .unrecognised)
            }
        }
        try await use("onfido", Self.onfido(status: #""approved""#, id: "another")) { provider, _ in
            let found = try await provider.check(ProviderReference(Self.run))
            #expect(found == .nonsense)
        }
        try await use("onfido", Self.onfido(status: #""approved""#, page: "https://eu.onfido.app.evil.example/l")) {
            provider,
            _ in
            await #expect(throws: ProviderError.self) { try await begin(provider) }
        }
    }

    @Test func `Onfido: a wrong token is our fault, and it is not told`() async throws {
        try await use("onfido", Self.onfido(status: #""approved""#, token: "another")) { provider, _ in
            let expected = "starting a scan: HTTP 401 authorization_error bad <secret>"
            await #expect(throws: ProviderError.unavailable(cause: expected)) { try await begin(provider) }
        }
        try await use("onfido", Self.onfido(status: #""approved""#)) { provider, _ in
            let found = try await provider.check(ProviderReference("unknown"))
            #expect(found == .unknownReference)
        }
    }
}
