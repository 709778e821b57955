import HTTPTypes

/// What every answer says to the browser unless it says something else itself: nothing may be kept, guessed, framed,
/// loaded or told on (OWASP REST Security Cheat Sheet, "Security headers").
enum SecurityHeaders {
    static let fields: [HTTPField] = [
        HTTPField(name: .xContentTypeOptions, value: "nosniff"), HTTPField(name: .cacheControl, value: "no-store"),
        HTTPField(name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'"),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
    ]
}
