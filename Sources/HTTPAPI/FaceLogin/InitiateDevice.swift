import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Wire

extension FaceLoginAPI {
    /// The longest id that a client may give a device.
    private static let nameLimit = 128

    /// What the start brings of a registered device; a proof that does not hold is no fault, and makes a decoy.
    func deviceProof(
        _ order: InitiateLoginRequest,
        _ request: Request,
        _ challenge: Digest256?
    ) throws -> DeviceProof {
        let credential = request.deviceCredential
        guard order.deviceSignature != nil || order.deviceCount != nil else {
            return DeviceProof(credential: credential)
        }
        guard let device = order.deviceId, let text = order.deviceSignature, let count = order.deviceCount,
            let challenge
        else {
            throw APIError.invalidRequest("“deviceId”, “deviceSignature” and “deviceCount” go with a “codeChallenge”.")
        }
        guard (1...Self.nameLimit).contains(device.count), count > 0, let signature = DeviceSignatureText.bytes(text),
            (1...DeviceKey.longestSignature).contains(signature.count), !device.utf8.contains(UInt8(ascii: "\n"))
        else { throw APIError.invalidRequest("“deviceId”, “deviceSignature” or “deviceCount” can't be read.") }
        try DeviceSignatureText.checkCount(count, at: facts.now())
        return DeviceProof(
            credential: credential,
            signature: DeviceSignature(device: device, codeChallenge: challenge, count: count, bytes: signature)
        )
    }
}
