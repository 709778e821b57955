import Devices
import HTTPTypes
import Operations

// The answers of the routes of devices and their keys.
extension APIError {
    /// The device's id is not a UUID.
    ///
    /// What to do: Correct the app: it makes one UUID for each installation and keeps it.
    static let invalidDeviceID = APIError(
        "invalid_device_id",
        "“deviceId” is not a UUID. Make one for each installation of the app, and keep it."
    )

    /// The platform is not a known one.
    ///
    /// What to do: Correct the app: send `ios` or `android`.
    static let invalidPlatform = APIError("invalid_platform", "“platform” can only be ios or android.")

    /// The device's name is empty, too long, or has characters that hide.
    ///
    /// What to do: Let the person choose another name.
    static let invalidDeviceName = APIError(
        "invalid_device_name",
        "“deviceName” must be one line of 1 to 100 characters, without hidden characters."
    )

    /// The push token is empty, too long, or not of printable ASCII.
    ///
    /// What to do: Correct the app: send the token as the platform gave it.
    static let invalidPushToken = APIError(
        "invalid_push_token",
        "“pushToken” must have 1 to 4096 ASCII characters, without spaces."
    )

    /// The device belongs to an account already.
    ///
    /// What to do: Sign in as its owner, or send its credential in `X-Device-Credential`.
    static let deviceRegistered = APIError(
        "device_already_registered",
        "This device already has an owner. To update it, sign in as the owner, or send its credential.",
        status: .conflict
    )

    /// The account has no device of that id, or the session is on another device.
    ///
    /// What to do: List the devices again, or sign in on the device itself.
    static let deviceNotFound = APIError(
        "device_not_found",
        "You have no such device, or you are signed in on a different device. List your devices again.",
        status: .notFound
    )

    /// The account has as many devices as it may have.
    ///
    /// What to do: Let the person remove a device, then repeat the request.
    static let tooManyDevices = APIError(
        "too_many_devices",
        "You have \(DeviceRegistrar.mostOwned) devices already. Remove one of them, then register this one.",
        status: .conflict
    )

    /// The public key is an example's and not a device's.
    ///
    /// What to do: Correct the app: make a key pair on the device.
    static let placeholderKey = APIError(
        "placeholder_key",
        "“publicKey” is a placeholder: make a key pair on the device and send its public key."
    )

    /// The signature is an example's and not a device's.
    ///
    /// What to do: Correct the app: sign the challenge on the device.
    static let placeholderSignature = APIError(
        "placeholder_signature",
        "“signature” is a placeholder: sign the challenge with the device’s key."
    )

    /// The public key cannot be read, or is too weak.
    ///
    /// What to do: Correct the app as the message says, and make a new key pair.
    static func invalidPublicKey(_ error: DeviceKeyError) -> APIError { APIError("invalid_public_key", error.sentence) }

    /// The device has no key to sign in with.
    ///
    /// What to do: Sign in another way, then set a key up.
    static let biometricNotEnabled = APIError(
        "biometric_not_enabled",
        "This device cannot sign in by a key. Sign in another way, then set one up."
    )
}

extension APIError.Unproven {
    /// The signature of the device's key over its open challenge is invalid.
    static let badSignature = Self(
        "The signature was not made with the device’s key, or the challenge is no longer valid. Ask for a new challenge.",
        event: .wrongSignature
    )
}

extension DeviceKeyError {
    /// The sentence that tells the app's developers what is wrong with the key.
    fileprivate var sentence: String {
        switch self {
        case .unreadable: "“publicKey” is not a SubjectPublicKeyInfo in DER, base64."
        case .unknownAlgorithm: "“publicKey” is neither a key of P-256 nor of RSA."
        case .notOnCurve: "“publicKey” is not a point of P-256."
        case .modulusSize(let bits): "“publicKey” has a modulus of \(bits) bits. It must have 2048 to 8192."
        case .modulusFactor: "“publicKey” has a modulus with a small factor. Make a new key."
        case .modulusFingerprint: "“publicKey” can be broken (CVE-2017-15361). Make a new key with other software."
        case .exponent: "“publicKey” has a public exponent that is even, below 65537 or above 33 bits."
        }
    }
}
