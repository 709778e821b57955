import OAuth

/// The ways to sign in that this server offers on its page.
struct SignInOffers: Sendable {
    /// `nil` if face sign-in is off.
    let faces: SignInFaces?
    /// `nil` if passkeys are off.
    let passkeys: SignInPasskeys?
    /// `nil` if no surface takes mailed codes.
    let mail: SignInMail?
    /// `nil` if no surface takes passwords.
    let passwords: SignInPasswords?
    /// `nil` if nobody can open an account by themselves.
    let registration: SignInRegistration?
    let memory: BrowserMemory
    let setUp: SignInSetUp

    var ways: Set<SignInWay> { Set(SignInWay.allCases.filter(contains)) }

    private func contains(_ way: SignInWay) -> Bool {
        switch way {
        case .face: faces != nil
        case .passkey: passkeys != nil
        case .mail: mail != nil
        case .password: passwords != nil
        }
    }

    /// Returns the ways of `needed` that a person who has signed in otherwise can set up here.
    ///
    /// A landing page takes no key that was just set up, so that setting one up leads nowhere there.
    func settable(_ needed: Set<SignInWay>, for client: OAuthClient) -> Set<SignInWay> {
        guard client.id != PageSignIn.Page.landing.rawValue else { return [] }
        var ways: Set<SignInWay> = []
        if passkeys != nil { ways.insert(.passkey) }
        if faces?.enrolments != nil { ways.insert(.face) }
        return needed.intersection(ways)
    }

    /// Returns the ways that are not enough by themselves, but after which the person can set up a way of `needed`.
    func first(before needed: Set<SignInWay>, for client: OAuthClient) -> Set<SignInWay> {
        guard !settable(needed, for: client).isEmpty else { return [] }
        return ways.subtracting(needed)
    }
}
