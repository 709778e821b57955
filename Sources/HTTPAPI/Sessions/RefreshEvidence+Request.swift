import Devices
import Hummingbird
import Kernel
import Operations
import Sessions
import Wire

extension RefreshEvidence {
    private static let nameLimit = 128

    /// What a refresh brings beside its token: a device credential in the header, a signature in the body.
    ///
    /// The name of a device alone is nothing, and no fault.
    init(_ order: RefreshRequest?, _ request: Request, token: String, at now: Instant) throws(APIError) {
        let credential = request.deviceCredential
        guard let order, order.deviceSignature != nil || order.deviceCount != nil else {
            self.init(credential: credential)
            return
        }
        guard let device = order.deviceId, let text = order.deviceSignature, let count = order.deviceCount,
            (1...Self.nameLimit).contains(device.count), count > 0, let bytes = DeviceSignatureText.bytes(text),
            (1...DeviceKey.longestSignature).contains(bytes.count), !device.utf8.contains(UInt8(ascii: "\n"))
        else {
            throw .invalidRequest("“deviceId”, “deviceSignature” and “deviceCount” go together, or can't be read.")
        }
        try DeviceSignatureText.checkCount(count, at: now)
        self.init(
            credential: credential,
            signature: Signature(device: device, token: Digest256(sha256: token), count: count, bytes: bytes)
        )
    }
}

/// A signature as apps write it.
enum DeviceSignatureText {
    /// How far a device's clock may be ahead, in milliseconds.
    private static let tolerance: Int64 = 300_000

    /// Refuses a count that is too far ahead, before anything remembers it: the device could make no other proof until
    /// its clock has come there again.
    static func checkCount(_ count: Int64, at now: Instant) throws(APIError) {
        guard count <= now.milliseconds + tolerance else {
            throw .invalidRequest(
                "“deviceCount” is more than five minutes ahead of the time: the device's clock is wrong."
            )
        }
    }

    /// Either alphabet of RFC 4648, with or without padding, in lines or in one.
    static func bytes(_ text: String) -> [UInt8]? {
        let bare = text.filter { !$0.isNewline }.reversed().drop { $0 == "=" }.reversed()
        return Base64URL.decode(String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
}
