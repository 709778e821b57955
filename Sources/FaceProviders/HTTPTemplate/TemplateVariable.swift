/// A variable `{{…}}` of a template.
package enum TemplateVariable: Hashable, Sendable {
    /// The account's id at the provider: the reference of its enrolment.
    case account
    /// The scan's id, as the provider issued it.
    case reference
    /// The whole seconds until the person's deadline.
    case deadlineSeconds
    /// The person's deadline, like `2026-01-02T03:04:05Z`.
    case deadlineTime
    /// The address to which the provider's page sends the browser back.
    case callbackURL
    /// A new random UUID for each request.
    case requestID
    /// The address at which browsers reach this server.
    case publicURL
    /// Seconds since 1970.
    case timestamp
    /// The time as text, like `2026-01-02T03:04:05Z`.
    case time
    /// The request's method, path with query, and body. They are for signed texts.
    case method, path, body
    /// The signature of the request.
    case signature
    /// A secret by its name in the config.
    case secret(String)
    /// A value of the answer to `begin`, by its name in `begin.find`.
    case found(String)

    /// The variables whose names contain no name from the config.
    private static let plain: [String: TemplateVariable] = [
        "account": .account, "reference": .reference, "deadlineSeconds": .deadlineSeconds,
        "deadlineTime": .deadlineTime, "callbackURL": .callbackURL, "requestID": .requestID, "publicURL": .publicURL,
        "timestamp": .timestamp,
        "time": .time, "method": .method, "path": .path, "body": .body, "signature": .signature,
    ]

    /// Reads the name between the braces; `nil` for an unknown name.
    init?(_ name: String) {
        if let plain = Self.plain[name] {
            self = plain
        } else if name.hasPrefix("secret."), name.utf8.count > 7 {
            self = .secret(String(name.dropFirst(7)))
        } else if name.hasPrefix("found."), name.utf8.count > 6 {
            self = .found(String(name.dropFirst(6)))
        } else {
            return nil
        }
    }

    /// The name as templates write it, without the braces.
    package var name: String {
        switch self {
        case .account: "account"
        case .reference: "reference"
        case .deadlineSeconds: "deadlineSeconds"
        case .deadlineTime: "deadlineTime"
        case .callbackURL: "callbackURL"
        case .requestID: "requestID"
        case .publicURL: "publicURL"
        case .timestamp: "timestamp"
        case .time: "time"
        case .method: "method"
        case .path: "path"
        case .body: "body"
        case .signature: "signature"
        case .secret(let name): "secret.\(name)"
        case .found(let name): "found.\(name)"
        }
    }

    /// Whether the value has only digits, and so may be in JSON without quotes.
    var isNumber: Bool {
        switch self {
        case .deadlineSeconds, .timestamp: true
        case .account, .reference, .deadlineTime, .callbackURL, .requestID, .publicURL, .time, .method, .path, .body,
            .signature,
            .secret, .found:
            false
        }
    }
}

/// The part of the config that a template belongs to, which decides the variables that have a value there.
package enum TemplateScope: Sendable, Equatable {
    /// Headers of every request.
    case everyRequest
    case begin
    case check
    /// The header with a signature.
    case signature
    /// The address of the provider's scan page.
    case page

    package func has(_ variable: TemplateVariable, in position: TemplatePosition) -> Bool {
        switch variable {
        case .requestID, .timestamp, .time: self != .page
        case .publicURL: self != .signature
        // Servers and proxies write addresses into their logs.
        case .secret: self != .page && position != .path
        case .account, .deadlineSeconds, .deadlineTime, .callbackURL: self == .begin
        case .reference: self == .check || self == .page
        case .method, .path, .body: position == .signed
        case .signature: self == .signature
        case .found: self == .page
        }
    }

    /// Returns the names of the variables that ``has(_:in:)`` allows, for an error message.
    package func names(in position: TemplatePosition) -> [String] {
        let all: [TemplateVariable] = [
            .account, .reference, .deadlineSeconds, .deadlineTime, .callbackURL, .requestID, .publicURL, .timestamp,
            .time, .method,
            .path, .body, .signature, .secret("NAME"), .found("NAME"),
        ]
        return all.filter { has($0, in: position) }.map(\.name)
    }
}

/// The position of a template's text, which decides how values are escaped.
package enum TemplatePosition: Sendable, Equatable {
    /// The path and query of a URL. Each value is one path segment, or one value of the query.
    case path
    /// A header's value.
    case header
    /// A JSON document.
    case json
    /// A signed text, which contains the bytes unchanged.
    case signed
}
