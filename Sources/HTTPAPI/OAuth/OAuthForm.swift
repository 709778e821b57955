import Hummingbird
import Kernel
import NIOCore
import OAuth

/// The parameters of a request to one of the OAuth endpoints, each at most once (RFC 6749 §3.1, §3.2).
///
/// A parameter without a value counts as one that was left out.
package struct OAuthForm: Sendable {
    /// Bytes of a body or of a query; the longest honest ones carry a signed request.
    static let limit = 32_768
    private static let mostFields = 64

    private var fields: [String: String] = [:]
    /// Those of ``repeatable``, in the order in which they came.
    private var lists: [String: [String]] = [:]
    /// What RFC 8707 §2 lets a client write more than once.
    private static let repeatable: Set<String> = ["resource"]

    /// The parameters of a form in the body (`application/x-www-form-urlencoded`).
    /// - Throws: ``OAuthError`` `invalid_request` for a body of another type, one that is too long, or a parameter that comes twice.
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
            throw OAuthError(.invalidRequest, "There are too many parameters, or they are too long.")
        }
        for pair in pairs {
            let (name, value) = (QueryText.decode(pair.name), QueryText.decode(pair.value))
            guard !value.isEmpty else { continue }
            if Self.repeatable.contains(name) {
                lists[name, default: []].append(value)
            } else if fields.updateValue(value, forKey: name) != nil {
                throw OAuthError(.invalidRequest, "A parameter comes more than once.")
            }
        }
    }

    /// The parameter of that name; `nil` if it was left out.
    subscript(_ name: String) -> String? { fields[name] }

    /// The values of a parameter that may come more than once.
    func all(_ name: String) -> [String] { lists[name] ?? [] }

    var names: Set<String> { Set(fields.keys).union(lists.keys) }

    /// The parameter of that name.
    /// - Throws: ``OAuthError`` `invalid_request` if it was left out.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = fields[name] else { throw OAuthError(.invalidRequest, "The parameter \(name) is missing.") }
        return value
    }

    /// The code verifier, by its name in the standard (RFC 7636 §4.5), or by the one that apps in the field use.
    func verifier() throws(OAuthError) -> String? {
        let (standard, field) = (self["code_verifier"], self["verifier"])
        guard standard == nil || field == nil || standard == field else {
            throw OAuthError(.invalidRequest, "The code_verifier comes twice, and is not the same.")
        }
        return standard ?? field
    }
}
