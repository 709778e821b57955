package import Kernel

/// Reads backchannel authentication requests, and refuses invalid ones with the errors of the protocol (CIBA Core §7.1,
/// §7.2 and §13).
package struct BackchannelRequestReader: Sendable {
    private let policy: BackchannelPolicy
    private let hints: any IDTokenHints
    private let signed: SignedBackchannelText

    /// `issuer` is the issuer of this server: the required audience of signed requests and hints.
    package init(issuer: String, policy: BackchannelPolicy, hints: any IDTokenHints, memory: AssertionMemory) {
        self.policy = policy
        self.hints = hints
        signed = SignedBackchannelText(issuer: issuer, memory: memory)
    }

    /// Returns the request that the parameters describe.
    package func read(
        _ form: BackchannelParameters,
        of authenticated: AuthenticatedClient,
        at now: Instant
    ) throws(OAuthError) -> BackchannelRequest {
        let client = authenticated.client
        let backchannel = try Self.backchannel(of: authenticated)
        let (parameters, mark) = try parameters(form, of: client, backchannel: backchannel, at: now)
        guard parameters["user_code"] == nil else {
            // The discovery document has `backchannel_user_code_parameter_supported` false.
            throw OAuthError(.invalidRequest, "user_code is not supported: leave it out.")
        }
        return BackchannelRequest(
            access: RequestedAccess(
                clientID: client.id,
                scopes: try Self.scopes(parameters["scope"], of: client),
                resources: try Self.resources(parameters.resources, of: client)
            ),
            hint: try hint(parameters, of: client, at: now),
            bindingMessage: try Self.message(parameters["binding_message"]),
            contextClass: Self.contextClass(parameters["acr_values"]),
            notificationToken: try NotificationToken.read(
                parameters["client_notification_token"],
                backchannel.delivery
            ),
            lifetime: policy.lifetime(asked: try Self.seconds(parameters["requested_expiry"])),
            mark: mark
        )
    }

    /// Returns the client's CIBA settings.
    ///
    /// Only a confidential client that is registered for CIBA may send such requests.
    private static func backchannel(of authenticated: AuthenticatedClient) throws(OAuthError) -> OAuthClient.Backchannel
    {
        guard authenticated.method != .none, authenticated.client.access.grants.contains(.ciba),
            let backchannel = authenticated.client.authorization.backchannel
        else {
            throw OAuthError(.unauthorizedClient, "This client is not registered for backchannel authentication.")
        }
        guard authenticated.client.authorization.isMetByFace else {
            throw OAuthError(
                .unauthorizedClient,
                "This client requires more than a face, and a backchannel request verifies only a face."
            )
        }
        // A push carries no DPoP proof of the client's key.
        guard backchannel.delivery != .push || !authenticated.client.tokens.requiresDPoP else {
            throw OAuthError(.unauthorizedClient, "Tokens that are bound to a key can't be pushed.")
        }
        return backchannel
    }

    /// Returns the parameters, and the mark of a signed request.
    ///
    /// Beside a signed request, other parameters in the form are refused (CIBA Core §7.1.1).
    private func parameters(
        _ form: BackchannelParameters,
        of client: OAuthClient,
        backchannel: OAuthClient.Backchannel,
        at now: Instant
    ) throws(OAuthError) -> (BackchannelParameters, UsedMark?) {
        guard form["request_uri"] == nil else {
            throw OAuthError(.requestURINotSupported, "A signed request has to be sent by value, in request.")
        }
        guard let text = form["request"] else {
            guard !backchannel.requiresSignedRequests else {
                throw OAuthError(
                    .invalidRequest,
                    "The requests of this client have to be signed: send them in request."
                )
            }
            return (form, nil)
        }
        guard form.resources.isEmpty, BackchannelParameters.ofTheClient.isSuperset(of: form.values.keys) else {
            throw OAuthError(
                .invalidRequest,
                "Beside a signed request nothing but the client's credentials may be sent."
            )
        }
        return try signed.request(text, of: client, at: now)
    }

    private static func scopes(_ text: String?, of client: OAuthClient) throws(OAuthError) -> ScopeSet {
        // CIBA Core §13: a missing parameter is `invalid_request`, not `invalid_scope`.
        guard let text else { throw OAuthError(.invalidRequest, "The parameter scope is missing.") }
        guard let scopes = ScopeSet(parsing: text), scopes.contains(ScopeSet.openID) else {
            throw OAuthError(.invalidScope, "scope has to contain openid.")
        }
        guard scopes.isSubset(of: client.access.scopes) else {
            throw OAuthError(.invalidScope, "scope asks for more than this client is registered for.")
        }
        return scopes
    }

    /// Returns the resources (RFC 8707 §2).
    private static func resources(_ asked: [String], of client: OAuthClient) throws(OAuthError) -> [String] {
        guard Set(asked).isSubset(of: client.access.resources), Set(asked).count == asked.count else {
            throw OAuthError(.invalidTarget, "resource has to be one that this client is registered for.")
        }
        return asked
    }

    /// Returns the hint, which exactly one of three parameters must contain (CIBA Core §7.1).
    private func hint(
        _ parameters: BackchannelParameters,
        of client: OAuthClient,
        at now: Instant
    ) throws(OAuthError) -> BackchannelRequest.Hint {
        switch (parameters["login_hint"], parameters["id_token_hint"], parameters["login_hint_token"]) {
        case (let text?, nil, nil): return .email(try Self.address(text))
        case (nil, let token?, nil):
            guard let account = hints.account(of: token, for: client) else {
                throw OAuthError(.invalidRequest, "id_token_hint is no id token that this server gave this client.")
            }
            return .account(account)
        case (nil, nil, let token?): return try signed.hint(token, of: client, at: now)
        case (nil, nil, nil), (_?, _?, _), (_?, _, _?), (_, _?, _?):
            throw OAuthError(
                .invalidRequest,
                "Exactly one of login_hint, id_token_hint and login_hint_token has to be sent."
            )
        }
    }

    /// Returns a text that can be an address.
    ///
    /// A request for an unknown address is treated like any other.
    static func address(_ text: String) throws(OAuthError) -> String {
        guard (1...320).contains(text.utf8.count), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw OAuthError(.invalidRequest, "login_hint has to be the e-mail address of the person.")
        }
        return text
    }

    private static func message(_ text: String?) throws(OAuthError) -> BindingMessage? {
        guard let text else { return nil }
        return try BindingMessage(text)
    }

    /// Returns the first known class of a voluntary list in the client's order of preference (OpenID Connect Core
    /// §3.1.2.1).
    private static func contextClass(_ text: String?) -> ContextClassReference? {
        text?.split(separator: " ").lazy.compactMap { ContextClassReference(rawValue: String($0)) }.first
    }

    private static func seconds(_ text: String?) throws(OAuthError) -> Int64? {
        guard let text else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Int64(text), seconds > 0
        else { throw OAuthError(.invalidRequest, "requested_expiry has to be a number of seconds above zero.") }
        return seconds
    }
}

