package import Kernel
internal import TokenReading

/// The claims of an approval token: a person has approved exactly this subject, with their face, in this session.
///
/// The token is evidence for the service that carries out the action, and grants no access. It has its own `typ` and
/// `type`. Times are whole seconds, as in ``AccessClaims``.
package struct ApprovalClaims: Sendable, Hashable {
    /// `sub`.
    package let account: AccountID
    /// `aud`: the audience of the client.
    package let audience: String
    /// `client_id`.
    package let clientID: String
    /// `sid`: the session that asked for the approval.
    package let session: SessionID
    /// `jti`.
    ///
    /// An approval is valid once, which the service that carries out the action must check.
    package let tokenID: String
    package let issuedAt: Instant
    package let expiresAt: Instant
    /// `auth_time`: the time at which the face was accepted.
    package let authenticatedAt: Instant
    /// `operation_time`: the time at which the approval was requested.
    package let operationTime: Instant
    /// `message`, `amount`, `payee` and `payload_hash`: the values that the page showed.
    package let subject: Subject

    /// The approved subject.
    package struct Subject: Sendable, Hashable {
        package let message: String
        /// `amount.value`, a decimal number as it was written, and `amount.currency` (ISO 4217).
        package let amount: Amount?
        package let payee: String?
        /// SHA-256 of the data that the app will act on.
        package let payloadHash: Digest256?

        package init(message: String, amount: Amount? = nil, payee: String? = nil, payloadHash: Digest256? = nil) {
            self.message = message
            self.amount = amount
            self.payee = payee
            self.payloadHash = payloadHash
        }
    }

    /// A sum of money.
    package struct Amount: Sendable, Hashable {
        package let value: String
        package let currency: String

        package init(value: String, currency: String) {
            self.value = value
            self.currency = currency
        }
    }

    package init(
        account: AccountID,
        audience: String,
        clientID: String,
        session: SessionID,
        tokenID: String,
        issuedAt: Instant,
        expiresAt: Instant,
        authenticatedAt: Instant,
        operationTime: Instant,
        subject: Subject
    ) {
        self.account = account
        self.audience = audience
        self.clientID = clientID
        self.session = session
        self.tokenID = tokenID
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
        self.authenticatedAt = authenticatedAt.wholeSecond
        self.operationTime = operationTime.wholeSecond
        self.subject = subject
    }
}

extension ApprovalClaims {
    /// The value of the `type` claim.
    static let type = "approval"

    /// Returns the claims as JSON, always in this order.
    func json(issuer: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("iss", string: issuer)
            object.member("sub", string: account.description)
            object.member("aud", string: audience)
            object.member("client_id", string: clientID)
            object.member("iat", integer: issuedAt.seconds)
            object.member("exp", integer: expiresAt.seconds)
            object.member("auth_time", integer: authenticatedAt.seconds)
            object.member("operation_time", integer: operationTime.seconds)
            object.member("jti", string: tokenID)
            object.member("sid", string: session.description)
            object.member("type", string: Self.type)
            object.member("amr", strings: ["face"])
            object.member("message", string: subject.message)
            if let amount = subject.amount {
                object.nested("amount") { nested in
                    nested.member("value", string: amount.value)
                    nested.member("currency", string: amount.currency)
                }
            }
            if let payee = subject.payee { object.member("payee", string: payee) }
            if let hash = subject.payloadHash { object.member("payload_hash", string: Base64URL.encode(hash.bytes)) }
        }
        return json.bytes
    }

    init(_ claims: ClaimReader) throws(TokenError) {
        var amount: Amount?
        if let nested = try claims.optionalObject("amount") {
            amount = Amount(value: try nested.string("value"), currency: try nested.string("currency"))
        }
        var hash: Digest256?
        if let text = try claims.optionalString("payload_hash") {
            guard let digest = Base64URL.decode(text).flatMap({ Digest256($0) }) else { throw .claims }
            hash = digest
        }
        self.init(
            account: try claims.id("sub"),
            audience: try claims.string("aud"),
            clientID: try claims.string("client_id"),
            session: try claims.id("sid"),
            tokenID: try claims.string("jti"),
            issuedAt: try claims.instant("iat"),
            expiresAt: try claims.instant("exp"),
            authenticatedAt: try claims.instant("auth_time"),
            operationTime: try claims.instant("operation_time"),
            subject: Subject(
                message: try claims.string("message"),
                amount: amount,
                payee: try claims.optionalString("payee"),
                payloadHash: hash
            )
        )
    }
}
