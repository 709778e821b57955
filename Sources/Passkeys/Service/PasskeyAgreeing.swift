package import Kernel

extension PasskeyService {
    /// Begins a ceremony that only one account's passkeys can complete: a confirmation by a signed-in person.
    ///
    /// The options name those passkeys, without decoys, since the caller is that account. ``check(signIn:from:)``
    /// checks the response and ``redeem(_:in:)`` uses it up, as for a sign-in. The binding keeps it from being used as
    /// a sign-in.
    ///
    /// - Throws: ``PasskeyError/notFound`` for an account that is not active, or has no passkey for that relying party.
    package func begin(_ ceremony: PasskeyCeremony, by account: AccountID) async throws -> RequestOptions {
        let party = try relyingParty(ceremony.rpID)
        return try await unitOfWork.run { transaction in
            let owned = try passkeys(of: account, at: party, in: transaction)
            guard !owned.isEmpty, let person = try people.person(account, in: transaction), person.isActive else {
                throw PasskeyError.notFound
            }
            let asked = PasskeyChallenge.SignIn.named(people.normalised(person.name), account)
            return RequestOptions(
                challenge: try open(.authentication(asked), ceremony, in: transaction),
                relyingParty: party,
                allowed: owned.map(\.descriptor),
                userVerification: ceremony.userVerification,
                timeout: CeremonyTimeout.usual
            )
        }
    }
}
