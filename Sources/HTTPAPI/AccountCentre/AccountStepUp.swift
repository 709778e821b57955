import Accounts
import Hummingbird
import Kernel
import OAuth
import Operations
import Sessions
import SignIn

/// Decides whether a person has proved enough for a change of their account, and sends them to prove it.
///
/// The sign-in has to be of the last ten minutes. An account with a passkey or a face needs more than its password: a
/// passkey, a face, or a mailed code for a person who has lost them. What a password has added counts for no more than
/// the password until it has cooled off (``CoolingOff``). Any sign-in suffices for all other accounts. To add a passkey
/// or a face takes more (``AuthenticatorEnrolmentPolicy``).
struct AccountStepUp: Sendable {
    let signIn: PageSignIn
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    let limits: AddressGate

    /// What is missing of a proof.
    enum Lack {
        /// The sign-in is too long ago.
        case fresh
        /// The sign-in was too weak for an account with a passkey or a face.
        case strong
    }

    /// Returns what the person's sign-in lacks; `nil` if it suffices.
    func lack(of who: SignedIn) async throws -> Lack? {
        guard who.isRecent else { return .fresh }
        return try await enrolmentPolicy.isEnoughForChanges(who) ? nil : .strong
    }

    /// Sends the browser to sign in, and back to the page, where the change continues.
    ///
    /// `id`: The id of the thing that the page is about.
    func begin(
        returningTo page: AccountPage?,
        id: String = "",
        _ request: Request,
        _ context: APIContext
    ) async throws -> Response {
        try await limits.admit(.initiatePerAddress, for: request, in: context)
        return try await signIn.begin(carrying: nil, request, wanting: nil) { _ in
            let address = page.map { "/account/\($0.rawValue)" } ?? "/account"
            return id.isEmpty ? address : QueryText.add([("id", id)], to: address)
        }
    }
}
