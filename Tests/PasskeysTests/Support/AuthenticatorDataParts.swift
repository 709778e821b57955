import Crypto
import Foundation

@testable import Passkeys

/// Authenticator data in parts that a test can change.
struct AuthenticatorDataParts {
    var rpID = "example.com"
    var flags: AuthenticatorData.Flags
    var signCount: UInt32 = 0
    var aaguid: [UInt8] = Array(1...16)
    var credentialID: [UInt8] = Array(repeating: 9, count: 32)
    /// The COSE_Key; only with the flag for it.
    var publicKey: [UInt8] = []
    /// Only with the flag for it.
    var extensions: [UInt8] = [0xA0]
    /// The bytes after all parts.
    var rest: [UInt8] = []

    var bytes: [UInt8] {
        var bytes = Array(SHA256.hash(data: Data(rpID.utf8))) + [flags.rawValue]
        bytes += (0..<4).reversed().map { UInt8(truncatingIfNeeded: signCount >> UInt32($0 * 8)) }
        if flags.contains(.attestedCredential) {
            bytes += aaguid + [UInt8(credentialID.count >> 8), UInt8(credentialID.count & 0xFF)]
            bytes += credentialID + publicKey
        }
        if flags.contains(.extensions) { bytes += extensions }
        return bytes + rest
    }
}
