import Kernel
import TokenReading

/// A request object by value (RFC 9101, OpenID Connect Core §6.1): the parameters of a request, signed by the client.
struct RequestObject {
    /// The parameters of the object.
    ///
    /// Parameters outside of it are ignored (RFC 9101 §6.3).
    let parameters: AuthorizationParameters

    /// Reads and verifies the object in the parameter `request`.
    ///
    /// `issuer` is this server's, and must be an audience of the object.
    init(
        _ outer: AuthorizationParameters,
        of client: OAuthClient,
        for issuer: String,
        at now: Instant
    ) throws(OAuthError) {
        // RFC 9101 §5: the two parameters exclude each other.
        guard let text = outer["request"], outer["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "The parameters request and request_uri exclude each other.")
        }
        guard case .privateKeyJWT(let keys) = client.authentication else {
            throw OAuthError(.requestNotSupported, "This client has no keys to sign request objects with.")
        }
        do throws(TokenError) {
            let token = try ClientToken(parsing: text, maximumLength: Self.longest, types: Self.types)
            try Self.check(try token.claims(signedBy: keys), of: client.id, for: issuer, at: now)
        } catch {
            throw OAuthError(.invalidRequestObject, "The request object is not valid: \(Self.reason(error)).")
        }
        parameters = try Self.parameters(of: text)
        // RFC 9101 §6.3: the object names its client, which must be the client of the outer parameter `client_id`.
        guard parameters["client_id"] == client.id else {
            throw OAuthError(.invalidRequestObject, "The client_id of the request object is not the client's.")
        }
        guard parameters["request"] == nil, parameters["request_uri"] == nil else {
            throw OAuthError(.invalidRequestObject, "A request object can't hold another (RFC 9101 section 4).")
        }
    }

    /// The accepted `typ` values: `oauth-authz-req+jwt` (RFC 9101 §10.8), or `JWT` or none, as many libraries write.
    private static let types: Set<String> = ["jwt", "oauth-authz-req+jwt"]
    private static let longest = 16_384
    private static let clockSkew: Duration = .seconds(30)
    /// The longest time from an object's issue to its expiry.
    private static let longestLife: Duration = .seconds(3600)

    private static func check(
        _ claims: ClaimReader,
        of client: String,
        for issuer: String,
        at now: Instant
    ) throws(TokenError) {
        // RFC 9101 §10.8: a client assertion has the client's id as `sub`, and must not pass as a request object.
        guard try claims.optionalString("sub") == nil else { throw .wrongType }
        guard try claims.string("iss") == client else { throw .wrongIssuer }
        // RFC 9101 §10.2: the object must be made for this server, not copied from a request to another server
        // (mix-up).
        guard try claims.audiences().contains(issuer) else { throw .wrongAudience }
        let (latest, end) = (now + clockSkew, try claims.fractionalInstant("exp"))
        guard now < end + clockSkew else { throw .expired }
        // RFC 9101 §10.2, FAPI 2.0 Message Signing §5.3.1: the lifetime is bounded, so that old objects cannot be
        // replayed. An object without a time of issue counts as issued now.
        guard end <= latest + longestLife else { throw .claims }
        for name in ["nbf", "iat"] {
            guard let start = try claims.optionalFractionalInstant(name) else { continue }
            guard start <= latest else { throw .notYetValid }
            guard end <= start + longestLife else { throw .claims }
        }
    }

    /// Returns the claims of a verified object as parameters.
    ///
    /// Numbers and objects become their JSON text.
    private static func parameters(of text: String) throws(OAuthError) -> AuthorizationParameters {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            case .object(let members)? = try? JSONReader.read(payload, maximumDepth: ClaimReader.maximumDepth)
        else { throw OAuthError(.invalidRequestObject, "The request object is not a JSON object.") }
        var (values, resources) = ([String: String](), [String]())
        for (name, value) in members where !tokenClaims.contains(name) {
            switch value {
            // Some libraries write omitted parameters as `null`.
            case .null: continue
            case _ where name == "resource": resources += try Self.texts(value)
            case .string(let text): values[name] = text
            case .number(let digits): values[name] = digits
            case .object: values[name] = value.text
            case .bool, .array:
                // To ignore the value would change the client's request, for example by dropping its challenge or its
                // prompt.
                guard !AuthorizationParameters.understood.contains(name) else { throw Self.misshapen }
            }
        }
        return AuthorizationParameters(values: values, resources: resources)
    }

    /// Returns the values of `resource`: one text, or a list of texts (RFC 8707 §2).
    ///
    /// A list with another type in it is refused: the remaining texts would be a different request.
    private static func texts(_ value: JSONValue) throws(OAuthError) -> [String] {
        if case .string(let text) = value { return [text] }
        guard case .array(let values) = value else { throw misshapen }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw misshapen }
            texts.append(text)
        }
        return texts
    }

    /// The error of a parameter that is not a string, a number or a JSON object (RFC 9101 §4).
    private static let misshapen = OAuthError(
        .invalidRequestObject,
        "A parameter of the request object has the wrong type."
    )

    /// The claims about the token itself (RFC 7519 §4.1).
    private static let tokenClaims: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "jti", "sub"]

    private static func reason(_ refusal: TokenError) -> String {
        switch refusal {
        case .malformed, .header: "it is no signed JWT"
        case .wrongType: "it is a token of another kind"
        case .algorithm: "its alg is not one of the client's keys"
        case .unknownKey, .retiredKey: "its kid names no key of the client"
        case .signature: "its signature is not one of the client's keys"
        case .claims: "a claim is missing or has another type, or it is good for more than an hour"
        case .wrongIssuer: "its iss is not the client_id"
        case .wrongAudience: "its aud is not this server's issuer"
        case .binding: "it is bound to a key"
        case .expired: "it has expired"
        case .notYetValid: "its iat or nbf lies in the future"
        }
    }
}
