import Devices
import Kernel

/// Checks the values that apps send about devices.
enum DeviceInput {
    private static let labelLimit = 100
    private static let pushTokenLimit = 4096
    /// The largest key in bytes, decoded from base64: SubjectPublicKeyInfo of RSA with 8192 bits, and some more.
    private static let keyLimit = 1200

    /// Returns the id that an app gave its device, unchanged.
    static func id(_ text: String) throws(APIError) -> String {
        guard UUIDBits(text) != nil else { throw .invalidDeviceID }
        return text
    }

    static func platform(_ text: String) throws(APIError) -> RegisteredDevice.Platform {
        guard let platform = RegisteredDevice.Platform(rawValue: text) else { throw .invalidPlatform }
        return platform
    }

    /// The two joiners, which unlike other characters of their category neither hide text nor reverse it.
    ///
    /// Words of Persian and of Indian languages need them, and so do composed emoji.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Returns a label of one line without hidden or reordering characters.
    static func label(_ text: String) throws(APIError) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            if joiners.contains(scalar) { return true }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        guard (1...labelLimit).contains(text.unicodeScalars.count), isPlain,
            text.unicodeScalars.contains(where: { !$0.properties.isWhitespace && !joiners.contains($0) })
        else { throw .invalidDeviceName }
        return text
    }

    static func pushToken(_ text: String) throws(APIError) -> Secret {
        guard (1...pushTokenLimit).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalidPushToken }
        return Secret(text)
    }

    static func key(_ text: String) throws(APIError) -> DeviceKey {
        // The published wallet app sends this placeholder. Accepted, it would sign in anybody who knows the device's
        // id.
        guard !text.hasPrefix("mwsim_") else { throw .placeholderKey }
        guard let bytes = base64(text), bytes.count <= keyLimit else {
            throw .invalidPublicKey(.unreadable)
        }
        do { return try DeviceKey(spki: bytes) } catch { throw .invalidPublicKey(error) }
    }

    static func biometric(_ text: String) throws(APIError) -> BiometricKind {
        guard let kind = BiometricKind(rawValue: text) else {
            throw .invalidRequest("“biometricType” can only be face or fingerprint.")
        }
        return kind
    }

    static func signature(_ text: String, _ member: String) throws(APIError) -> [UInt8] {
        guard !text.hasPrefix("signed_") else { throw .placeholderSignature }
        guard let bytes = base64(text), (1...DeviceKey.longestSignature).contains(bytes.count) else {
            throw .invalidRequest("“\(member)” is not a signature in base64.")
        }
        return bytes
    }

    /// Decodes either alphabet of RFC 4648, with or without padding and line breaks.
    static func base64(_ text: String) -> [UInt8]? {
        let bare = text.filter { !$0.isNewline }.reversed().drop { $0 == "=" }.reversed()
        return Base64URL.decode(String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
}

/// A signature that a request attributes to its device's key, with the same members for a start and a refresh.
struct ClaimedSignature {
    private static let nameLimit = 128
    /// How far a device's clock may be ahead, in milliseconds.
    private static let tolerance: Int64 = 300_000

    let device: String
    let count: Int64
    let bytes: [UInt8]

    /// Reads the signature; `nil` for a request without one, which may name a device all the same.
    ///
    /// A count too far ahead is refused before it is stored: otherwise the device could prove nothing until its clock
    /// has reached that count.
    init?(of device: String?, signature: String?, count: Int64?, at now: Instant) throws(APIError) {
        guard signature != nil || count != nil else { return nil }
        guard let device, (1...Self.nameLimit).contains(device.count), !device.utf8.contains(UInt8(ascii: "\n")),
            let count, count > 0, let bytes = signature.flatMap(DeviceInput.base64),
            (1...DeviceKey.longestSignature).contains(bytes.count)
        else {
            throw .invalidRequest(
                "“deviceId”, “deviceSignature” or “deviceCount” is missing or unreadable. Send all three."
            )
        }
        guard count <= now.milliseconds + Self.tolerance else {
            throw .invalidRequest(
                "“deviceCount” is more than five minutes ahead of the time. Correct the device’s clock."
            )
        }
        self.device = device
        self.count = count
        self.bytes = bytes
    }
}
