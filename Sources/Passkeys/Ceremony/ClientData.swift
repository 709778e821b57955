internal import Kernel

/// The browser's description of a ceremony, whose hash the authenticator signs (WebAuthn L3 §5.8.1).
package struct ClientData: Sendable, Equatable {
    /// The longest that is read: browsers send some 150 bytes, and may add members.
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

    /// Reads the bytes as sent, and keeps an error for the step that reports it.
    static func read(_ bytes: [UInt8]) -> Result<ClientData, ClientDataError> {
        Result { () throws(ClientDataError) in try ClientData(bytes) }
    }

    private static func json(_ bytes: [UInt8]) throws(ClientDataError) -> JSONValue {
        // "UTF-8 decode" removes a byte order mark.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do throws(MalformedJSONError) {
            return try JSONReader.read(text)
        } catch {
            // The reader refuses both; which of the two it was is looked up where it went wrong.
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

/// The reason for which bytes are not client data.
package enum ClientDataError: Error, Sendable, Equatable {
    case notUTF8
    /// No JSON object that names its type, challenge and origin.
    case malformed
}
