package import Kernel

/// A device's answer to a challenge.
package struct ChallengeAnswer: Sendable, Equatable {
    package let device: DeviceName
    /// The challenge as it was issued.
    package let challenge: String
    package let signature: [UInt8]

    package init(device: DeviceName, challenge: String, signature: [UInt8]) {
        self.device = device
        self.challenge = challenge
        self.signature = signature
    }
}

/// The outcome of checking an answer to a challenge.
package enum ChallengeVerdict: Sendable, Equatable {
    case proven(ProvenDevice)
    /// No device of that name can sign in by a key.
    case notEnabled
    /// The challenge is not the device's open one, or the signature is not by its key.
    case refused
}

/// A device that has signed its challenge.
package struct ProvenDevice: Sendable, Equatable {
    package let device: DeviceID
    /// The id that the client gave it.
    package let name: String
    package let account: AccountID
    package let biometric: BiometricKind?
    let key: DeviceKey
    let challenge: Digest256
}

/// A request to give a device a key.
package struct DeviceKeyRequest: Sendable, Equatable {
    package let requester: Requester
    package let device: DeviceName
    package let key: DeviceKey
    package let biometric: BiometricKind
    /// The old key's signature for the new key.
    package let oldSignature: [UInt8]?
    /// What the notice to the owner tells of the request.
    package let asker: Kernel.Requester

    package init(
        requester: Requester,
        device: DeviceName,
        key: DeviceKey,
        biometric: BiometricKind,
        oldSignature: [UInt8]?,
        asker: Kernel.Requester
    ) {
        self.requester = requester
        self.device = device
        self.key = key
        self.biometric = biometric
        self.oldSignature = oldSignature
        self.asker = asker
    }

    /// The signed-in person who requests a key, and what their session has proved.
    package struct Requester: Sendable, Equatable {
        package let account: AccountID
        /// The session in which the key is set up.
        package let session: SessionID
        /// The session's device, if any.
        package let device: DeviceID?
        /// Whether the sign-in proved to be on that device, made it the account's, or used a mailed code, and did not
        /// only name the device.
        package let isDeviceProven: Bool
        /// Whether the session began with a code from the owner's mailbox.
        package let isMailboxProven: Bool

        package init(
            account: AccountID,
            session: SessionID,
            device: DeviceID?,
            isDeviceProven: Bool,
            isMailboxProven: Bool
        ) {
            self.account = account
            self.session = session
            self.device = device
            self.isDeviceProven = isDeviceProven
            self.isMailboxProven = isMailboxProven
        }
    }
}

/// The outcome of a request for a key.
package enum DeviceKeyOutcome: Sendable, Equatable {
    case enabled(isReplacement: Bool)
    /// The device has that key already.
    case unchanged
    /// The account has no such device, or the session is on a different one.
    case unknownDevice
    case oldKeyRequired
    /// The device has no key, and the session has only named the device.
    case deviceUnproven
}

extension DeviceKey {
    /// Whether the key signed the challenge: its text, or the 32 bytes that the text encodes.
    func verifies(_ answer: ChallengeAnswer) -> Bool {
        if verifies(answer.signature, over: Array(answer.challenge.utf8)) { return true }
        let bare = answer.challenge.prefix { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")
        guard let bytes = Base64URL.decode(bare) else { return false }
        return verifies(answer.signature, over: bytes)
    }

    /// Returns the text, in UTF-8, that the old key signs in order to be replaced by this key.
    ///
    /// No other text that a device's key signs begins with these lines.
    package func replacementText(challenge: String) -> String {
        "vestibule-key-replacement-v1\n\(challenge)\n\(thumbprint)"
    }
}
