import Kernel
import TokenReading

/// What clients sign for the backchannel: requests (CIBA Core §7.1.1), and hints that name the person (`login_hint_token`).
struct SignedBackchannelText: Sendable {
    /// How long one counts at the most, and how far the client's clock may be off.
    private static let longestLife = Duration.seconds(3600)
    private static let clockSkew = Duration.seconds(30)
    private static let longestID = 256

    private let issuer: String
    private let memory: AssertionMemory

    init(issuer: String, memory: AssertionMemory) {
        self.issuer = issuer
        self.memory = memory
    }

    /// The parameters of a signed request, which then counts no more.
    /// - Throws: ``OAuthError`` `invalid_request_object`.
    func request(
        _ text: String,
        of client: OAuthClient,
        at now: Instant
    ) throws(OAuthError) -> BackchannelParameters {
        do throws(TokenError) {
            let claims = try claims(text, types: Self.requestTypes, of: client)
            let end = try checkTimes(claims, at: now)
            let id = try claims.string("jti")
            guard id.utf8.count <= Self.longestID else { throw TokenError.claims }
            let parameters = try Self.parameters(claims)
            // Last, so that nobody but the client itself uses one up.
            guard memory.note("backchannel\n\(id)", of: client.id, until: end, at: now) == .new else {
                throw TokenError.claims
            }
            return parameters
        } catch {
            throw OAuthError(
                .invalidRequestObject,
                "request has to be a JWT signed by this client's key, with iss, aud, exp, nbf, iat and an unused jti: "
                    + "\(error.rawValue)."
            )
        }
    }

    /// Whom a signed hint names, by a subject identifier of format `email` or `iss_sub` (RFC 9493 §3.2.1, §3.2.4) in its claim
    /// `sub_id`.
    ///
    /// CIBA Core leaves the form of these tokens to others; this is ours.
    /// - Throws: ``OAuthError`` `expired_login_hint_token`, or `invalid_request` for every other fault.
    func hint(
        _ text: String,
        of client: OAuthClient,
        at now: Instant
    ) throws(OAuthError) -> BackchannelRequest.Hint {
        let subject: ClaimReader?
        do throws(TokenError) {
            let claims = try claims(text, types: Self.hintTypes, of: client)
            guard now < (try claims.fractionalInstant("exp")) + Self.clockSkew else { throw TokenError.expired }
            subject = try claims.optionalObject("sub_id")
        } catch .expired {
            throw OAuthError(.expiredLoginHintToken, "login_hint_token has expired.")
        } catch {
            throw Self.badHint
        }
        guard let subject, let format = try? subject.string("format") else { throw Self.badHint }
        switch format {
        case "email":
            guard let email = try? subject.string("email") else { throw Self.badHint }
            return .email(try BackchannelRequestReader.address(email))
        case "iss_sub":
            guard (try? subject.string("iss")) == issuer, let account: AccountID = try? subject.id("sub") else {
                throw Self.badHint
            }
            return .account(account)
        default: throw Self.badHint
        }
    }

    private static let badHint = OAuthError(
        .invalidRequest,
        "login_hint_token has to be a JWT signed by this client's key, with iss, aud, exp and a sub_id of format email or iss_sub."
    )

    /// `oauth-authz-req+jwt`: RFC 9101 §10.8.
    private static let requestTypes: Set<String> = ["jwt", "oauth-authz-req+jwt"]
    private static let hintTypes: Set<String> = ["jwt"]

    /// The claims behind the client's signature, if it is from that client and for this server alone.
    private func claims(
        _ text: String,
        types: Set<String>,
        of client: OAuthClient
    ) throws(TokenError) -> ClaimReader {
        guard case .privateKeyJWT(let keys) = client.authentication else { throw .unknownKey }
        let claims = try ClientToken(parsing: text, types: types).claims(signedBy: keys)
        guard try claims.string("iss") == client.id else { throw .wrongIssuer }
        guard try claims.audiences() == [issuer] else { throw .wrongAudience }
        return claims
    }

    /// CIBA Core §7.1.1: all three have to be there.
    ///
    /// Returns until when it has to be remembered.
    private func checkTimes(_ claims: ClaimReader, at now: Instant) throws(TokenError) -> Instant {
        let latest = now + Self.clockSkew
        let (issuedAt, start) = (try claims.fractionalInstant("iat"), try claims.fractionalInstant("nbf"))
        guard issuedAt <= latest, start <= latest else { throw .notYetValid }
        let end = try claims.fractionalInstant("exp")
        guard now < end + Self.clockSkew else { throw .expired }
        // FAPI-CIBA §5.2.2: an hour at the most from when it was made, and from when it counts.
        guard end <= min(issuedAt, start) + Self.longestLife else { throw .claims }
        return end + Self.clockSkew
    }

    private static let texts = [
        "scope", "acr_values", "login_hint", "id_token_hint", "login_hint_token", "binding_message", "user_code",
        "client_notification_token",
    ]

    private static func parameters(_ claims: ClaimReader) throws(TokenError) -> BackchannelParameters {
        // RFC 9101 §4: a request object holds no other.
        guard try claims.optionalString("request") == nil, try claims.optionalString("request_uri") == nil else {
            throw .claims
        }
        var parameters = BackchannelParameters([:])
        for name in texts { parameters.values[name] = try claims.optionalString(name) }
        // A JSON number, or a string as in a form (CIBA Core §7.1.1).
        if let seconds = try? claims.integer("requested_expiry") {
            parameters.values["requested_expiry"] = String(seconds)
        } else {
            parameters.values["requested_expiry"] = try claims.optionalString("requested_expiry")
        }
        if let resources = try? claims.strings("resource") {
            parameters.resources = resources
        } else {
            parameters.resources = try claims.optionalString("resource").map { [$0] } ?? []
        }
        return parameters
    }
}
