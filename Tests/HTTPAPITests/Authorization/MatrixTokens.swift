import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Sessions
import Settings
import Testing
import TokenReading
import Tokens

@testable import Assembly
@testable import HTTPAPI

/// Makes the credentials of each column.
///
/// All tokens are made by the server's own keys: their claims make them invalid, or the rows behind them.
struct MatrixTokens: Sendable {
    let harness: Harness
    let row: MatrixCase
    let person: MatrixPerson
    /// The session whose token is the right one.
    let session: MatrixSession
    /// The scopes of the limited token.
    static let limitedTo: Set<String> = ["profile"]

    /// An access token, or the column's credential instead.
    func access(_ column: MatrixColumn) async throws -> String? {
        let access = session.access
        switch column {
        case .noToken: return nil
        case .wrongType: return sign(session.refresh)
        case .expired, .besideBad: return try sign(access.changed(age: .seconds(7200)))
        case .otherAccount: return try sign(try await somebodyElse().access)
        case .otherDevice: return try sign(try await elsewhere().access)
        case .otherClient: return try sign(try await atOtherClient().access)
        case .revoked: try await revoke()
        case .disabled: _ = try await harness.composition.accounts.disable(person.email)
        case .foreignAudience: return try sign(access.changed(audience: "https://elsewhere.example.com"))
        case .wrongAudience:
            return try sign(access.changed(audience: access.audience == "mwsim" ? "bbms" : "mwsim"))
        case .wrongTyp: return try approval()
        case .thirdParty: return try sign(try await harness.thirdPartySession(like: session).access)
        case .limited: return try sign(access.changed(scopes: Self.limitedTo))
        case .unprovenKey: return try sign(access.changed(confirmation: KeyID(Harness.matrixKey)))
        case .stale: return try sign(access.changed(sinceSignIn: .seconds(601)))
        case .right: break
        }
        return try sign(access)
    }

    /// A refresh token, or the column's credential instead.
    func refresh(_ column: MatrixColumn) async throws -> String? {
        switch column {
        case .noToken: return nil
        case .wrongType: return try sign(session.access)
        case .expired: return sign(session.refresh.aged(by: .seconds(60 * 86_400)))
        case .otherAccount: return sign(try await somebodyElse().refresh)
        case .otherDevice: return sign(try await elsewhere().refresh)
        case .otherClient: return sign(try await atOtherClient().refresh)
        case .thirdParty: return sign(try await harness.thirdPartySession(like: session).refresh)
        case .unprovenKey: return sign(try await harness.boundSession(like: session).refresh)
        case .revoked: try await revoke()
        case .disabled: _ = try await harness.composition.accounts.disable(person.email)
        // These name the audience of an access token, and refresh tokens have only the server as theirs.
        case .foreignAudience, .wrongAudience, .wrongTyp: return try await access(column)
        case .stale, .limited, .besideBad, .right: break
        }
        return sign(session.refresh)
    }

    private func somebodyElse() async throws -> MatrixSession {
        try await harness.matrixPerson(person.number + 500_000, row).session
    }

    private func elsewhere() async throws -> MatrixSession {
        try await harness.matrixSession(person.account, row.client, Harness.matrixPhone(2 * person.number + 1)).session
    }

    private func atOtherClient() async throws -> MatrixSession {
        let client = row.client == "mwsim" ? "bbms" : "mwsim"
        return try await harness.matrixSession(person.account, client, Harness.matrixPhone(2 * person.number + 1))
            .session
    }

    private func revoke() async throws {
        let claims = session.access
        let sessions = harness.composition.sessions
        let ended = try await harness.composition.unitOfWork.run {
            try sessions.revoke(claims.session, of: claims.account, because: .notMe, in: $0)
        }
        try #require(ended != nil)
    }

    /// A proof that the person approved something, in the same session: it opens nothing.
    private func approval() throws -> String {
        let claims = session.access
        return try issuer.sign(
            approval: ApprovalClaims(
                account: claims.account,
                audience: claims.audience,
                clientID: claims.clientID,
                session: claims.session,
                tokenID: claims.tokenID,
                issuedAt: claims.issuedAt,
                expiresAt: claims.expiresAt,
                authenticatedAt: claims.authenticatedAt,
                operationTime: claims.issuedAt,
                subject: ApprovalClaims.Subject(message: "Pay")
            )
        ).expose()
    }

    private func sign(_ claims: AccessClaims) throws -> String { try issuer.sign(access: claims).expose() }

    private func sign(_ claims: RefreshClaims) -> String { issuer.sign(refresh: claims).expose() }

    private var issuer: TokenIssuer {
        let composition = harness.composition
        return TokenIssuer(issuer: harness.settings.issuer, ring: composition.keys, folder: composition.keyFolder)
    }
}

extension RefreshClaims {
    fileprivate func aged(by age: Duration) -> RefreshClaims {
        RefreshClaims(
            account: account,
            session: session,
            deviceID: deviceID,
            tokenID: tokenID,
            issuedAt: issuedAt - age,
            expiresAt: expiresAt - age
        )
    }
}
