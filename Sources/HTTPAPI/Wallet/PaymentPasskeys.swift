import Hummingbird
import Kernel
import Passkeys
import Wallet

/// Confirms a payment with a passkey.
///
/// The options name the account's own passkeys. They require user verification, because the signature does not cover
/// the amount. The challenge is bound to the payment's hash and to the session. Neither a sign-in nor another payment
/// accepts this signature, and a payment accepts none of theirs (WebAuthn L3 §13.4.3).
struct PaymentPasskeys: Sendable {
    let ceremonies: PasskeyCeremonies

    /// The passkey options for the browser or the app.
    struct Reply: Encodable {
        let options: RequestOptions
    }

    func isOffered(to who: SignedIn) async throws -> Bool {
        try await ceremonies.service.hasPasskey(who.account, at: ceremonies.site.rpID)
    }

    /// - Throws: ``PasskeyError/notFound`` for an account without a passkey.
    func options(
        for payment: Payment,
        by who: SignedIn,
        answering request: Request,
        in context: APIContext
    ) async throws -> RequestOptions {
        try await ceremonies.source.admit(.byChallengeID, for: request, in: context)
        let binding = Self.binding(payment, who)
        let ceremony = ceremonies.ceremony(boundTo: binding, verification: .required, request, context)
        return try await ceremonies.service.begin(ceremony, by: who.account)
    }

    /// Checks an answer, and does not use up its challenge yet.
    ///
    /// - Throws: ``PasskeyError``.
    func check(_ answer: JSONValue, for payment: Payment, by who: SignedIn) async throws -> CheckedSignIn {
        let checked = try await ceremonies.service.check(signIn: answer, from: Self.binding(payment, who))
        guard checked.account == who.account else { throw PasskeyError.notAccepted }
        return checked
    }

    /// Uses up the challenge, in the unit of work of the confirmation.
    func redeem(_ checked: CheckedSignIn, in transaction: borrowing Transaction) throws {
        try ceremonies.service.redeem(checked, in: transaction)
    }

    private static func binding(_ payment: Payment, _ who: SignedIn) -> ChallengeBinding {
        .payment(Secret("\(payment.challenge)\n\(who.session)"))
    }
}
