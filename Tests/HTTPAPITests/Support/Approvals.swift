import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Settings
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly

/// An approval that a signed-in person's app has asked for.
struct StartedApproval: Sendable {
    let response: TestResponse
    let answer: InitiateLoginResponse
    let ticket: String

    var id: String { answer.operationId }
    var landingPath: String { "/go/\(ticket)" }
    var publicID: Digest256 { UUIDBits(id).map { Digest256(sha256: $0) } ?? .zero }
    /// What the very browser that asked brings along.
    var cookie: String? { response.cookie("vst_op_") }

    func path(_ verb: String) -> String { "/auth/approvals/\(verb)/\(id)" }
}

extension Harness {
    static let approvalPath = "/auth/approvals/initiate"
    static let payment = """
        {"message":"Pay the invoice 4711","amount":{"value":"1250.00","currency":"EUR"},"payee":"Möbel & Söhne",\
        "payloadHash":"\(challenge)"}
        """

    func askApproval(
        _ person: SignedInPersonOfTest,
        _ body: String = payment,
        _ prefix: String = ""
    ) async throws -> StartedApproval {
        let response = try await post(prefix + Self.approvalPath, body, person.bearer)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        let ticket = try #require(answer.authIdUrl.split(separator: "/").last)
        return StartedApproval(response: response, answer: answer, ticket: String(ticket))
    }

    /// The page's form, with that number.
    func confirm(
        _ started: StartedApproval,
        _ number: String?,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers.adding(.fetchSite, "same-origin")
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, started.landingPath, headers, body: "number=\(number ?? "")")
    }

    /// The person reads, types the number, and is scanned.
    func grantApproval(_ started: StartedApproval) async throws {
        let response = try await confirm(started, started.answer.number)
        try #require(response.status == .seeOther, "\(response.text)")
        try await judge(.approved)
    }

    func poll(_ started: StartedApproval, _ person: SignedInPersonOfTest) async throws -> TestResponse {
        try await send(.get, started.path("poll"), person.bearer)
    }

    func word(_ started: StartedApproval, _ person: SignedInPersonOfTest) async throws -> String {
        let answer = try await poll(started, person).decode(PollLoginResponse.self)
        return answer.hint ?? answer.code ?? (answer.approval == nil ? "delivered" : "completed")
    }

    func operation(_ started: StartedApproval) throws -> Operations.Operation {
        try #require(composition.service.cache.card(started.publicID)).operation
    }

    /// The claims of its token, if the verifier takes it.
    func approved(_ response: TestResponse) throws -> ApprovalClaims {
        let token = try #require(try response.decode(PollLoginResponse.self).approval?.token, "\(response.text)")
        return try verifier.verifyApproval(token, audiences: audiences, now: composition.environment.now())
    }

    var audiences: Set<String> { Set(settings.clients.map(\.audience)) }

    var verifier: TokenVerifier {
        TokenVerifier(issuer: settings.issuer, ring: composition.keys, folder: composition.keyFolder)
    }
}
