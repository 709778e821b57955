import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// Approval tokens say what somebody approved, and are nothing else.
struct ApprovalTokenTests {
    private let fixture: TokenFixture
    private let forge: Forge

    init() throws {
        fixture = try TokenFixture()
        forge = Forge(fixture: fixture)
    }

    /// One for all: its ids are random.
    private static let access = TokenFixture.accessClaims()

    private static func claims(_ subject: ApprovalClaims.Subject? = nil) -> ApprovalClaims {
        ApprovalClaims(
            account: access.account,
            audience: access.audience,
            clientID: access.clientID,
            session: access.session,
            tokenID: "jti-of-an-approval",
            issuedAt: access.issuedAt,
            expiresAt: access.expiresAt,
            authenticatedAt: access.authenticatedAt,
            operationTime: access.authenticatedAt,
            subject: subject
                ?? .init(
                    message: "Pay “Möbel & Söhne” \"at once\"",
                    amount: .init(value: "1250.00", currency: "EUR"),
                    payee: "Möbel & Söhne",
                    payloadHash: Digest256(Array(repeating: 7, count: 32))
                )
        )
    }

    private func verify(_ token: String, at now: Instant? = nil) throws(TokenError) -> ApprovalClaims {
        try fixture.verifier.verifyApproval(token, audiences: [TokenFixture.audience], now: now ?? TokenFixture.now)
    }

    private var header: String { forge.accessHeader.replacing("at+jwt", with: "vst-approval+jwt") }

    private func payload(_ claims: ApprovalClaims = claims()) -> String {
        String(decoding: claims.json(issuer: TokenFixture.issuer), as: UTF8.self)
    }

    // T-138
    @Test func `an approval token comes back as the claims that were signed, the same each time`() throws {
        for claims in [Self.claims(), Self.claims(.init(message: "Sign the lease"))] {
            let token = try fixture.issuer.sign(approval: claims).expose()
            #expect(try verify(token) == claims)
            #expect(token.utf8.count <= UnverifiedToken.maximumLength)
            let again = try fixture.issuer.sign(approval: claims).expose()
            #expect(Forge.parts(again).prefix(2) == Forge.parts(token).prefix(2))
        }
    }

    // T-088, T-138
    @Test func `attack: an approval token is not accepted as an access, refresh or checkpoint token`() throws {
        let token = try fixture.issuer.sign(approval: Self.claims()).expose()
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: token) }
        #expect(throws: TokenError.wrongType) { try fixture.verify(refresh: token) }
        let signer = try CheckpointSigner(fixture.folder)
        #expect(throws: TokenError.wrongType) { try signer.read(token) }
    }

    // T-088, T-138
    @Test func `attack: an access token, a refresh token and a checkpoint are refused as approval tokens`() throws {
        let line = try CheckpointSigner(fixture.folder).sign(
            CheckpointClaims(node: "local", number: 1, hash: .zero, at: TokenFixture.now)
        )
        for token in [
            try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose(),
            fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose(), line,
        ] {
            #expect(throws: TokenError.wrongType) { try verify(token) }
        }
    }

    // RFC 8725 §3.11: if one of the two checks were forgotten, the other would still hold.
    // T-138
    @Test func `attack: a header of one kind of token with claims of another is refused`() throws {
        let approvalAsAccess = try forge.signed(header: forge.accessHeader, payload: payload())
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: approvalAsAccess) }
        let accessAsApproval = try forge.signed(header: header, payload: forge.accessPayload())
        #expect(throws: TokenError.wrongType) { try verify(accessAsApproval) }
        let underRefreshKey = forge.signedAsRefresh(header: header, payload: payload())
        #expect(throws: TokenError.signature) { try verify(underRefreshKey) }
    }

    @Test func `attack: an approval token with another amount, audience, issuer or signature is refused`() throws {
        #expect(try verify(forge.signed(header: header, payload: payload())) == Self.claims())
        let parts = Forge.parts(try fixture.issuer.sign(approval: Self.claims()).expose())
        let dearer = payload().replacing("1250.00", with: "9250.00")
        let changed = [parts[0], Base64URL.encode(Array(dearer.utf8)), parts[2]].joined(separator: ".")
        #expect(throws: TokenError.signature) { try verify(changed) }
        let issuer = payload().replacing(TokenFixture.issuer, with: "https://other.example.com")
        #expect(throws: TokenError.wrongIssuer) { try verify(forge.signed(header: header, payload: issuer)) }
        let other = payload().replacing("\"aud\":\"\(TokenFixture.audience)\"", with: "\"aud\":\"other\"")
        #expect(throws: TokenError.wrongAudience) { try verify(forge.signed(header: header, payload: other)) }
    }

    @Test func `attack: an approval token is refused at its expiry and more than 300 seconds before its issue`() throws
    {
        let token = try fixture.issuer.sign(approval: Self.claims()).expose()
        let end = Self.claims().expiresAt
        _ = try verify(token, at: end - .seconds(1))
        #expect(throws: TokenError.expired) { try verify(token, at: end) }
        #expect(throws: TokenError.notYetValid) { try verify(token, at: Self.claims().issuedAt - .seconds(301)) }
    }

    @Test(arguments: [
        (#""message":"Sign""#, #""message":1"#), (#""message":"Sign""#, #""msg":"Sign""#),
        (#""amount":{"value":"1.00","currency":"EUR"}"#, #""amount":"1.00 EUR""#),
        (#""currency":"EUR""#, #""currency":null"#), (#""payee":"Shop""#, #""payee":["Shop"]"#),
        (#""payload_hash":""#, #""payload_hash":"x"#),
    ])
    func `claims that the server never writes are refused, though rightly signed`(
        _ ours: String,
        _ theirs: String
    ) throws {
        let claims = Self.claims(
            .init(
                message: "Sign",
                amount: .init(value: "1.00", currency: "EUR"),
                payee: "Shop",
                payloadHash: Digest256(Array(repeating: 7, count: 32))
            )
        )
        let good = payload(claims)
        #expect(good.contains(ours))
        let bad = good.replacing(ours, with: theirs)
        #expect(throws: TokenError.claims) { try verify(forge.signed(header: header, payload: bad)) }
    }
}
