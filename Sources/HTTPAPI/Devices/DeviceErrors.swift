import Devices
import HTTPTypes
import Operations

// The answers of the routes of devices and their keys.
extension APIError {
    static let invalidDeviceID = APIError(
        "invalid_device_id",
        "“deviceId” is not a UUID; the app makes one once and keeps it."
    )
    static let invalidPlatform = APIError("invalid_platform", "“platform” can only be ios or android.")
    static let invalidDeviceName = APIError(
        "invalid_device_name",
        "“deviceName” is one line of 1 to 100 characters, without characters that hide."
    )
    static let invalidPushToken = APIError(
        "invalid_push_token",
        "“pushToken” has 1 to 4096 characters of ASCII, without spaces."
    )
    static let deviceRegistered = APIError(
        "device_already_registered",
        "This device has an owner already. To update it, sign in as the owner, or show its credential.",
        status: .conflict
    )
    static let deviceNotFound = APIError(
        "device_not_found",
        "You have no such device, or are signed in on another one.",
        status: .notFound
    )
    static let tooManyDevices = APIError(
        "too_many_devices",
        "You have \(DeviceRegistrar.mostOwned) devices already. Remove one of them, then register this one.",
        status: .conflict
    )
    static let placeholderKey = APIError(
        "placeholder_key",
        "“publicKey” is a placeholder: make a key pair on the device and send its public key."
    )
    static let placeholderSignature = APIError(
        "placeholder_signature",
        "“signature” is a placeholder: sign the challenge with the device’s key."
    )

    static func invalidPublicKey(_ error: DeviceKeyError) -> APIError { APIError("invalid_public_key", error.sentence) }

    static let biometricNotEnabled = APIError(
        "biometric_not_enabled",
        "This device can't sign in by a key. Sign in another way, then set one up."
    )
}

extension APIError.Unproven {
    /// A signature of the device's key over its open challenge.
    static let badSignature = Self(
        "The signature is not the device key’s, or the challenge is not open any more. Ask for a new one.",
        event: .wrongSignature
    )
}

extension DeviceKeyError {
    /// The sentence that tells the key's maker what is wrong with it.
    fileprivate var sentence: String {
        switch self {
        case .unreadable: "“publicKey” is not a SubjectPublicKeyInfo in DER, base64."
        case .unknownAlgorithm: "“publicKey” is neither a key of P-256 nor of RSA."
        case .notOnCurve: "“publicKey” is not a point of P-256."
        case .modulusSize(let bits): "“publicKey” has a modulus of \(bits) bits; 2048 to 8192 are taken."
        case .modulusFactor: "“publicKey” has a modulus with a small factor; make a new key."
        case .modulusFingerprint: "“publicKey” can be broken (CVE-2017-15361); make a new key with other software."
        case .exponent: "“publicKey” has a public exponent that is even, below 65537 or above 33 bits."
        }
    }
}
