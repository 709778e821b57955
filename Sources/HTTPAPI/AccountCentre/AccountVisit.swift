import Hummingbird
import Kernel
import Operations
import Web

/// A signed-in person's request for a page of the account centre, with what every page needs.
struct AccountVisit: Sendable {
    let request: Request
    let context: APIContext
    let who: SignedIn
    let texts: LocalizedStrings
    let location: AccountLocation
    /// The token of the page's forms.
    let token: String
    /// The text of the form; empty for a page that is loaded.
    var form = ""

    /// The client that mails about these pages name: the page itself, which has the owner's name and brand.
    ///
    /// The session's own client may be an app that the person never used.
    static let client = PageSignIn.Page.account.rawValue

    /// The id of the thing that the page is about.
    var id: String {
        let source = request.method == .post ? form : request.uri.query ?? ""
        return String((FormBody.field("id", in: source) ?? "").prefix(256))
    }

    /// What mails tell of the person.
    var requester: Requester { context.requester(of: request, in: texts) }

    func field(_ name: String) -> String { FormBody.field(name, in: form) ?? "" }

    /// The person, for a change that a use case of theirs makes.
    func parsed<ID: EntityID>(_ type: ID.Type = ID.self) throws -> ID {
        guard let id = ID(parsing: id) else { throw AccountThingMissingError() }
        return id
    }
}

/// The person's account has nothing of that id, or another account has it.
struct AccountThingMissingError: Error {}

/// The outcome of a form.
enum AccountOutcome {
    /// The change is made, which the page after it says.
    case done(AccountDone)
    /// A page, or a redirect elsewhere.
    case answer(Response)
}

/// The changes that the overview reports after them, by a word in its address.
enum AccountDone: String, Sendable, CaseIterable {
    case ended, othersEnded, disowned, deviceRemoved, passkeyRenamed, passkeyRemoved, consentWithdrawn, faceRemoved
    case emailChanged, passwordChanged, passwordRemoved, cardRemoved, faceAdded, passkeyAdded
}

/// A section of the overview, and its id in the page.
enum AccountSection: String, Sendable, CaseIterable {
    case sessions, logins, devices, passkeys, face, access, apps, cards, account
}

extension AccountKey {
    /// The sentence that reports the change.
    init(_ done: AccountDone) {
        self =
            switch done {
            case .ended: .doneEnded
            case .othersEnded: .doneOthersEnded
            case .disowned: .doneDisowned
            case .deviceRemoved: .doneDeviceRemoved
            case .passkeyRenamed: .donePasskeyRenamed
            case .passkeyRemoved: .donePasskeyRemoved
            case .consentWithdrawn: .doneConsentWithdrawn
            case .faceRemoved: .doneFaceRemoved
            case .emailChanged: .doneEmailChanged
            case .passwordChanged: .donePasswordChanged
            case .passwordRemoved: .donePasswordRemoved
            case .cardRemoved: .doneCardRemoved
            case .faceAdded: .doneFaceAdded
            case .passkeyAdded: .donePasskeyAdded
            }
    }
}
