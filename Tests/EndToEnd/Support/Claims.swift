import Foundation
import Kernel
import Wire

/// The claims of a token, read without checking its signature.
struct Claims: Decodable, Hashable, Sendable {
    let sub: String
    let sid: String
    let jti: String
    let iat: Int
    let exp: Int
    let type: String

    init(_ token: String) throws { self = try Self.decode(token, part: 1) }

    /// `kid` of the header.
    static func keyID(_ token: String) throws -> String {
        struct Header: Decodable { let kid: String }
        return try decode(token, part: 0, as: Header.self).kid
    }

    private static func decode<Value: Decodable>(
        _ token: String,
        part: Int,
        as: Value.Type = Value.self
    ) throws -> Value {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[part]) else {
            throw ExpectationError("this is not a signed token: \(token)")
        }
        return try JSONDecoder().decode(Value.self, from: Data(bytes))
    }
}

/// The claims of one answer's tokens.
struct GrantClaims: Hashable, Sendable {
    let access: Claims
    let refresh: Claims

    /// Throws for an answer without tokens.
    init(_ answer: PollLoginResponse) throws {
        guard let tokens = answer.tokens else { throw ExpectationError("no tokens: \(answer)") }
        access = try Claims(tokens.accessToken)
        refresh = try Claims(tokens.refreshToken)
        guard access.sid == refresh.sid, access.type == "access", refresh.type == "refresh" else {
            throw ExpectationError("tokens that don't belong together: \(access), \(refresh)")
        }
    }

    var session: String { access.sid }
}
