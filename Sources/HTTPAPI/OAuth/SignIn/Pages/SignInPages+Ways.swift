import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Web

/// The templates of the pages that sign a person in.
struct SignInWaysTemplates: Sendable {
    let identifier = PageTemplate<SignInIdentifierContent>("sign-in-identifier")
    let ways = PageTemplate<SignInWaysContent>("sign-in-ways")
    let code = PageTemplate<SignInCodeContent>("sign-in-code")
    let offer = PageTemplate<SignInOfferContent>("sign-in-offer")
    let signUp = PageTemplate<SignInUpContent>("sign-in-up")
}

extension SignInPages {
    /// The interaction whose page asks for a name, and what the page offers besides.
    struct Identifying {
        let signIn: SignInContext
        let offersPasskey: Bool
        let opensAccounts: Bool
    }

    /// What the field of the name has, and what is wrong with it.
    struct Typed {
        let typed: String
        var fault: SignInKey?
    }

    /// Returns the page that asks who signs in.
    func identifier(_ typed: Typed, _ asking: Identifying) -> Response {
        let (texts, client) = (asking.signIn.texts, asking.signIn.client.name)
        let content = SignInIdentifierContent(
            title: texts.text(SignInKey.title, with: client),
            lead: texts[SignInKey.lead],
            page: asking.signIn.location.page,
            field: .init(typed: typed.typed, fault: typed.fault.map { texts[$0] }),
            offersPasskey: asking.offersPasskey,
            opensAccounts: asking.opensAccounts,
            account: account(for: asking.signIn),
            cancel: asking.signIn.cancel
        )
        return response(
            templates.identifier,
            content,
            status: typed.fault == nil ? .ok : .badRequest,
            at: asking.signIn.location,
            in: texts
        )
    }

    /// One way on the page.
    struct Way {
        enum Kind: Equatable {
            case way(SignInWay)
            case newPasskey, enrolment
        }

        let kind: Kind
        var isLastUsed = false
        /// The sentence above the way.
        var note: String?
        /// What a new passkey waits for.
        var wait: PasskeyWait?

        init(_ kind: Kind, isLastUsed: Bool = false) {
            self.kind = kind
            self.isLastUsed = isLastUsed
        }
    }

    /// The values of ``ways(_:of:)``.
    struct Ways {
        let identifier: String
        let items: [Way]
        /// The ways that are missing after a first sign-in; `nil` before any.
        var needed: Set<SignInWay>?
        var hint: String?
        var fault: SignInFault?
    }

    /// Returns the page that lists the ways to sign in.
    func ways(_ ways: Ways, of signIn: SignInContext) -> Response {
        let (texts, client) = (signIn.texts, signIn.client.name)
        let account = account(for: signIn)
        let lead = ways.needed.map { texts.text(Self.lead($0), with: client) }
        let content = SignInWaysContent(
            title: texts.text(ways.needed == nil ? SignInKey.title : .oneMoreTitle, with: client),
            lead: lead ?? texts[SignInKey.waysLead],
            page: signIn.location.page,
            identifier: ways.identifier,
            ways: ways.items.enumerated().map { Self.way($1, isPlain: $0 > 0, in: texts) },
            help: .init(hint: account != nil && ways.items.isEmpty ? nil : ways.hint, account: account),
            fault: ways.fault.map { Self.sentence($0, in: texts) },
            cancel: signIn.cancel
        )
        return response(templates.ways, content, fault: ways.fault, of: signIn)
    }

    /// Returns the page that takes a mailed code, the same for every address.
    ///
    /// `opensAccount`: Whether the code opens an account for an address without one.
    func code(
        _ form: SignInForm,
        fault: SignInFault? = nil,
        opensAccount: Bool,
        of signIn: SignInContext
    ) -> Response {
        let texts = signIn.texts
        let email = form.email?.text ?? ""
        let content = SignInCodeContent(
            title: texts[SignInKey.codeTitle],
            lead: texts.text(opensAccount ? SignInKey.codeLeadOpening : .codeLead, with: email),
            page: signIn.location.page,
            email: email,
            able: form.canKeepPasskeys ? SignInForm.able : "",
            fault: fault.map { Self.sentence($0, in: texts) },
            cancel: signIn.cancel
        )
        return response(templates.code, content, fault: fault, of: signIn)
    }

