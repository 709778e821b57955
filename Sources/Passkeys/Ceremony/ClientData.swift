internal import Kernel

/// The browser's description of a ceremony, whose hash the authenticator signs (WebAuthn L3 §5.8.1).
package struct ClientData: Sendable, Equatable {
    /// The most bytes that are read: browsers send some 150, and may add members.
    package static let maximumLength = 8192

    package let type: String
    /// The challenge as sent: base64url.
    package let challenge: String
    package let origin: String
    package let isCrossOrigin: Bool
    package let topOrigin: String?

    /// Reads the bytes as sent; unknown members are ignored, as the clause requires.
    package init(_ bytes: [UInt8]) throws(ClientDataError) {
        guard bytes.count <= Self.maximumLength else { throw .malformed }
        guard case .object(let members) = try Self.json(bytes), case .string(let type) = members["type"],
            case .string(let challenge) = members["challenge"], case .string(let origin) = members["origin"]
        else { throw .malformed }
        self.type = type
        self.challenge = challenge
        self.origin = origin
        isCrossOrigin = try Self.flag(members["crossOrigin"])
        topOrigin = try Self.text(members["topOrigin"])
    }

    /// Reads the bytes as sent, and returns an error for the step of WebAuthn that reports it.
    static func read(_ bytes: [UInt8]) -> Result<ClientData, ClientDataError> {
        Result { () throws(ClientDataError) in try ClientData(bytes) }
    }

    private static func json(_ bytes: [UInt8]) throws(ClientDataError) -> JSONValue {
        // "UTF-8 decode" removes a byte order mark.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do throws(MalformedJSONError) {
            return try JSONReader.read(text)
        } catch {
            // JSONReader refuses invalid UTF-8 and invalid JSON alike; only after an error is it looked up which of
            // them it was.
            throw String(validating: text, as: UTF8.self) == nil ? .notUTF8 : .malformed
        }
    }

    private static func flag(_ value: JSONValue?) throws(ClientDataError) -> Bool {
        switch value {
        case nil: return false
        case .bool(let flag): return flag
        default: throw .malformed
        }
    }

    private static func text(_ value: JSONValue?) throws(ClientDataError) -> String? {
        switch value {
        case nil: return nil
        case .string(let text): return text
        default: throw .malformed
        }
    }
}

/// The reason why bytes are not client data.
package enum ClientDataError: Error, Sendable, Equatable {
    case notUTF8
    /// The bytes are too long, or not a JSON object with a type, a challenge and an origin.
    case malformed
}
