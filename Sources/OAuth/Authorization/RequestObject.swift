import Kernel
import TokenReading

/// A request object by value (RFC 9101, OpenID Connect Core §6.1): the parameters, signed by the client.
struct RequestObject {
    /// What the object says: these parameters and no others are the request (RFC 9101 §6.3).
    let parameters: AuthorizationParameters

    /// The object of the parameter `request`.
    ///
    /// `issuer`: whom it has to be for.
    init(
        _ outer: AuthorizationParameters,
        of client: OAuthClient,
        for issuer: String,
        at now: Instant
    ) throws(OAuthError) {
        // RFC 9101 §5: one or the other.
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
            throw OAuthError(.invalidRequestObject, "The request object is not good: \(Self.reason(error)).")
        }
        parameters = try Self.parameters(of: text)
        // RFC 9101 §6.3: whose it is stands inside, and is the client that was named outside.
        guard parameters["client_id"] == client.id else {
            throw OAuthError(.invalidRequestObject, "The client_id of the request object is not the client's.")
        }
        guard parameters["request"] == nil, parameters["request_uri"] == nil else {
            throw OAuthError(.invalidRequestObject, "A request object can't hold another (RFC 9101 section 4).")
        }
    }

    /// `oauth-authz-req+jwt` is what it should be (RFC 9101 §10.8); many libraries write no type, or `JWT`.
    private static let types: Set<String> = ["jwt", "oauth-authz-req+jwt"]
    private static let longest = 16_384
    private static let clockSkew: Duration = .seconds(30)
    /// From when it was made to its end.
    private static let longestLife: Duration = .seconds(3600)

    private static func check(
        _ claims: ClaimReader,
        of client: String,
        for issuer: String,
        at now: Instant
    ) throws(TokenError) {
        // RFC 9101 §10.8: a client's assertion has its id as `sub`, and is no request.
        guard try claims.optionalString("sub") == nil else { throw .wrongType }
        guard try claims.string("iss") == client else { throw .wrongIssuer }
        // RFC 9101 §10.2: made for this server, not taken from a request to another (mix-up).
        guard try claims.audiences().contains(issuer) else { throw .wrongAudience }
        let (latest, end) = (now + clockSkew, try claims.fractionalInstant("exp"))
        guard now < end + clockSkew else { throw .expired }
        // RFC 9101 §10.2, and FAPI 2.0 Message Signing §5.3.1: whoever finds an old one can't begin with it what the client once
        // meant. Without a time in it that says when it was made, now is when.
        guard end <= latest + longestLife else { throw .claims }
        for name in ["nbf", "iat"] {
            guard let start = try claims.optionalFractionalInstant(name) else { continue }
            guard start <= latest else { throw .notYetValid }
            guard end <= start + longestLife else { throw .claims }
        }
    }

    /// The claims of an object whose signature was found good, as parameters: numbers and objects as their JSON.
    private static func parameters(of text: String) throws(OAuthError) -> AuthorizationParameters {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            case .object(let members)? = try? JSONReader.read(payload, maximumDepth: ClaimReader.maximumDepth)
        else { throw OAuthError(.invalidRequestObject, "The request object is no JSON object.") }
        var (values, resources) = ([String: String](), [String]())
        for (name, value) in members where !tokenClaims.contains(name) {
            switch value {
            // Some libraries write what was left out like this.
            case .null: continue
            case _ where name == "resource": resources += try Self.texts(value)
            case .string(let text): values[name] = text
            case .number(let digits): values[name] = digits
            case .object: values[name] = value.text
            case .bool, .array:
                // Passed over, it would be a request that the client did not make: one without its challenge or its prompt.
                guard !AuthorizationParameters.understood.contains(name) else { throw Self.misshapen }
            }
        }
        return AuthorizationParameters(values: values, resources: resources)
    }

    /// RFC 8707 §2: one, or several.
    ///
    /// A list that is only read in part would be a request for other resources.
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

    /// RFC 9101 §4: values are texts and numbers as in a form, and what is JSON anyway.
    private static let misshapen = OAuthError(
        .invalidRequestObject,
        "A parameter of the request object has a type that it can't have."
    )

    /// Claims that are about the token (RFC 7519 §4.1).
    private static let tokenClaims: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "jti", "sub"]

    private static func reason(_ refusal: TokenError) -> String {
        switch refusal {
        case .malformed, .header: "it is no signed JWT"
        case .wrongType: "it is a token of another kind"
        case .algorithm: "its alg is not one of the client's keys"
        case .unknownKey, .retiredKey: "its kid is none of the client's keys"
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
