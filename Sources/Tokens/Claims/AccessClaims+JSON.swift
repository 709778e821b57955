internal import Kernel
internal import TokenReading

extension AccessClaims {
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
            object.member("jti", string: tokenID)
            object.member("sid", string: session.description)
            if let deviceID { object.member("deviceId", string: deviceID) }
            object.member("type", string: Self.type)
            object.member("amr", strings: methods)
            if let contextClass { object.member("acr", string: contextClass) }
            if let scopes { object.member("scope", string: scopes.sorted().joined(separator: " ")) }
            if let confirmation { object.nested("cnf") { $0.member("jkt", string: confirmation.text) } }
        }
        return json.bytes
    }
}
