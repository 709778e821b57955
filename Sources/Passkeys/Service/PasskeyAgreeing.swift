package import Kernel

extension PasskeyService {
    /// Begins a ceremony that one account's passkeys alone can answer: a confirmation by a signed-in person.
    ///
    /// The options name those passkeys, without decoys, since the caller is that account. The answer is checked by
    /// ``check(signIn:from:)`` and used up by ``redeem(_:in:)``, as a sign-in's is; its binding keeps it from being a
    /// sign-in.
    ///
    /// - Throws: ``PasskeyError/notFound`` for an account that is not active, or has no passkey of that relying party.
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
