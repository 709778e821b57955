public import Foundation

extension FaceLogin {
    /// The proof of this device at the start of a login.
    ///
    /// The SDK also sends the cookie of an earlier sign-in by itself.
    public enum DeviceProof: Sendable {
        /// A device credential: a secret that the server gave this device.
        case credential(String)
        /// A key that was registered for this device.
        ///
        /// It requires ``Options/clientID``, which is part of the signed text, and ``Options/sendsVerifier``.
        case key(DeviceKey)
    }

    /// A registered key that never leaves the device.
    public struct DeviceKey: Sendable {
        /// The id that the app gave the device: 1 to 128 characters without a line feed.
        public let device: String
        /// Returns an ECDSA signature of those bytes with P-256 and SHA-256, in DER or as 64 bytes.
        public let sign: @Sendable (Data) async throws -> Data

        /// Creates a proof with the device's key, which the closure uses to sign.
        public init(device: String, sign: @escaping @Sendable (Data) async throws -> Data) {
            self.device = device
            self.sign = sign
        }
    }
}

/// Creates the device's proof for the start of a login.
struct DeviceProver: Sendable {
    let proof: FaceLogin.DeviceProof?
    let clientID: String?
    let store: any TokenStore
    let now: @Sendable () -> Date

    /// The members of the start's body that the signature adds.
    struct Signature: Sendable, Equatable {
        let device: String
        let bytes: Data
        let count: Int64
    }

    /// The secret for the header, if the proof is a credential.
    var credential: String? {
        if case .credential(let secret) = proof { secret } else { nil }
    }

    /// Returns a new signature of that code challenge, if the proof is a key.
    ///
    /// Each signature is accepted once.
    func signature(over challenge: String?) async throws(FaceLoginError) -> Signature? {
        guard case .key(let key) = proof else { return nil }
        guard let challenge, let clientID else {
            throw .deviceProofFailed("a key takes Options.clientID and Options.sendsVerifier")
        }
        let count = try await nextCount()
        let lines = ["vestibule-login-start-v1", clientID, key.device, challenge, "\(count)"]
        do {
            let bytes = try await key.sign(Data(lines.joined(separator: "\n").utf8))
            return Signature(device: key.device, bytes: bytes, count: count)
        } catch { throw .deviceProofFailed(error.localizedDescription) }
    }

    /// Returns milliseconds since 1970, but always more than every earlier number, even if the clock was set back.
    private func nextCount() async throws(FaceLoginError) -> Int64 {
        let milliseconds = Int64(now().timeIntervalSince1970 * 1000)
        let drawn = Drawn()
        try await store.change { credentials in
            let next = max((credentials.deviceCount ?? 0) + 1, milliseconds)
            credentials.deviceCount = next
            drawn.value = next
        }
        return drawn.value
    }

    /// Returns a number from the closure that changes the store.
    private final class Drawn: @unchecked Sendable {
        // Guarded by the lock.
        private var number: Int64 = 0
        private let lock = NSLock()

        var value: Int64 {
            get { lock.withLock { number } }
            set { lock.withLock { number = newValue } }
        }
    }
}
