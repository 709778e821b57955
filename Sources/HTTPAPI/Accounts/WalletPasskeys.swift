import Accounts
import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Passkeys
import SignIn

/// Signs in to the wallet with a passkey instead of a mailed code: the same two requests, on the device that asked.
///
/// A caller without any proof gets the answer that everybody gets. An app that says it can do passkeys is asked for
/// one, whatever the address is, decoys included. An app gets a mailed code if it says that it can't do passkeys, or
/// that its owner has lost theirs. An app that says nothing is asked for a passkey on the account's own device, where
/// the account has one.
struct WalletPasskeys: Sendable {
    /// The method that an app names in `methods`, and that the answer names as `method`.
    static let method = "passkey"

    let ceremonies: PasskeyCeremonies
    let signIn: PasskeySignIn
    let environment: Environment

    /// The challenge that the app is to sign.
    struct Reply: Encodable {
        let challenge: String
        let method = WalletPasskeys.method
        let expiresIn = Int(ChallengePolicy.lifetime.secondsRoundedUp)
        let options: RequestOptions
    }

    /// Returns the answer to a login that is to be by passkey; `nil` for one by mail.
    func begin(
        _ input: MailLoginRequest,
        of email: EmailAddress,
        recognise: @escaping EmailCodeService.Recognition,
        for request: Request,
        in context: APIContext
    ) async throws -> Response? {
        let isByPasskey: Bool
        if let methods = input.methods {
            isByPasskey = methods.contains(Self.method)
        } else {
            isByPasskey = try await ceremonies.service.hasPasskey(named: email.text, at: ceremonies.site.rpID) {
                account,
                transaction in
                try recognise(account, transaction) != nil
            }
        }
        guard isByPasskey else { return nil }
        let id = environment.newUUID().description
        let binding = Self.binding(id, input.deviceId)
        var ceremony = ceremonies.signIn(as: email.text, boundTo: binding, request, context)
        // The app sends an address, never a user name, whatever its form.
        ceremony.takesUserNames = false
        let options = try await ceremonies.service.begin(ceremony)
        return JSONReply.encode(Reply(challenge: id, options: options))
    }

    /// The app's answer to a login by passkey.
    struct Answer: Decodable {
        let deviceId: String
        let challenge: String
        let deviceName: String?
        let platform: String?
    }

    /// Checks the signature of an answer; nothing is used up yet.
    func check(_ response: JSONValue, _ answer: Answer) async throws -> CheckedSignIn {
        guard let id = UUIDBits(answer.challenge) else { throw APIError.challengeOver }
        return try await ceremonies.service.check(signIn: response, from: Self.binding(id.description, answer.deviceId))
    }

    /// Uses the signature up, and opens the session; `nil` if the account can't sign in.
    func open(_ request: SignInRequest, by checked: CheckedSignIn) async throws -> OpenedSession? {
        try await signIn.open(request, by: checked)
    }

    /// Returns a binding of both, so that a challenge is invalid on another device.
    private static func binding(_ id: String, _ device: String) -> ChallengeBinding { .id(Secret("\(id)\n\(device)")) }
}
