import HTTPTypes

/// The headers of every answer, unless it sets its own.
///
/// They forbid browsers to cache, sniff, frame, load or send a referrer (OWASP REST Security Cheat Sheet, "Security
/// headers").
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
