import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Sessions
import Testing
import Wire

@testable import Assembly

/// An enrolment that a signed-in person has started.
struct StartedEnrolment: Sendable {
    let id: String
    let ticket: Substring

    var pollPath: String { "/auth/biometric-enrollment/poll/\(id)" }
    var landingPath: String { "/go/\(ticket)" }
}

extension Harness {
    static let enrolPath = "/auth/biometric-enrollment/initiate"

    func enrolment(_ response: TestResponse) throws -> StartedEnrolment {
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        return StartedEnrolment(
            id: answer.operationId,
            ticket: try #require(answer.authIdUrl.split(separator: "/").last)
        )
    }

    func startEnrolment(_ person: SignedInPersonOfTest) async throws -> StartedEnrolment {
        try enrolment(try await send(.post, Self.enrolPath, person.bearer))
    }

    func openEnrolment(_ started: StartedEnrolment) async throws {
        let response = try await send(.post, started.landingPath, [.fetchSite: "same-origin"])
        try #require(response.status == .seeOther, "\(response.text)")
    }

    /// What a poll says, its status and hint or code in one word.
    func enrolmentWord(
        _ started: StartedEnrolment,
        _ person: SignedInPersonOfTest,
        _ prefix: String = ""
    ) async throws -> String {
        let answer = try await send(.get, prefix + started.pollPath, person.bearer).decode(PollLoginResponse.self)
        return answer.hint ?? answer.code ?? answer.status.rawValue
    }

    func enrolmentStatus(
        _ id: String,
        _ person: SignedInPersonOfTest,
        _ prefix: String = ""
    ) async throws -> EnrollmentView {
        let response = try await send(.get, "\(prefix)/biometric/enrollment/status?enrollmentId=\(id)", person.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(EnrollmentStatusResponse.self).enrollment
    }

    func operation(_ started: StartedEnrolment) throws -> Operations.Operation {
        let id = try #require(UUIDBits(started.id))
        let cards = daemons.compositions.compactMap { $0.service.cache.card(Digest256(sha256: id))?.operation }
        return try #require(cards.max { $0.seq < $1.seq })
    }

    /// Takes the account's face away.
    func unenrol(_ email: String) async throws {
        let account = try await composition.accounts.show(email).account.id
        _ = try await composition.unitOfWork.run {
            try composition.stores.people.enrolments.setActive(false, account, at: "mock", in: $0)
        }
    }

    /// Somebody who has never had a face, signed in all the same.
    func newcomer() async throws -> Starter {
        let record = try await composition.accounts.add(NewAccount(email: "carol@example.com", name: "Carol"))
        let now = composition.environment.now()
        let session = Session(
            id: composition.environment.newID(),
            account: record.account.id,
            client: "bbms",
            linkedDevice: nil,
            createdAt: now,
            authentication: Session.Authentication(at: now, methods: ["pwd"])
        )
        let order = NewSession(session: session, refreshKey: .zero, refreshExpiresAt: now + .seconds(1000))
        try await composition.unitOfWork.run { [sessions = composition.sessions] in try sessions.open(order, in: $0) }
        return Starter(account: record.account.id, session: session.id, device: nil)
    }

    func isEnrolled(_ email: String) async throws -> Bool {
        try await composition.accounts.show(email).enrolments.contains(where: \.isActive)
    }
}
