import Devices
import Foundation
import HTTPTypes
import Operations
import Testing
import TokenReading
import Wallet
import Yams

@testable import Assembly
@testable import HTTPAPI

/// docs/openapi.yaml and the router say the same.
struct OpenAPITests {
    private let spec: [String: Any]

    init() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi.yaml").standardized
        spec = try #require(try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? [String: Any])
    }

    @Test func `the router has the routes that the document has, and no others`() async throws {
        let paths = try #require(spec["paths"] as? [String: [String: Any]])
        let methods: Set<String> = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]
        let documented = Set(
            paths.flatMap { path, item in item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" } }
        )
        try await Harness.run { harness in
            let mounted = harness.api.table.routes.map { "\($0.method.rawValue) \($0.template)" }
            #expect(Set(mounted).subtracting(documented).sorted() == [], "routes that the document lacks")
            #expect(documented.subtracting(mounted).sorted() == [], "routes that only the document has")
            #expect(mounted.count == Set(mounted).count, "each once")
        }
    }

    @Test func `the security lines are what the routes declare`() async throws {
        let paths = try #require(spec["paths"] as? [String: [String: Any]])
        let components = try #require(spec["components"] as? [String: Any])
        let schemes = try #require(components["securitySchemes"] as? [String: Any])
        #expect(schemes.keys.sorted() == Proof.allCases.compactMap(\.scheme).sorted())
        var documented: [String: Set<String>] = [:]
        for (path, item) in paths {
            for (method, entry) in item {
                let lines = (entry as? [String: Any])?["security"] as? [[String: Any]] ?? [[:]]
                // An empty line says that a request without any of them is answered too.
                documented["\(method.uppercased()) \(path)"] = Set(lines.map { $0.keys.first ?? "{}" })
            }
        }
        try await Harness.run { [documented] harness in
            for route in harness.api.table.routes {
                let name = "\(route.method.rawValue) \(route.template)"
                let needed = Set(route.access.needed.compactMap(\.scheme))
                let accepted = Set(route.access.accepted.compactMap(\.scheme))
                let declared = needed.isEmpty ? accepted.union(["{}"]) : needed
                #expect(documented[name] == declared, "\(name)")
            }
        }
    }

    @Test func `a route of signed-in people names the proofs that it accepts beside the token`() async throws {
        let paths = try #require(spec["paths"] as? [String: [String: Any]])
        try await Harness.run { harness in
            for route in harness.api.table.routes {
                guard case .session = route.access else { continue }
                #expect(route.access.accepted.contains(.dpop), "\(route.template)")
            }
            let change = try #require(harness.api.table.routes.first { $0.template == "/auth/password" })
            #expect(change.access.accepted == [.deviceCookie, .deviceCredential, .dpop])
        }
        for path in ["/auth/password", "/api/auth/password"] {
            let operation = try #require(paths[path]?["post"] as? [String: Any])
            let parameters = try #require(operation["parameters"] as? [[String: Any]])
            #expect(parameters.contains { $0["name"] as? String == "X-Device-Credential" }, "\(path)")
        }
    }

    @Test func `the program knows the codes that the document lists, and no others`() throws {
        let codes = Self.problems.map(\.code)
        #expect(Set(codes).subtracting(try enumeration("ProblemCode")) == [])
        #expect(Set(try enumeration("ProblemCode")).subtracting(codes) == [])
        #expect(try declared().sorted() == codes.sorted(), "each declared once, and in the list")
    }

    @Test func `each code has the status that the document gives it`() throws {
        let schema = try #require(try schemas()["ProblemCode"])
        let text = try #require(schema["description"] as? String)
            .replacing("\n", with: " ").split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        for problem in Self.problems {
            #expect(text.contains("`\(problem.code)` \(problem.status.code)"), "\(problem.code)")
        }
    }

    @Test func `the document has every failure code and every hint`() throws {
        #expect(try enumeration("FailureCode").sorted() == FailureCode.allCases.map(\.rawValue).sorted())
        #expect(try enumeration("PendingHint").sorted() == PendingHint.allCases.map(\.rawValue).sorted())
        #expect(try enumeration("LoginStatus") == ["pending", "completed", "failed"])
    }

    @Test func `the members of the answers are those that the document requires`() async throws {
        let schemas = try schemas()
        func required(_ name: String) throws -> Set<String> {
            Set(try #require(schemas[name]?["required"] as? [String]))
        }
        let names = (
            pending: try required("PendingLogin"), completed: try required("CompletedLogin"),
            delivered: try required("DeliveredLogin"), failed: try required("FailedLogin"),
            problem: try required("Problem"), started: try required("InitiateLoginResponse")
        )
        try await Harness.run { harness in
            let login = try await harness.start()
            #expect(Set(try login.response.json().keys) == names.started)
            #expect(Set(try await harness.poll(login, login.bound).json().keys) == names.pending)
            try await harness.approve(login)
            #expect(Set(try await harness.poll(login, login.bound).json().keys) == names.completed)
            try await harness.send(.post, login.ackPath, login.bound)
            #expect(Set(try await harness.poll(login, login.bound).json().keys) == names.delivered)
            let canceled = try await harness.start()
            try await harness.send(.post, canceled.cancelPath, canceled.bound)
            #expect(Set(try await harness.poll(canceled, canceled.bound).json().keys) == names.failed)
            #expect(Set(try await harness.send(.get, "/no/such").json().keys) == names.problem)
        }
    }

    /// One of each code, which ``declared()`` holds this list to.
    static let problems: [APIError] = [
        .notFound, .methodNotAllowed(allowed: [.get]), .payloadTooLarge(limit: 1), .unsupportedMediaType,
        .requestTimeout, .incompleteBody,
        .malformedJSON, .invalidRequest("x"), .invalidEmail, .invalidCodeChallenge, .unsupportedChallengeMethod,
        .verifierRequired, .invalidMode, .modeNotOffered, .invalidReturnURL, .invalidWait, .clientRequired,
        .unknownClient, .clientNotAllowed, .operationNotFound, .unauthorized(.operation), .stepUpRequired,
        .originNotAllowed,
        .insufficientScope("openid", isBound: false), .enrollmentNotOffered,
        .invalidDPoPProof(.missing, isAccess: false),
        .invalidLimit, .webhookNotVerified, .webhookStale, .rateLimited(for: .seconds(1)), .slowDown(interval: 7),
        .storeUnavailable, .internalError, .invalidMessage, .invalidAmount, .invalidPayee, .invalidPayloadHash,
        .notEnrolled, .invalidDeviceID, .invalidPlatform, .invalidDeviceName, .invalidPushToken, .deviceRegistered,
        .deviceNotFound, .placeholderKey, .placeholderSignature, .invalidPublicKey(.unreadable), .biometricNotEnabled,
        .invalidName, .weakPassword, .emailTaken, .emailNotVerified, .wrongPassword, .tooManyDevices,
        .wrongAddressCode, .invalidUsername(),
        .usernameTaken, .registrationClosed, .relyingPartyNotListed, .algorithmsNotOffered, .challengeOver,
        .unknownPasskey, .passkeyRefused(reason: "x"), .passkeyRegistered, .passkeyNotFound, .lastPasskey,
        .sessionNotFound, .consentNotFound,
        .tooManyPasskeys, .invalidPasskeyName, .bankNotFound, .deepLinkNotAllowed, .cardNotFound, .bankNotEnrolled,
        .bankSignInNeeded, .bankUnavailable(isUnusable: false), .invalidMerchant, .idempotencyMismatch, .paymentLimit,
        .tooManyOpenPayments(retryAfter: .seconds(1)), .paymentNotFound, .paymentOver(.confirmed), .paymentChanged,
        .wrongDevice, .paymentProofRefused, .cardTokenOver, .dataNotAllowed, .upstreamUnavailable, .upstreamUnusable,
    ]

    /// The codes of all errors that the sources declare.
    private func declared() throws -> [String] {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/HTTPAPI").standardized
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let sources = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        return sources.flatMap { source in
            source.matches(of: /(?:\bAPIError|\bSelf|\.init)\(\s*"([a-z_]+)",/).map { String($0.1) }
        }
    }

    private func schemas() throws -> [String: [String: Any]] {
        let components = try #require(spec["components"] as? [String: Any])
        return try #require(components["schemas"] as? [String: [String: Any]])
    }

    private func enumeration(_ name: String) throws -> [String] {
        try #require(try schemas()[name]?["enum"] as? [String])
    }
}
