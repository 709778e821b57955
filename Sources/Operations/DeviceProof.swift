package import Kernel

/// What a start brings of a registered device, beside the device cookie.
package struct DeviceProof: Sendable, Equatable {
    /// SHA-256 of the device credential's text.
    package let credential: Digest256?
    package let signature: DeviceSignature?

    package init(credential: Digest256? = nil, signature: DeviceSignature? = nil) {
        self.credential = credential
        self.signature = signature
    }

    package var isEmpty: Bool { credential == nil && signature == nil }
}

/// What a device's key has signed for one start.
package struct DeviceSignature: Sendable, Equatable {
    /// The id that the client gave the device.
    package let device: String
    /// The code challenge of the start.
    package let codeChallenge: Digest256
    /// Grows from one signature of the device to the next.
    package let count: Int64
    package let bytes: [UInt8]

    package init(device: String, codeChallenge: Digest256, count: Int64, bytes: [UInt8]) {
        self.device = device
        self.codeChallenge = codeChallenge
        self.count = count
        self.bytes = bytes
    }
}
