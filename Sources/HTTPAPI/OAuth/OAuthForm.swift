import Hummingbird
import Kernel
import NIOCore
import OAuth

/// The parameters of a request to one of the OAuth endpoints, each at most once (RFC 6749 §3.1, §3.2).
///
/// A parameter without a value counts as missing.
struct OAuthForm: Sendable {
    /// The largest body or query in bytes; the longest legitimate ones carry a signed request.
    static let limit = 32_768
    private static let mostFields = 64

    private var fields: [String: String] = [:]
    /// The values of the ``repeatable`` parameters, in the order of the request.
    private var lists: [String: [String]] = [:]
    /// The parameters that a client may repeat (RFC 8707 §2).
    private static let repeatable: Set<String> = ["resource"]

    /// Reads a form in the body (`application/x-www-form-urlencoded`).
    /// - Throws: ``OAuthError`` `invalid_request` for another media type, too long a body, or a repeated parameter.
    init(body request: Request) async throws {
        guard let text = try await FormBody.text(of: request, upTo: Self.limit) else {
            throw OAuthError(
                .invalidRequest,
                "Send the parameters as application/x-www-form-urlencoded, in \(Self.limit) bytes at the most."
            )
        }
        try self.init(text)
    }

    init(query request: Request) throws { try self.init(request.uri.query ?? "") }

    init(_ text: String) throws(OAuthError) {
        let pairs = QueryText.pairs(text)
        guard text.utf8.count <= Self.limit, pairs.count <= Self.mostFields else {
            throw OAuthError(
                .invalidRequest,
                "There are too many parameters, or they are too long. Send fewer or shorter ones."
            )
        }
        for pair in pairs {
            let (name, value) = (QueryText.decode(pair.name), QueryText.decode(pair.value))
            guard !value.isEmpty else { continue }
            if Self.repeatable.contains(name) {
                lists[name, default: []].append(value)
            } else if fields.updateValue(value, forKey: name) != nil {
                throw OAuthError(.invalidRequest, "A parameter is sent more than once.")
            }
        }
    }

    /// Returns the value of a parameter; `nil` if it is missing.
    subscript(_ name: String) -> String? { fields[name] }

    /// Returns the values of a repeatable parameter.
    func all(_ name: String) -> [String] { lists[name] ?? [] }

    var names: Set<String> { Set(fields.keys).union(lists.keys) }

    /// - Throws: ``OAuthError`` `invalid_request` if the parameter is missing.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = fields[name] else { throw OAuthError(.invalidRequest, "The parameter \(name) is missing.") }
        return value
    }

    /// Returns the code verifier, by its standard name (RFC 7636 §4.5) or by the name that published apps use.
    func verifier() throws(OAuthError) -> String? {
        let (standard, field) = (self["code_verifier"], self["verifier"])
        guard standard == nil || field == nil || standard == field else {
            throw OAuthError(.invalidRequest, "The code_verifier is sent twice with different values.")
        }
        return standard ?? field
    }
}