    /// Returns the page that offers a passkey after another way.
    ///
    /// `waits`: Whether the passkey waits a day before it counts.
    func offer(of signIn: SignInContext, waits: Bool) -> Response {
        let content = SignInOfferContent(
            title: signIn.texts[SignInKey.offerTitle],
            lead: signIn.texts[SignInKey.offerLead],
            page: signIn.location.page,
            passkeyWait: .of(waits: waits, in: signIn.texts)
        )
        return response(templates.offer, content, fault: nil, of: signIn)
    }

    /// What the fields of a new account have, and what is wrong with them.
    struct SignUp {
        var email = ""
        var name = ""
        var fault: SignInKey?

        init() {}

        init(_ form: SignInForm, fault: SignInKey) {
            email = String(form.field("email").prefix(SignInIdentifier.longest))
            name = String(form.field("name").prefix(200))
            self.fault = fault
        }
    }

    /// Returns the page that opens an account.
    func signUp(_ typed: SignUp, _ registration: SignInRegistration, of signIn: SignInContext) -> Response {
        let texts = signIn.texts
        let form = SignInUpContent.ByPassword(
            email: typed.email,
            name: typed.name,
            passwordHint: texts.text(SignInKey.passwordHint, with: "\(PasswordService.length.lowerBound)"),
            isPlain: registration.takesPasskeys
        )
        let content = SignInUpContent(
            title: texts[SignInKey.signUpTitle],
            page: signIn.location.page,
            offersPasskey: registration.takesPasskeys,
            byPassword: registration.passwords == nil ? nil : form,
            fault: typed.fault.map { texts.text($0, with: "\(PasswordService.length.lowerBound)") },
            cancel: signIn.cancel
        )
        return response(templates.signUp, content, fault: typed.fault.map { .wrong($0) }, of: signIn)
    }

    // MARK: Parts

    private static func lead(_ needed: Set<SignInWay>) -> SignInKey {
        switch needed {
        case [.passkey]: .oneMorePasskey
        case [.face]: .oneMoreFace
        case [.face, .passkey]: .oneMoreEither
        default: .oneMoreOther
        }
    }

    private static func way(_ way: Way, isPlain: Bool, in texts: LocalizedStrings) -> SignInWaysContent.Way {
        SignInWaysContent.Way(
            note: way.note ?? (way.isLastUsed ? texts[SignInKey.lastTime] : nil),
            isPlain: isPlain,
            isPasskey: way.kind == .way(.passkey),
            newPasskey: way.kind == .newPasskey ? .init(passkeyWait: way.wait) : nil,
            isFace: way.kind == .way(.face),
            isMail: way.kind == .way(.mail),
            isPassword: way.kind == .way(.password),
            isEnrolment: way.kind == .enrolment
        )
    }

    private static func sentence(_ fault: SignInFault, in texts: LocalizedStrings) -> String {
        switch fault {
        case .wrong(let key): texts[key]
        case .wait(let time): texts.text(SignInKey.tryLater, with: "\((time.secondsRoundedUp + 59) / 60)")
        }
    }

    private func response<Content>(
        _ template: PageTemplate<Content>,
        _ content: Content,
        fault: SignInFault?,
        of signIn: SignInContext
    ) -> Response {
        let status: HTTPResponse.Status
        var wait: Int?
        switch fault {
        case nil: status = .ok
        case .wrong: status = .badRequest
        case .wait(let time): (status, wait) = (.tooManyRequests, Int(time.secondsRoundedUp))
        }
        return response(template, content, status: status, at: signIn.location, in: signIn.texts).retry(after: wait)
    }
}
