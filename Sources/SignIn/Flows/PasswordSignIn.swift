package import Accounts
package import Kernel

/// Signs people in by their password.
package struct PasswordSignIn: Sendable {
    private let passwords: PasswordService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(passwords: PasswordService, door: Door, unitOfWork: any UnitOfWork) {
        self.passwords = passwords
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// Opens the session of a person whose password was right.
    ///
    /// A key's proof that was used before opens no session. The attempt is still not counted, because the password was
    /// right. Otherwise an app that sends a request twice would lock its owner out.
    ///
    /// - Parameters:
    ///   - request: The sign-in.
    ///   - verified: The password.
    ///   - work: Runs in the same unit of work; an error that it throws undoes the sign-in.
    /// - Returns: `nil` if the password was changed meanwhile, or the account can't sign in.
    /// - Throws: The errors of `work` and ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ request: SignInRequest,
        with verified: VerifiedPassword,
        alongside work: SessionWork? = nil
    ) async throws -> OpenedSession? {
        do {
            return try await unitOfWork.run { [passwords, door] transaction in
                guard try passwords.confirm(verified, in: transaction),
                    let opened = try door.open(request, in: transaction)
                else { return nil }
                try work?(opened, transaction)
                return opened
            }
        } catch let refusal where !(refusal is StoreError) {
            // The refusal undid the confirmation as well, which has to stay.
            _ = try await unitOfWork.run { [passwords] in try passwords.confirm(verified, in: $0) }
            throw refusal
        }
    }
}
