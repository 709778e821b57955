package import Kernel

/// Reads claims with the types that this server writes; anything else is ``TokenError/claims``.
package struct ClaimReader: Sendable {
    /// This server's claims nest far less; claims of others need not be followed further.
    package static let maximumDepth = 8

    private let members: [String: JSONValue]

    package init(_ payload: [UInt8]) throws(TokenError) {
        guard case .object(let members)? = try? JSONReader.read(payload, maximumDepth: Self.maximumDepth) else {
            throw .claims
        }
        self.members = members
    }

    private init(members: [String: JSONValue]) { self.members = members }

    /// Returns the members of a claim that is an object; `nil` if it is absent.
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

    /// Returns `nil` for an absent claim; a `null`, which this server never writes, is refused.
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

    /// Returns a NumericDate as others write it, with a fraction or an exponent (RFC 7519 §2); cut to milliseconds.
    package func fractionalInstant(_ name: String) throws(TokenError) -> Instant {
        guard let instant = try optionalFractionalInstant(name) else { throw .claims }
        return instant
    }

    /// Returns the same; `nil` if it is absent.
    package func optionalFractionalInstant(_ name: String) throws(TokenError) -> Instant? {
        guard let value = members[name] else { return nil }
        guard let seconds = value.number, seconds >= 0, seconds < Double(Self.seconds.upperBound) + 1 else {
            throw .claims
        }
        return Instant(milliseconds: Int64(seconds * 1000))
    }

    /// `aud` as others write it: one name, or an array of them (RFC 7519 §4.1.3).
    package func audiences() throws(TokenError) -> Set<String> {
        switch members["aud"] {
        case .string(let one): [one]
        case .array: Set(try strings("aud"))
        case nil, .null, .bool, .number, .object: throw .claims
        }
    }

    /// 1970 to 9999: further dates would overflow when they are added to.
    private static let seconds: ClosedRange<Int64> = 0...253_402_300_799
}
