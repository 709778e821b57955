import HTTPTypes

/// Names without a constant in HTTPTypes, whose initialiser can fail; a test shows that none of these is `nil`.
extension HTTPField.Name {
    static let xRequestID = Self("X-Request-Id")
    static let xClientID = Self("X-Client-Id")
    static let xDeviceCredential = Self("X-Device-Credential")
    static let xReturnCode = Self("X-Return-Code")
    static let xCodeVerifier = Self("X-Code-Verifier")
    static let referrerPolicy = Self("Referrer-Policy")
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")
    static let permissionsPolicy = Self("Permissions-Policy")
    static let secFetchSite = Self("Sec-Fetch-Site")
    static let secFetchMode = Self("Sec-Fetch-Mode")
    static let lastEventID = Self("Last-Event-ID")
    static let xAccelBuffering = Self("X-Accel-Buffering")
    static let dpop = Self("DPoP")
    static let forwarded = Self("Forwarded")
    static let idempotencyKey = Self("Idempotency-Key")
    static let pragma = Self("Pragma")
    static let prefer = Self("Prefer")
    static let xForwardedFor = Self("X-Forwarded-For")
}

extension HTTPFields {
    /// The value of the named field.
    subscript(our name: HTTPField.Name?) -> String? {
        get { name.flatMap { self[$0] } }
        set { if let name { self[name] = newValue } }
    }

    /// Returns the values of the field, one for each of its lines.
    func values(our name: HTTPField.Name?) -> [String] { name.map { self[values: $0] } ?? [] }

    /// Adds the field without checking for existing ones.
    mutating func append(our name: HTTPField.Name?, _ value: String) {
        if let name { append(HTTPField(name: name, value: value)) }
    }
}
