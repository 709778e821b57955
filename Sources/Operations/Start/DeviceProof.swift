package import Kernel

/// The proofs of a linked or registered device that a start presents.
package struct DeviceProof: Sendable, Equatable {
    /// SHA-256 of each secret of the device cookie that came with the request.
    package let cookies: [Digest256]
    /// SHA-256 of the device credential's text.
    package let credential: Digest256?
    package let signature: DeviceSignature?

    package init(cookies: [Digest256], credential: Digest256? = nil, signature: DeviceSignature? = nil) {
        self.cookies = cookies
        self.credential = credential
        self.signature = signature
    }

    package var isEmpty: Bool { cookies.isEmpty && credential == nil && signature == nil }
}

/// The device proofs that a start presents, before they are looked up, by the marks that identify them later.
package struct PresentedProofs: Sendable, Equatable {
    /// Digests of device cookies that this server has issued: they cannot be guessed.
    package let issued: [Digest256]
    /// Digests of other cookies and of the credential.
    package let others: [Digest256]
    /// The alleged signature of a device's key.
    ///
    /// A device's name is not a secret, so that it counts only with a valid signature.
    package let signed: SignedStart?

    package init(issued: [Digest256] = [], others: [Digest256] = [], signed: SignedStart? = nil) {
        self.issued = issued
        self.others = others
        self.signed = signed
    }

    var isEmpty: Bool { issued.isEmpty && others.isEmpty && signed == nil }
}

/// A signature of a device's key, and the client that the start is for.
package struct SignedStart: Sendable, Equatable {
    package let signature: DeviceSignature
    package let client: String

    package init(_ signature: DeviceSignature, client: String) {
        self.signature = signature
        self.client = client
    }

    /// The mark by which the limits recognise the device.
    var mark: Digest256 { Digest256(sha256: "device-key\n\(client)\n\(signature.device)") }
}

/// A signature of a device's key for one start.
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
