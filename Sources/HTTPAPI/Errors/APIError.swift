import Accounts
package import Devices
package import HTTPTypes
import Kernel
package import Operations
import Passkeys
package import TokenReading
package import Wallet

/// What can be wrong with a request: the one table of the API's error codes, their status and their sentence.
///
/// Codes are stable; docs/openapi.yaml lists them, and a test compares the two.
package enum APIError: Error, Equatable, Sendable {
    case notFound
    case methodNotAllowed(allowed: [HTTPRequest.Method])
    case payloadTooLarge(limit: Int)
    case unsupportedMediaType
    case requestTimeout
    case incompleteBody
    case malformedJSON
    case invalidRequest(String)
    case invalidEmail
    case invalidCodeChallenge
    case unsupportedChallengeMethod
    case verifierRequired
    case invalidMode
    case modeNotOffered
    case invalidReturnURL
    case invalidWait
    case invalidLimit
    case invalidMessage
    case invalidAmount
    case invalidPayee
    case invalidPayloadHash
    case clientRequired
    case unknownClient
    case clientNotAllowed
    case operationNotFound
    case invalidDeviceID
    case invalidPlatform
    case invalidDeviceName
    case invalidPushToken
    case deviceRegistered
    case deviceNotFound
    case tooManyDevices
    case placeholderKey
    case placeholderSignature
    case invalidPublicKey(DeviceKeyFault)
    case biometricNotEnabled
    case enrollmentNotOffered
    case notEnrolled
    case invalidName
    case weakPassword
    case emailTaken
    case emailNotVerified
    case wrongPassword
    case wrongAddressCode
    case invalidUsername(atLeast: Int = 1)
    case usernameTaken
    case registrationClosed
    case relyingPartyNotListed
    case algorithmsNotOffered
    case challengeOver
    case unknownPasskey
    /// `reason`: what is wrong with it, for whoever made it.
    case passkeyRefused(reason: String)
    case passkeyRegistered
    case passkeyNotFound
    case lastPasskey
    case tooManyPasskeys
    case invalidPasskeyName
    case bankNotFound
    case deepLinkNotAllowed
    case cardNotFound
    case bankNotEnrolled
    case bankSignInNeeded
    /// `isUnusable`: it answers, with what can't be used.
    case bankUnavailable(isUnusable: Bool)
    case invalidMerchant
    case idempotencyMismatch
    case paymentLimit
    case tooManyOpenPayments(retryAfter: Int)
    case paymentNotFound
    /// Where it stands: confirmed, cancelled or expired.
    case paymentOver(PaymentStatus)
    case paymentChanged
    case wrongDevice
    case paymentProofRefused
    case cardTokenOver
    case unauthorized(Unproven)
    case stepUpRequired
    /// What the token is not good for; `isBound`: whether it came with the proof of a key.
    case insufficientScope(String, isBound: Bool)
    case originNotAllowed
    /// `isAccess`: whether it came with an access token.
    case invalidDPoPProof(DPoPRefusal, isAccess: Bool)
    case webhookNotVerified
    case webhookStale
    /// `by`: the limit that refused, where its refusals are counted with the answer.
    case rateLimited(retryAfter: Int, by: FixedLimit? = nil)
    case slowDown(interval: Int)
    case storeUnavailable
    case internalError

    package var code: String {
        switch self {
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .payloadTooLarge: "payload_too_large"
        case .unsupportedMediaType: "unsupported_media_type"
        case .requestTimeout: "request_timeout"
        case .incompleteBody: "incomplete_body"
        case .malformedJSON: "malformed_json"
        case .invalidRequest: "invalid_request"
        case .invalidEmail: "invalid_email"
        case .invalidCodeChallenge: "invalid_code_challenge"
        case .unsupportedChallengeMethod: "unsupported_challenge_method"
        case .verifierRequired: "verifier_required"
        case .invalidMode: "invalid_mode"
        case .modeNotOffered: "mode_not_offered"
        case .invalidReturnURL: "invalid_return_url"
        case .invalidWait: "invalid_wait"
        case .invalidLimit: "invalid_limit"
        case .invalidMessage: "invalid_message"
        case .invalidAmount: "invalid_amount"
        case .invalidPayee: "invalid_payee"
        case .invalidPayloadHash: "invalid_payload_hash"
        case .clientRequired: "client_required"
        case .unknownClient: "unknown_client"
        case .clientNotAllowed: "client_not_allowed"
        case .operationNotFound: "operation_not_found"
        case .invalidDeviceID: "invalid_device_id"
        case .invalidPlatform: "invalid_platform"
        case .invalidDeviceName: "invalid_device_name"
        case .invalidPushToken: "invalid_push_token"
        case .deviceRegistered: "device_already_registered"
        case .deviceNotFound: "device_not_found"
        case .tooManyDevices: "too_many_devices"
        case .placeholderKey: "placeholder_key"
        case .placeholderSignature: "placeholder_signature"
        case .invalidPublicKey: "invalid_public_key"
        case .biometricNotEnabled: "biometric_not_enabled"
        case .enrollmentNotOffered: "enrollment_not_offered"
        case .notEnrolled: "not_enrolled"
        case .invalidName: "invalid_name"
        case .weakPassword: "weak_password"
        case .emailTaken: "email_taken"
        case .emailNotVerified: "email_not_verified"
        case .wrongPassword: "wrong_password"
        case .wrongAddressCode: "wrong_address_code"
        case .invalidUsername: "invalid_username"
        case .usernameTaken: "username_taken"
        case .registrationClosed: "registration_closed"
        case .relyingPartyNotListed: "relying_party_not_listed"
        case .algorithmsNotOffered: "algorithms_not_offered"
        case .challengeOver: "challenge_over"
        case .unknownPasskey: "unknown_passkey"
        case .passkeyRefused: "passkey_refused"
        case .passkeyRegistered: "passkey_already_registered"
        case .passkeyNotFound: "passkey_not_found"
        case .lastPasskey: "last_passkey"
        case .tooManyPasskeys: "too_many_passkeys"
        case .invalidPasskeyName: "invalid_passkey_name"
        case .bankNotFound: "bank_not_found"
        case .deepLinkNotAllowed: "deep_link_not_allowed"
        case .cardNotFound: "card_not_found"
        case .bankNotEnrolled: "bank_not_enrolled"
        case .bankSignInNeeded: "bank_sign_in_needed"
        case .bankUnavailable: "bank_unavailable"
        case .invalidMerchant: "invalid_merchant"
        case .idempotencyMismatch: "idempotency_mismatch"
        case .paymentLimit: "payment_limit"
        case .tooManyOpenPayments: "too_many_open_payments"
        case .paymentNotFound: "payment_not_found"
        case .paymentOver: "payment_over"
        case .paymentChanged: "payment_changed"
        case .wrongDevice: "wrong_device"
        case .paymentProofRefused: "payment_proof_refused"
        case .cardTokenOver: "card_token_over"
        case .unauthorized: "unauthorized"
        case .stepUpRequired: "step_up_required"
        case .insufficientScope: "insufficient_scope"
        case .originNotAllowed: "origin_not_allowed"
        case .invalidDPoPProof: "invalid_dpop_proof"
        case .webhookNotVerified: "webhook_not_verified"
        case .webhookStale: "webhook_stale"
        case .rateLimited: "rate_limited"
        case .slowDown: "slow_down"
        case .storeUnavailable: "store_unavailable"
        case .internalError: "internal_error"
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .notFound, .operationNotFound, .enrollmentNotOffered, .deviceNotFound, .passkeyNotFound: .notFound
        case .bankNotFound, .cardNotFound, .bankNotEnrolled, .paymentNotFound, .cardTokenOver: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .payloadTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .requestTimeout: .requestTimeout
        case .malformedJSON, .invalidRequest, .invalidEmail, .invalidCodeChallenge, .unsupportedChallengeMethod,
            .verifierRequired, .invalidMode, .modeNotOffered, .invalidReturnURL, .invalidWait, .invalidLimit,
            .clientRequired, .unknownClient, .clientNotAllowed, .invalidMessage, .invalidAmount, .invalidPayee,
            .invalidPayloadHash,
            .webhookStale, .invalidDeviceID, .invalidPlatform, .invalidDeviceName, .invalidPushToken, .placeholderKey,
            .placeholderSignature, .invalidPublicKey, .biometricNotEnabled, .invalidName, .weakPassword,
            .invalidUsername, .relyingPartyNotListed, .algorithmsNotOffered, .challengeOver, .unknownPasskey,
            .passkeyRefused, .lastPasskey, .invalidPasskeyName, .deepLinkNotAllowed, .invalidMerchant, .incompleteBody:
            .badRequest
        case .notEnrolled, .deviceRegistered, .emailTaken, .tooManyDevices, .usernameTaken, .passkeyRegistered,
            .tooManyPasskeys, .bankSignInNeeded, .idempotencyMismatch, .paymentOver, .paymentChanged:
            .conflict
        case .unauthorized, .webhookNotVerified: .unauthorized
        case .invalidDPoPProof(_, let isAccess): isAccess ? .unauthorized : .badRequest
        // As below: the session is good.
        case .stepUpRequired, .insufficientScope, .emailNotVerified, .wrongPassword, .wrongAddressCode,
            .originNotAllowed,
            .registrationClosed, .paymentLimit, .wrongDevice,
            // The session is good: a 401 would have apps refresh it and send the same proof again, which counts twice.
            .paymentProofRefused:
            .forbidden
        case .rateLimited, .slowDown, .tooManyOpenPayments: .tooManyRequests
        case .storeUnavailable: .serviceUnavailable
        case .bankUnavailable(let isUnusable): isUnusable ? .badGateway : .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    package var message: String {
        switch self {
        case .notFound: "There is nothing at this address."
        case .methodNotAllowed(let allowed):
            "This address takes \(allowed.map(\.rawValue).joined(separator: " or "))."
        case .payloadTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .unsupportedMediaType: "Send the body as application/json."
        case .requestTimeout: "The body took too long to come. Send it again, at once and as a whole."
        case .incompleteBody: "The body ended before its time, or is not framed as its header says."
        case .malformedJSON: "The body is not a JSON object, or has a member twice."
        case .invalidRequest(let reason): reason
        case .invalidEmail: "“email” is not an e-mail address."
        case .invalidCodeChallenge:
            "“codeChallenge” is not the base64url SHA-256 of a verifier: 43 characters without padding."
        case .unsupportedChallengeMethod: "“codeChallengeMethod” can only be S256."
        case .verifierRequired: "This client has to send a “codeChallenge” (S256)."
        case .invalidMode: "“mode” can only be same-device or cross-device."
        case .modeNotOffered:
            "This client takes a login only in the browser that comes back to it (requireReturn): leave “mode” out."
        case .invalidReturnURL: "“returnUrl” is none of the addresses of this client’s returnURLs."
        case .invalidWait: "“wait” is a whole number of seconds from 1 to 30."
        case .invalidLimit: "“limit” is a whole number from 1 to 50."
        case .invalidMessage:
            "“message” is one line of 1 to \(ApprovalOrder.messageLimit) characters, without control characters or marks "
                + "that hide text or turn it around."
        case .invalidAmount:
            "The amount is a number like \"1250.00\", as text, with no more digits behind the point than the currency "
                + "has, and the currency three capital letters."
        case .invalidPayee:
            "“payee” is one line of 1 to \(ApprovalOrder.payeeLimit) characters, without control characters or marks "
                + "that hide text or turn it around."
        case .invalidPayloadHash: "“payloadHash” is a SHA-256 in base64url: 43 characters without padding."
        case .clientRequired: "Name the client: “clientId” in the body or the header X-Client-Id."
        case .unknownClient: "There is no client of that name."
        case .clientNotAllowed: "This client does not sign people in here."
        case .operationNotFound: "There is no such operation; it may be long over. Start a new one."
        case .invalidDeviceID: "“deviceId” is not a UUID; the app makes one once and keeps it."
        case .invalidPlatform: "“platform” can only be ios or android."
        case .invalidDeviceName: "“deviceName” is one line of 1 to 100 characters, without characters that hide."
        case .invalidPushToken: "“pushToken” has 1 to 4096 characters of ASCII, without spaces."
        case .deviceRegistered:
            "This device has an owner already. To update it, sign in as the owner, or show its credential."
        case .deviceNotFound: "You have no such device, or are signed in on another one."
        case .tooManyDevices:
            "You have \(DeviceRegistrar.mostOwned) devices already. Remove one of them, then register this one."
        case .placeholderKey: "“publicKey” is a placeholder: make a key pair on the device and send its public key."
        case .placeholderSignature: "“signature” is a placeholder: sign the challenge with the device’s key."
        case .invalidPublicKey(let fault): fault.sentence
        case .biometricNotEnabled: "This device can't sign in by a key. Sign in another way, then set one up."
        case .enrollmentNotOffered: "Faces are not enrolled here. Ask your administrator."
        case .notEnrolled: "No face of this account is enrolled. Enrol one first."
        case .invalidName: "“name” has 1 to 200 characters and no line breaks."
        case .weakPassword:
            "A password has \(PasswordService.length.lowerBound) to \(PasswordService.length.upperBound) characters."
        case .emailTaken: "There is an account with this e-mail address already. Sign in with it."
        case .emailNotVerified: "Show first that the e-mail address is yours: open the link in the mail we sent to it."
        case .wrongPassword: "“currentPassword” is not the password so far."
        case .wrongAddressCode:
            "This code is wrong or no longer valid, or was mailed for another sign-in. Ask for a new mail, then try again."
        case .invalidUsername(let shortest):
            "A user name has \(shortest) to 64 letters, digits, spaces and . _ - + ', or the form of an e-mail address."
        case .usernameTaken:
            "Somebody has this name already. To add a passkey to your own account, sign in to it first."
        case .registrationClosed: "Accounts are not opened here. Ask your administrator for one."
        case .relyingPartyNotListed: "This server makes no passkeys for the domain or the name that is asked for."
        case .algorithmsNotOffered: "None of the algorithms in “supportedAlgorithmIDs” is verified here."
        case .challengeOver:
            "This request was answered already, took longer than ten minutes, or is another's. Start over."
        case .unknownPasskey: "This passkey is not known here. Use another one, or sign up."
        case .passkeyRefused(let reason): reason
        case .passkeyRegistered: "This passkey is registered already. Sign in with it."
        case .passkeyNotFound: "You have no such passkey."
        case .lastPasskey: "This is your only way to sign in. Add another passkey, then remove this one."
        case .tooManyPasskeys:
            "You have \(OwnedPasskeys.mostOwned) passkeys already. Remove one of them, then add this one."
        case .invalidPasskeyName: "“name” is one line of 1 to 64 characters, without characters that hide."
        case .bankNotFound: "There is no such bank here."
        case .deepLinkNotAllowed:
            "“deepLink” is none of the addresses that the operator lists in wallet.deepLinks; they are compared whole."
        case .cardNotFound: "There is no such card in your wallet."
        case .bankNotEnrolled: "This bank is not in your wallet. Add it first."
        case .bankSignInNeeded: "The bank no longer lets your wallet in. Add it again, which keeps its cards."
        case .bankUnavailable(let isUnusable):
            isUnusable
                ? "The bank’s answer can't be used. Try again later." : "The bank does not answer. Try again later."
        case .invalidMerchant:
            "Say who is paid: “merchant” has a “name” of one line, 1 to \(Merchant.nameLimit) characters without control "
                + "characters or marks that hide text or turn it around, and may have an “id” of ASCII."
        case .idempotencyMismatch: "This idempotency key was used for another payment. Make a new one for each payment."
        case .paymentLimit: "This payment is larger, or one more in a day, than is allowed here."
        case .tooManyOpenPayments:
            "Too many of your payments are waiting. Confirm or cancel one of them, then start over."
        case .paymentNotFound: "You have no such payment."
        case .paymentOver(let status): "This payment is \(status.rawValue): nothing about it can be changed any more."
        case .paymentChanged: "What was shown is not what this payment is for. Nothing was paid; start a new one."
        case .wrongDevice: "This session is on another device, or on none: sign with the key of the device it is on."
        case .paymentProofRefused:
            "This does not confirm this payment, in this session: sign or approve it anew. After five such proofs it is over."
        case .cardTokenOver: "There is no such card token, or it was used already, or it has expired."
        case .unauthorized(.credentials): "The e-mail address or the password is not right."
        case .unauthorized(.operation):
            "This needs the code verifier, the cookie of the start, or a token of the session."
        case .unauthorized(.noToken): "Sign in first: this needs an access token."
        case .unauthorized(.badToken): "This access token is not valid, or no longer. Sign in again."
        case .unauthorized(.noRefreshToken): "Send the refresh token: as bearer, or in the cookie."
        case .unauthorized(.badRefreshToken): "This refresh token is not valid, or no longer. Sign in again."
        case .unauthorized(.deviceProof): "This session is bound to its device: sign the refresh with the device’s key."
        case .unauthorized(.boundToken):
            "This token is bound to a key: send it with the scheme DPoP, and with a proof of that key."
        case .unauthorized(.boundKeyProof):
            "This session is bound to a key: refresh it with a DPoP proof of that key."
        case .unauthorized(.badCode): "This code is wrong, or no longer valid. Ask for a new one."
        case .unauthorized(.badSignature):
            "The signature is not the device key’s, or the challenge is not open any more. Ask for a new one."
        case .unauthorized(.passkey): "Nobody can sign in with this passkey just now. Ask your administrator."
        case .stepUpRequired:
            "For this the sign-in has to be younger than ten minutes. To replace a key, a face or a proven address, or to "
                + "give a known device its first key, it takes more than a password: a mailed code, the old key, or a key "
                + "or a face that is a day old. "
                + "Sign in again, then come back."
        case .insufficientScope(let scope, _): "This needs a token with the scope \(scope)."
        case .originNotAllowed:
            "Pages of this origin may not call this server; its operator can list it in listen.corsOrigins."
        case .invalidDPoPProof(let fault, _): fault.message
        case .webhookNotVerified: "The signature is missing, or none of the keys of this webhook made it."
        case .webhookStale: "The webhook was sent at another time than now; is the sender’s clock right?"
        case .rateLimited(let seconds, _): "Too many requests. Try again in \(seconds) s."
        case .slowDown(let interval): "You poll too fast. Leave \(interval) s between two polls."
        case .storeUnavailable: "The server can't write just now. Try again in a few seconds."
        case .internalError: "Something went wrong here. Quote the request id to the operator."
        }
    }

    /// Seconds for the header Retry-After (RFC 9110 §10.2.3).
    package var retryAfter: Int? {
        switch self {
        case .rateLimited(let seconds, _), .tooManyOpenPayments(let seconds): seconds
        case .slowDown(let interval): interval
        case .storeUnavailable: 5
        case .bankUnavailable(let isUnusable): isUnusable ? nil : 30
        case .notFound, .methodNotAllowed, .payloadTooLarge, .unsupportedMediaType, .requestTimeout, .incompleteBody,
            .malformedJSON, .invalidRequest,
            .invalidEmail, .invalidCodeChallenge, .unsupportedChallengeMethod, .verifierRequired, .invalidMode,
            .modeNotOffered, .invalidReturnURL, .invalidWait, .invalidLimit, .invalidMessage, .invalidAmount,
            .invalidPayee, .invalidPayloadHash, .clientRequired, .unknownClient, .clientNotAllowed, .operationNotFound,
            .enrollmentNotOffered, .notEnrolled, .unauthorized, .stepUpRequired, .insufficientScope, .originNotAllowed,
            .invalidDPoPProof,
            .webhookNotVerified, .webhookStale, .internalError, .invalidDeviceID, .invalidPlatform,
            .invalidDeviceName, .invalidPushToken, .deviceRegistered, .deviceNotFound, .placeholderKey,
            .placeholderSignature, .invalidPublicKey, .biometricNotEnabled, .invalidName, .weakPassword, .emailTaken,
            .emailNotVerified,
            .wrongPassword, .wrongAddressCode, .tooManyDevices, .invalidUsername, .usernameTaken, .registrationClosed,
            .relyingPartyNotListed, .algorithmsNotOffered, .challengeOver, .unknownPasskey, .passkeyRefused,
            .passkeyRegistered, .passkeyNotFound, .lastPasskey, .tooManyPasskeys, .invalidPasskeyName, .bankNotFound,
            .deepLinkNotAllowed, .cardNotFound, .bankNotEnrolled, .bankSignInNeeded, .invalidMerchant,
            .idempotencyMismatch, .paymentLimit, .paymentNotFound, .paymentOver, .paymentChanged, .wrongDevice,
            .paymentProofRefused, .cardTokenOver:
            nil
        }
    }
}

extension APIError {
    /// Whether nothing more can be read from the connection.
    var endsConnection: Bool { self == .requestTimeout || self == .incompleteBody }

    /// Come back after `wait`, says that limit.
    static func tooMany(for wait: Duration, by limit: FixedLimit? = nil) -> APIError {
        .rateLimited(retryAfter: Int(max(1, wait.secondsRoundedUp)), by: limit)
    }
}
