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

/// What a start brings that may prove a device, before any of it was looked up, by the marks that it is known by again.
package struct BroughtProofs: Sendable, Equatable {
    /// Digests of device cookies that were minted here, whoever for: nobody guesses those.
    package let minted: [Digest256]
    /// Digests of other cookies and of the credential, and the mark of a signature.
    package let others: [Digest256]

    package init(minted: [Digest256] = [], others: [Digest256] = []) {
        self.minted = minted
        self.others = others
    }

    var isEmpty: Bool { minted.isEmpty && others.isEmpty }
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

    /// By what the limits know the device again.
    package var mark: Digest256 { Self.mark(of: device) }

    /// The mark of signatures of a device of that name.
    package static func mark(of device: String) -> Digest256 { Digest256(sha256: "device-key\u{0}" + device) }
}
