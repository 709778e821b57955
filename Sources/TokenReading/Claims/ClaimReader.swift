package import Kernel

/// Reads claims with the types that this server writes.
///
/// Any other type is ``TokenError/claims``.
package struct ClaimReader: Sendable {
    /// The deepest accepted nesting of JSON.
    ///
    /// This server's claims nest far less.
    package static let maximumDepth = 8

    private let members: [String: JSONValue]

    package init(_ payload: [UInt8]) throws(TokenError) {
        guard case .object(let members)? = try? JSONReader.read(payload, maximumDepth: Self.maximumDepth) else {
            throw .claims
        }
        self.members = members
    }

    private init(members: [String: JSONValue]) { self.members = members }

    /// Returns the members of a claim that is an object; `nil` if the claim is absent.
    package func optionalObject(_ name: String) throws(TokenError) -> ClaimReader? {
        switch members[name] {
        case nil: nil
        case .object(let inner): ClaimReader(members: inner)
        case .null, .bool, .number, .string, .array: throw .claims
        }
    }

    package func string(_ name: String) throws(TokenError) -> String {
        guard case .string(let text)? = members[name], !text.isEmpty else { throw .claims }
        return text
    }

    /// Returns a text; `nil` for an absent claim.
    ///
    /// `null` is refused, because this server never writes it.
    package func optionalString(_ name: String) throws(TokenError) -> String? {
        switch members[name] {
        case nil: nil
        case .string(let text): text
        case .null, .bool, .number, .array, .object: throw .claims
        }
    }

    package func integer(_ name: String) throws(TokenError) -> Int64 {
        guard let number = members[name]?.integer else { throw .claims }
        return number
    }

    package func strings(_ name: String) throws(TokenError) -> [String] {
        guard case .array(let values)? = members[name] else { throw .claims }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw .claims }
            texts.append(text)
        }
        return texts
    }

    package func id<ID: EntityID>(_ name: String) throws(TokenError) -> ID {
        guard let id = ID(parsing: try string(name)) else { throw .claims }
        return id
    }

    /// Returns a NumericDate (RFC 7519 §2) in whole seconds.
    package func instant(_ name: String) throws(TokenError) -> Instant {
        guard let instant = try optionalInstant(name) else { throw .claims }
        return instant
    }

    package func optionalInstant(_ name: String) throws(TokenError) -> Instant? {
        guard let value = members[name] else { return nil }
        guard let seconds = value.integer, Self.seconds.contains(seconds) else { throw .claims }
        return Instant(seconds: seconds)
    }

    /// Returns a NumericDate as other issuers write it, with a fraction or an exponent (RFC 7519 §2), in whole
    /// milliseconds.
    package func fractionalInstant(_ name: String) throws(TokenError) -> Instant {
        guard let instant = try optionalFractionalInstant(name) else { throw .claims }
        return instant
    }

    /// Returns a NumericDate as ``fractionalInstant(_:)`` does; `nil` if the claim is absent.
    package func optionalFractionalInstant(_ name: String) throws(TokenError) -> Instant? {
        guard let value = members[name] else { return nil }
        guard let seconds = value.number, seconds >= 0, seconds < Double(Self.seconds.upperBound) + 1 else {
            throw .claims
        }
        return Instant(milliseconds: Int64(seconds * 1000))
    }

    /// Returns `aud` as other issuers write it: one name, or an array of names (RFC 7519 §4.1.3).
    package func audiences() throws(TokenError) -> Set<String> {
        switch members["aud"] {
        case .string(let one): [one]
        case .array: Set(try strings("aud"))
        case nil, .null, .bool, .number, .object: throw .claims
        }
    }

    /// 1970 to 9999, in seconds.
    ///
    /// Later dates would overflow when a duration is added to them.
    private static let seconds: ClosedRange<Int64> = 0...253_402_300_799
}
