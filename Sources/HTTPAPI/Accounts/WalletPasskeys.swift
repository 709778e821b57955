import Accounts
import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Passkeys
import SignIn

/// Signs in to the wallet with a passkey instead of a mailed code: by the same two requests, on the same device.
///
/// The answer does not depend on the account, unless the request proves a device. An app that names passkeys in
/// `methods` gets a passkey's options for every address, decoys included. An app whose `methods` omit them gets a
/// mailed code, also for a person who lost their passkey. An app without `methods` gets the options only on the
/// account's own device, and only if the account has a passkey.
struct WalletPasskeys: Sendable {
    /// The name of passkeys in the app's `methods` and the answer's `method`.
    static let method = "passkey"

    let ceremonies: PasskeyCeremonies
    let signIn: PasskeySignIn
    let trust: PasskeyTrust
    let environment: Environment

    /// The challenge that the app has to sign.
    struct Reply: Encodable {
        let challenge: String
        let method = WalletPasskeys.method
        let expiresIn = Int(ChallengePolicy.lifetime.secondsRoundedUp)
        let options: RequestOptions
    }

    /// Returns the answer to a login by passkey; `nil` if the login is by mail.
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
        // The app sends an e-mail address, which is never looked up as a user name.
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

    /// Checks the answer's signature, and does not use up its challenge yet.
    func check(_ response: JSONValue, _ answer: Answer) async throws -> CheckedSignIn {
        guard let id = UUIDBits(answer.challenge) else { throw APIError.challengeOver }
        return try await ceremonies.service.check(signIn: response, from: Self.binding(id.description, answer.deviceId))
    }

    /// Uses up the challenge, and opens the session; `nil` if the account cannot sign in.
    func open(_ request: SignInRequest, by checked: CheckedSignIn) async throws -> OpenedSession? {
        try await signIn.open(request, by: checked)
    }

    /// Returns the proof that the signature gives.
    func proof(of checked: CheckedSignIn) -> AuthenticationProof { trust.proof(of: checked) }

    /// Returns a binding to challenge id and device, so that a challenge is invalid on another device.
    private static func binding(_ id: String, _ device: String) -> ChallengeBinding { .id(Secret("\(id)\n\(device)")) }
}
