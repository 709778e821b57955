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
package struct PresentedProofs: Sendable, Equatable {
    /// Digests of device cookies that were minted here, whoever for: nobody guesses those.
    package let minted: [Digest256]
    /// Digests of other cookies and of the credential.
    package let others: [Digest256]
    /// What a device's key is said to have signed; a device's name is no secret, so that it counts for nothing unless the
    /// signature is good.
    package let signed: SignedStart?

    package init(minted: [Digest256] = [], others: [Digest256] = [], signed: SignedStart? = nil) {
        self.minted = minted
        self.others = others
        self.signed = signed
    }

    var isEmpty: Bool { minted.isEmpty && others.isEmpty && signed == nil }
}

/// A signature of a device's key, and the client that the start is for.
package struct SignedStart: Sendable, Equatable {
    package let signature: DeviceSignature
    package let client: String

    package init(_ signature: DeviceSignature, client: String) {
        self.signature = signature
        self.client = client
    }

    /// By what the limits know the device again.
    var mark: Digest256 { Digest256(sha256: "device-key\n\(client)\n\(signature.device)") }
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
