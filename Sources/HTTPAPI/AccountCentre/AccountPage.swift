/// A page of the account centre or one of its changes: the part of the path after `/account/`.
enum AccountPage: String, Sendable, CaseIterable {
    /// Says what "this wasn't me" ends of a sign-in that had an operation, or one that only has a session.
    case login, session
    /// Ends a session, or all other ones, or this browser's own.
    case end, others
    case signOut = "sign-out"
    case device
    case passkey
    case passkeyRemoval = "passkey-removal"
    case app, card, face, email, password
    case passwordRemoval = "password-removal"
    /// Waits for the scan that sets a face up.
    case faceScan = "face-scan"
    case data, close
    /// Signs the person in again for a page that needs a stronger proof.
    case again

    /// Whether the page can be loaded; others only take forms.
    var isShown: Bool {
        switch self {
        case .login, .session, .passkey, .passkeyRemoval, .card, .face, .faceScan, .email, .password, .passwordRemoval,
            .data, .close:
            true
        case .end, .others, .signOut, .device, .app, .again: false
        }
    }

    /// Whether the page and its change need a fresh proof of the person (step-up).
    ///
    /// To disown a session removes the passkeys, the face and the password that were set up in it. To disown a login does
    /// so if it has a session, which ``AccountCentreAPI/endsSession(_:)`` finds out.
    var needsFreshProof: Bool {
        switch self {
        case .session, .passkeyRemoval, .face, .email, .password, .passwordRemoval, .data, .close: true
        case .login, .end, .others, .signOut, .device, .passkey, .app, .card, .faceScan, .again: false
        }
    }
}

/// The location of a page of the account centre, for relative addresses that work behind any proxy.
struct AccountLocation: Sendable {
    /// Whether the page's address is below `/account`.
    let isBelow: Bool

    var home: String { isBelow ? "../account" : "account" }
    var assets: String { isBelow ? "../assets" : "assets" }
    /// The address of the site's page with that name.
    func site(_ page: String) -> String { (isBelow ? "../" : "") + page }

    func path(_ page: AccountPage) -> String { isBelow ? page.rawValue : "account/\(page.rawValue)" }

    func path(_ page: AccountPage, _ id: String) -> String { "\(path(page))?id=\(id)" }
}
