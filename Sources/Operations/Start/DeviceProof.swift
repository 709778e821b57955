package import Kernel

/// The proofs of a linked or registered device in a request to start.
package struct DeviceProof: Sendable, Equatable {
    /// SHA-256 of each secret in the presented device cookie.
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

/// The marks of the device proofs in a request to start, before they are verified.
package struct PresentedProofs: Sendable, Equatable {
    /// Digests of device cookies that this server has issued, which can't be guessed.
    package let issued: [Digest256]
    /// Digests of other cookies and of the credential.
    package let others: [Digest256]
    /// The unverified signature of a device's key.
    ///
    /// A device's name is not secret, so it counts only with a valid signature.
    package let signed: SignedStart?

    package init(issued: [Digest256] = [], others: [Digest256] = [], signed: SignedStart? = nil) {
        self.issued = issued
        self.others = others
        self.signed = signed
    }

    var isEmpty: Bool { issued.isEmpty && others.isEmpty && signed == nil }
}

/// A device key's signature, and the client of the login.
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

/// A device key's signature for one start.
package struct DeviceSignature: Sendable, Equatable {
    /// The device's id, which the client chose.
    package let device: String
    /// The code challenge of the start.
    package let codeChallenge: Digest256
    /// A counter that increases with each signature of the device.
    package let count: Int64
    package let bytes: [UInt8]

    package init(device: String, codeChallenge: Digest256, count: Int64, bytes: [UInt8]) {
        self.device = device
        self.codeChallenge = codeChallenge
        self.count = count
        self.bytes = bytes
    }
}
