import Accounts
import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import SignIn
import Testing

@testable import Admin
@testable import Assembly
@testable import HTTPAPI
@testable import Storage

// How each remedy is asked for, at the route or by the command that people have.
extension RemedyFixture {
    private static let newAddress = "lovelace@example.com"

    /// What the owner's app sends along: who is signed in, and what proves the phone.
    private var app: HTTPFields { owner.signedIn.bearer.adding(.deviceCredential, "credential 2") }

    func apply(_ remedy: Remedy) async throws {
        switch remedy {
        case .notMe:
            try await expectDone(try await harness.disown(try harness.row(other.signedIn.login), owner.signedIn))
        case .notMeOnPage:
            try await expectDone(try await harness.send(.post, other.approval.landingPath + "/not-me", Self.ownPage))
        case .signedOutEverywhere:
            try await expectDone(try await harness.send(.post, "/auth/logout?revokeAll=true", owner.signedIn.bearer))
        case .passwordChanged: try await changePassword()
        case .addressReplaced:
            let mail = try await requestAddress()
            let device = try #require(owner.signedIn.device)
            let own = HTTPFields.cookies(device).adding(.deviceCredential, "credential 2")
            try await expectDone(try await harness.send(.post, mail.path, own))
        case .addressProved: try await expectDone(try await harness.send(.post, try await requestAddress().path))
        case .addressProvedInApp:
            let code = try await requestAddress().addressCode
            try await expectDone(try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, app))
        case .clientDisabled:
            var order = AddClient.Metadata()
            order.id = Self.client
            order.name = "App"
            order.redirectURIs = ["https://app.example.com/"]
            order.grants = ["authorization_code"]
            try await command(AddClient(metadata: order))
            try await command(DisableClient(id: Self.client))
        case .clientSignedOut: try await command(EndClientSessions(id: "bbms"))
        case .passkeyRemoved: try await command(RemovePasskey(id: other.passkey.description))
        case .deviceRevoked: try await command(RevokeDevice(id: other.device.description))
        case .sessionRevoked: try await command(RevokeSession(id: other.session.description))
        case .sessionsRevoked: try await command(RevokeSessions(account: "ada@example.com"))
        case .passwordSet:
            try await command(ChangeAccount(name: "ada@example.com", changes: .init(password: Harness.password)))
        case .addressSet:
            try await command(ChangeAccount(name: "ada@example.com", changes: .init(email: Self.newAddress)))
        case .accountClosed:
            let services = harness.api.services.accounts.owner
            try await services.closing.close(
                .init(account: account, session: owner.session, client: "bbms", requester: "en")
            )
        case .accountDisabled: try await command(DisableAccount(name: "ada@example.com"))
        }
    }

    private static let ownPage: HTTPFields = [.fetchSite: "same-origin"]

    private func command(_ command: any AdminCommand) async throws {
        _ = try await harness.composition.administration.execute(command)
    }

    private func expectDone(_ answer: TestResponse) async throws {
        #expect(answer.status == .ok, "\(answer.text)")
    }

    /// The owner knows the old password.
    private func changePassword() async throws {
        let known = "a password that the owner knows"
        let hash = try await harness.composition.passwords.hash(Secret(known))
        try await harness.database.pool.write { [account] writer in
            try writer.execute(
                sql: "UPDATE accounts SET password_hash = ? WHERE id = ?",
                arguments: [hash.expose(), account.description]
            )
        }
        let order = #"{"currentPassword":"\#(known)","newPassword":"\#(Harness.password)"}"#
        try await expectDone(try await harness.post("/auth/password", order, app))
    }

    /// The owner's app asks for another address; the mail with its link and code.
    private func requestAddress() async throws -> ReadMail {
        _ = try await harness.mails()
        let order = #"{"email":"\#(Self.newAddress)"}"#
        try await expectDone(try await harness.post("/auth/email", order, owner.signedIn.bearer))
        return try #require(try await harness.mails().first { $0.to == Self.newAddress })
    }
}
