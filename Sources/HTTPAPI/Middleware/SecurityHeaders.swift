import HTTPTypes

/// What every answer says to the browser unless it says something else itself: nothing may be kept, guessed, framed,
/// loaded or told on (OWASP REST Security Cheat Sheet, "Security headers").
enum SecurityHeaders {
    static let fields: [HTTPField] = {
        var fields: HTTPFields = [
            .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        ]
        fields.append(our: .referrerPolicy, "no-referrer")
        return Array(fields)
    }()
}
