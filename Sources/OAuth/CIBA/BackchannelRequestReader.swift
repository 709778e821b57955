package import Kernel

/// Reads backchannel authentication requests, and refuses in the terms of the protocol what is not right (CIBA Core §7.1,
/// §7.2 and §13).
package struct BackchannelRequestReader: Sendable {
    private let policy: BackchannelPolicy
    private let hints: any IDTokenHints
    private let signed: SignedBackchannelText

    /// `issuer`: what signed requests and hints have to be for.
    package init(
        issuer: String,
        policy: BackchannelPolicy,
        hints: any IDTokenHints,
        memory: AssertionMemory
    ) {
        self.policy = policy
        self.hints = hints
        signed = SignedBackchannelText(issuer: issuer, memory: memory)
    }

    /// The request that these parameters are.
    package func read(
        _ form: BackchannelParameters,
        of authenticated: AuthenticatedClient,
        at now: Instant
    ) throws(OAuthError) -> BackchannelRequest {
        let client = authenticated.client
        let backchannel = try Self.backchannel(of: authenticated)
        let parameters = try parameters(form, of: client, backchannel: backchannel, at: now)
        guard parameters["user_code"] == nil else {
            // `backchannel_user_code_parameter_supported` is false in the discovery document.
            throw OAuthError(.invalidRequest, "user_code is not supported: leave it out.")
        }
        return BackchannelRequest(
            clientID: client.id,
            scopes: try Self.scopes(parameters["scope"], of: client),
            resources: try Self.resources(parameters.resources, of: client),
            hint: try hint(parameters, of: client, at: now),
            bindingMessage: try Self.message(parameters["binding_message"]),
            contextClass: Self.contextClass(parameters["acr_values"]),
            notificationToken: try NotificationToken.read(
                parameters["client_notification_token"],
                backchannel.delivery
            ),
            lifetime: policy.lifetime(asked: try Self.seconds(parameters["requested_expiry"]))
        )
    }

    /// Only a client that can keep a secret may ask in a person's name, and only where it was registered for that.
    private static func backchannel(of client: AuthenticatedClient) throws(OAuthError) -> OAuthClient.Backchannel {
        guard client.method != .none, client.client.grants.contains(.ciba), let backchannel = client.client.backchannel
        else {
            throw OAuthError(.unauthorizedClient, "This client is not registered for backchannel authentication.")
        }
        guard client.client.requires.isMetByFace else {
            throw OAuthError(
                .unauthorizedClient,
                "This client requires more than a face, which is all that a backchannel request has people show."
            )
        }
        // Nobody can show a proof of the client's key while tokens are sent to it.
        guard backchannel.delivery != .push || !client.client.requiresDPoP else {
            throw OAuthError(.unauthorizedClient, "Tokens that are bound to a key can't be pushed.")
        }
        return backchannel
    }

    /// Of a signed request nothing outside of it counts (CIBA Core §7.1.1).
    private func parameters(
        _ form: BackchannelParameters,
        of client: OAuthClient,
        backchannel: OAuthClient.Backchannel,
        at now: Instant
    ) throws(OAuthError) -> BackchannelParameters {
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
            return form
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
        // CIBA Core §13: a parameter that is missing makes a request invalid, and not its scope.
        guard let text else { throw OAuthError(.invalidRequest, "The parameter scope is missing.") }
        guard let scopes = ScopeSet(parsing: text), scopes.contains(ScopeSet.openID) else {
            throw OAuthError(.invalidScope, "scope has to contain openid.")
        }
        guard scopes.isSubset(of: client.scopes) else {
            throw OAuthError(.invalidScope, "scope asks for more than this client is registered for.")
        }
        return scopes
    }

    /// RFC 8707 §2.
    private static func resources(_ asked: [String], of client: OAuthClient) throws(OAuthError) -> [String] {
        guard Set(asked).isSubset(of: client.resources), Set(asked).count == asked.count else {
            throw OAuthError(.invalidTarget, "resource has to be one that this client is registered for.")
        }
        return asked
    }

    /// Exactly one of the three (CIBA Core §7.1).
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

    /// Whatever could be somebody's address; one that is nobody's gets a request like any other.
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

    /// The first that is known, where one is (OpenID Connect Core §3.1.2.1: they are voluntary, in the order of preference).
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

/// What a client's own endpoint knows our notices by (CIBA Core §7.1, `client_notification_token`).
enum NotificationToken {
    private static let longest = 1024
    /// 128 bits in base64url: what CIBA Core §7.1 asks for.
    private static let shortest = 22
    /// A token that repeats a few characters was not drawn at random.
    private static let leastVariety = 8

    /// `nil` for a client that polls, whatever it sends.
    static func read(
        _ text: String?,
        _ delivery: OAuthClient.Backchannel.Delivery
    ) throws(OAuthError) -> Secret? {
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

    /// `b64token` of RFC 6750 §2.1: nothing that could end a header field.
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
