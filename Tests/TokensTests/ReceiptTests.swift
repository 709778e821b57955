import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// Receipts say what somebody confirmed, and are nothing else.
struct ReceiptTests {
    private let fixture: TokenFixture
    private let forge: Forge

    init() throws {
        fixture = try TokenFixture()
        forge = Forge(fixture: fixture)
    }

    /// One for all: its ids are random.
    private static let access = TokenFixture.accessClaims()

    private static func claims(merchantID: String? = "shop-7") -> ReceiptClaims {
        ReceiptClaims(
            account: access.account,
            audience: access.audience,
            clientID: access.clientID,
            paymentID: "018f4e3a-0000-7000-8000-000000000001",
            amount: .init(value: "12.50", currency: "EUR"),
            payee: "Möbel & Söhne \"am Eck\"",
            merchantID: merchantID,
            card: .init(lastFour: "4242", cardType: "VISA"),
            method: "device-key",
            paymentHash: Digest256(Array(repeating: 7, count: 32)) ?? .zero,
            confirmedAt: access.issuedAt
        )
    }

    private func verify(_ token: String, at now: Instant? = nil) throws(TokenError) -> ReceiptClaims {
        try fixture.verifier.verifyReceipt(token, audiences: [TokenFixture.audience], now: now ?? TokenFixture.now)
    }

    private var header: String { forge.accessHeader.replacing("at+jwt", with: "vestibule-receipt+jwt") }

    private func payload(_ claims: ReceiptClaims = claims()) -> String {
        String(decoding: claims.json(issuer: TokenFixture.issuer), as: UTF8.self)
    }

    @Test func `a receipt comes back as the claims that were signed, the same each time`() throws {
        for claims in [Self.claims(), Self.claims(merchantID: nil)] {
            let token = try fixture.issuer.sign(receipt: claims).expose()
            #expect(try verify(token) == claims)
            let again = try fixture.issuer.sign(receipt: claims).expose()
            #expect(Forge.parts(again).prefix(2) == Forge.parts(token).prefix(2))
        }
    }

    @Test func `a receipt has its members under the names that others read, and no end`() throws {
        let members = try #require(JSONSerialization.jsonObject(with: Data(payload().utf8)) as? [String: Any])
        let names: Set = [
            "iss", "sub", "aud", "client_id", "iat", "jti", "type", "amount", "payee", "merchant_id", "card", "method",
            "payment_hash", "confirmed_at",
        ]
        #expect(Set(members.keys) == names)
        #expect(members["card"] as? [String: String] == ["last_four": "4242", "card_type": "VISA"])
        #expect(members["amount"] as? [String: String] == ["value": "12.50", "currency": "EUR"])
        #expect(members["iat"] as? Int64 == TokenFixture.now.seconds)
        let token = try fixture.issuer.sign(receipt: Self.claims()).expose()
        #expect(try verify(token, at: TokenFixture.now + .seconds(3_000_000_000)) == Self.claims())
    }

    @Test func `attack: a receipt is not accepted as an access, refresh, approval, identity or checkpoint token`()
        throws
    {
        let token = try fixture.issuer.sign(receipt: Self.claims()).expose()
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: token) }
        #expect(throws: TokenError.wrongType) { try fixture.verify(refresh: token) }
        #expect(throws: TokenError.wrongType) {
            try fixture.verifier.verifyApproval(token, audiences: [TokenFixture.audience], now: TokenFixture.now)
        }
        #expect(throws: TokenError.wrongType) {
            try fixture.verifier.verifyIdentityHint(token, now: TokenFixture.now)
        }
        let signer = try CheckpointSigner(fixture.folder)
        #expect(throws: TokenError.wrongType) { try signer.read(token) }
    }

    @Test func `attack: no other kind of token is accepted as a receipt`() throws {
        let approval = ApprovalClaims(
            account: Self.access.account,
            audience: Self.access.audience,
            clientID: Self.access.clientID,
            session: Self.access.session,
            tokenID: "jti-of-an-approval",
            issuedAt: Self.access.issuedAt,
            expiresAt: Self.access.expiresAt,
            authenticatedAt: Self.access.authenticatedAt,
            operationTime: Self.access.authenticatedAt,
            subject: .init(message: "Pay", amount: .init(value: "12.50", currency: "EUR"), payee: "Shop")
        )
        for token in [
            try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose(),
            fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose(),
            try fixture.issuer.sign(approval: approval).expose(),
        ] {
            #expect(throws: TokenError.wrongType) { try verify(token) }
        }
    }

    // RFC 8725 §3.11: if one of the two checks were forgotten, the other would still hold.
    @Test func `attack: a receipt header with another token's claims, or the reverse, is refused`() throws {
        let receiptAsAccess = try forge.signed(header: forge.accessHeader, payload: payload())
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: receiptAsAccess) }
        let accessAsReceipt = try forge.signed(header: header, payload: forge.accessPayload())
        #expect(throws: TokenError.wrongType) { try verify(accessAsReceipt) }
        let underRefreshKey = forge.signedAsRefresh(header: header, payload: payload())
        #expect(throws: TokenError.signature) { try verify(underRefreshKey) }
    }

    @Test func `attack: a receipt with another amount, audience, issuer, time or signature is refused`() throws {
        #expect(try verify(forge.signed(header: header, payload: payload())) == Self.claims())
        let parts = Forge.parts(try fixture.issuer.sign(receipt: Self.claims()).expose())
        let cheaper = payload().replacing("12.50", with: "2.50")
        let changed = [parts[0], Base64URL.encode(Array(cheaper.utf8)), parts[2]].joined(separator: ".")
        #expect(throws: TokenError.signature) { try verify(changed) }
        let issuer = payload().replacing(TokenFixture.issuer, with: "https://other.example.com")
        #expect(throws: TokenError.wrongIssuer) { try verify(forge.signed(header: header, payload: issuer)) }
        let other = payload().replacing("\"aud\":\"\(TokenFixture.audience)\"", with: "\"aud\":\"other\"")
        #expect(throws: TokenError.wrongAudience) { try verify(forge.signed(header: header, payload: other)) }
        let token = try fixture.issuer.sign(receipt: Self.claims()).expose()
        #expect(throws: TokenError.notYetValid) { try verify(token, at: Self.claims().issuedAt - .seconds(301)) }
    }

    @Test(arguments: [
        (#""amount":{"value":"12.50","currency":"EUR"},"#, ""), (#""value":"12.50""#, #""value":12.50"#),
        (#""card":{"last_four":"4242""#, #""card":{"last_four":4242"#), (#""method":"device-key""#, #""method":["x"]"#),
        (#""payment_hash":"Bw"#, #""payment_hash":"x"#), (#""merchant_id":"shop-7""#, #""merchant_id":7"#),
        (#""confirmed_at":18"#, #""confirmed_at":17"#), (#""jti":"018f"#, #""jtj":"018f"#),
    ])
    func `claims that the server never writes are refused, though rightly signed`(
        _ ours: String,
        _ theirs: String
    ) throws {
        let good = payload()
        #expect(good.contains(ours))
        let bad = good.replacing(ours, with: theirs)
        #expect(throws: TokenError.claims) { try verify(forge.signed(header: header, payload: bad)) }
    }
}
