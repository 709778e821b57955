import Kernel
import TokenReading

/// Reads the JWTs that clients sign for the backchannel: requests (CIBA Core §7.1.1), and hints (`login_hint_token`).
struct SignedBackchannelText: Sendable {
    /// The longest lifetime of a JWT.
    private static let longestLife = Duration.seconds(3600)
    /// The tolerated error of the client's clock.
    private static let clockSkew = Duration.seconds(30)
    private static let longestID = 256

    private let issuer: String
    private let memory: AssertionMemory

    init(issuer: String, memory: AssertionMemory) {
        self.issuer = issuer
        self.memory = memory
    }

    /// Returns the parameters of a signed request, and the mark of its `jti`.
    ///
    /// This process remembers the `jti` as used. The mark is stored with the request that it begins.
    /// - Throws: ``OAuthError`` `invalid_request_object`.
    func request(
        _ text: String,
        of client: OAuthClient,
        at now: Instant
    ) throws(OAuthError) -> (BackchannelParameters, UsedMark) {
        do throws(TokenError) {
            let claims = try claims(text, types: Self.requestTypes, of: client)
            let end = try checkTimes(claims, at: now)
            let id = try claims.string("jti")
            guard id.utf8.count <= Self.longestID else { throw TokenError.claims }
            let parameters = try Self.parameters(claims)
            // This check is the last, so that only the client itself can use up the `jti` of its request.
            guard memory.note("backchannel\n\(id)", of: client.id, until: end, at: now) == .new else {
                throw TokenError.claims
            }
            let mark = UsedMark(
                .backchannelRequest,
                of: ClientAssertion.digest(client.id, id),
                expiresAt: end
            )
            return (parameters, mark)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// The error of a signed request that was used before.
    static let used = refusal(.claims)

    private static func refusal(_ error: TokenError) -> OAuthError {
        OAuthError(
            .invalidRequestObject,
            "request has to be a JWT signed by this client's key, with iss, aud, exp, nbf, iat and an unused jti: "
                + "\(error.rawValue)."
        )
    }

    /// Returns the person whom a signed hint names with a subject identifier of format `email` or `iss_sub` in its
    /// claim `sub_id` (RFC 9493 §3.2.1, §3.2.4).
    ///
    /// CIBA Core does not define the format of these tokens. This format is the server's own.
    /// - Throws: ``OAuthError`` `expired_login_hint_token`, or `invalid_request` for every other defect.
    func hint(_ text: String, of client: OAuthClient, at now: Instant) throws(OAuthError) -> BackchannelRequest.Hint {
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

    /// The types of signed requests.
    ///
    /// `oauth-authz-req+jwt` is the type of RFC 9101 §10.8.
    private static let requestTypes: Set<String> = ["jwt", "oauth-authz-req+jwt"]
    private static let hintTypes: Set<String> = ["jwt"]

    /// Returns the verified claims of a JWT by that client with this server as its only audience.
    private func claims(_ text: String, types: Set<String>, of client: OAuthClient) throws(TokenError) -> ClaimReader {
        guard case .privateKeyJWT(let keys) = client.authentication else { throw .unknownKey }
        let claims = try ClientToken(parsing: text, types: types).claims(signedBy: keys)
        guard try claims.string("iss") == client.id else { throw .wrongIssuer }
        guard try claims.audiences() == [issuer] else { throw .wrongAudience }
        return claims
    }

    /// Checks `iat`, `nbf` and `exp`, all of which are required (CIBA Core §7.1.1).
    ///
    /// - Returns: The time until which the JWT's `jti` must be remembered.
    private func checkTimes(_ claims: ClaimReader, at now: Instant) throws(TokenError) -> Instant {
        let latest = now + Self.clockSkew
        let (issuedAt, start) = (try claims.fractionalInstant("iat"), try claims.fractionalInstant("nbf"))
        guard issuedAt <= latest, start <= latest else { throw .notYetValid }
        let end = try claims.fractionalInstant("exp")
        guard now < end + Self.clockSkew else { throw .expired }
        // FAPI-CIBA §5.2.2: at most an hour after `iat` and after `nbf`.
        guard end <= min(issuedAt, start) + Self.longestLife else { throw .claims }
        return end + Self.clockSkew
    }

    private static let texts = [
        "scope", "acr_values", "login_hint", "id_token_hint", "login_hint_token", "binding_message", "user_code",
        "client_notification_token",
    ]

    private static func parameters(_ claims: ClaimReader) throws(TokenError) -> BackchannelParameters {
        // RFC 9101 §4: a request object must not contain another one.
        guard try claims.optionalString("request") == nil, try claims.optionalString("request_uri") == nil else {
            throw .claims
        }
        var parameters = BackchannelParameters([:])
        for name in texts { parameters.values[name] = try claims.optionalString(name) }
        // The value is a JSON number, or a string as in a form (CIBA Core §7.1.1).
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