/// The token by which a client's endpoint authenticates notices (CIBA Core §7.1, `client_notification_token`).
enum NotificationToken {
    private static let longest = 1024
    /// The length of 128 random bits in base64url, which CIBA Core §7.1 requires.
    private static let shortest = 22
    /// The fewest different characters.
    ///
    /// A token with fewer was not drawn at random.
    private static let leastVariety = 8

    /// Reads the token; returns `nil` for a client that polls, even if it sends one.
    static func read(_ text: String?, _ delivery: OAuthClient.Backchannel.Delivery) throws(OAuthError) -> Secret? {
        switch delivery {
        case .poll: return nil
        case .ping, .push: break
        }
        guard let text else {
            throw OAuthError(.invalidRequest, "client_notification_token is missing: this client is sent notices.")
        }
        guard text.utf8.count <= longest, isBearer(text) else {
            throw OAuthError(
                .invalidRequest,
                "client_notification_token has to be a bearer token (RFC 6750) of at most \(longest) characters."
            )
        }
        guard text.utf8.count >= shortest, Set(text.utf8).count >= leastVariety else {
            throw OAuthError(
                .invalidRequest,
                "client_notification_token has to have at least 128 random bits: \(shortest) characters of base64url."
            )
        }
        return Secret(text)
    }

    /// Whether a text is a `b64token` (RFC 6750 §2.1).
    ///
    /// Such a text cannot end a header field.
    private static func isBearer(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard !body.isEmpty, text.utf8.dropFirst(body.count).allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return false
        }
        return body.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
