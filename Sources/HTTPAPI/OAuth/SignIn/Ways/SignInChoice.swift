import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Passkeys
import SignIn
import Web

// The name comes first, then the ways to sign in. Until somebody has proved who they are, a page depends on the form of
// the typed name, on the client, and on the browser, and never on an account.
extension SignInPageAPI {
    /// The parameter with which a person whose name the page knows types another one.
    static let other = "other"

    /// Returns the page that asks for a name, or the ways for a name that is known already.
    func choose(
        _ needed: Set<SignInWay>,
        hint: String?,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> Response {
        if request.uri.queryParameters[Self.other[...]] == nil {
            if let proven = signIn.interaction.proven {
                return try await oneMore(needed, after: proven, request, in: signIn)
            }
            if let identifier = hint.flatMap({ SignInIdentifier($0) }) {
                return ways(needed, for: identifier, request, in: signIn)
            }
        }
        let typed = SignInPages.Typed(typed: String((hint ?? "").prefix(SignInIdentifier.longest)))
        return pages.identifier(typed, identify(taken(needed, signIn), signIn))
    }

    /// `POST /oauth/sign-in/{id}/identifier`: shows the ways for a name, whether or not an account has it.
    func takeIdentifier(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let form = try await SignInForm(request)
            guard case .signIn(let needed, _) = try await step(of: signIn) else {
                return next(signIn)
            }
            guard let identifier = form.identifier else { return try await identify(again: form, signIn) }
            return ways(needed, for: identifier, request, in: signIn)
        }
    }

    /// Returns whether the next step is to sign in, and `way` counts for it or as a first step.
    func takes(_ way: SignInWay, _ signIn: SignInContext) async throws -> Bool {
        guard case .signIn(let needed, _) = try await step(of: signIn) else { return false }
        return taken(needed, signIn).contains(way)
    }

    /// Returns the offered ways of which each counts, or is a first step that the person has not done yet.
    private func taken(_ needed: Set<SignInWay>, _ signIn: SignInContext) -> Set<SignInWay> {
        var done = signIn.interaction.proven.flatMap { offers.setUp.isRecent($0) ? $0.authentication.ways : nil } ?? []
        // The person may have an older passkey, which is enough where this one is not.
        done.remove(.passkey)
        let first = offers.first(before: needed, for: signIn.client).subtracting(done)
        return needed.union(first).intersection(offers.ways)
    }

    /// Returns the page that asks for a name again, since the form has none that can be one.
    func identify(again form: SignInForm, _ signIn: SignInContext) async throws -> Response {
        guard case .signIn(let needed, _) = try await step(of: signIn) else { return next(signIn) }
        let typed = SignInPages.Typed(typed: form.typed, fault: .identifierWrong)
        return pages.identifier(typed, identify(taken(needed, signIn), signIn))
    }

    /// Returns the page of the ways again, with the reason why the form did not lead on.
    func ways(
        again form: SignInForm,
        fault: SignInFault,
        _ request: Request,
        _ signIn: SignInContext
    ) async throws -> Response {
        guard case .signIn(let needed, _) = try await step(of: signIn), let identifier = form.identifier else {
            return next(signIn)
        }
        return ways(needed, for: identifier, fault: fault, request, in: signIn)
    }

    private func identify(_ taken: Set<SignInWay>, _ signIn: SignInContext) -> SignInPages.Identifying {
        SignInPages.Identifying(
            signIn: signIn,
            offersPasskey: taken.contains(.passkey),
            opensAccounts: mayOpenAccount(signIn)
        )
    }

    private func ways(
        _ needed: Set<SignInWay>,
        for identifier: SignInIdentifier,
        fault: SignInFault? = nil,
        _ request: Request,
        in signIn: SignInContext
    ) -> Response {
        let usable = offers.ways.intersection(identifier.ways)
        let enough = ordered(needed.intersection(usable), request)
        let first = ordered(offers.first(before: needed, for: signIn.client).intersection(usable), request)
        guard identifier.email != nil || !enough.isEmpty || !first.isEmpty else {
            let typed = SignInPages.Typed(typed: identifier.text, fault: .addressNeeded)
            return pages.identifier(typed, identify(taken(needed, signIn), signIn))
        }
        let last = offers.memory.lastWay(request)
        let items = (enough + first).map { way in
            var item = SignInPages.Way(.way(way), isLastUsed: way == last)
            if way == first.first { item.note = signIn.texts.text(SignInKey.firstLead, with: signIn.client.name) }
            return item
        }
        return pages.ways(
            .init(
                identifier: identifier.text,
                items: items,
                hint: hint(for: identifier, isAny: !items.isEmpty).map { signIn.texts[$0] },
                fault: fault
            ),
            of: signIn
        )
    }

    private func hint(for identifier: SignInIdentifier, isAny: Bool) -> SignInKey? {
        guard isAny else { return .nothingToSetUp }
        return identifier.email == nil && offers.ways.count > 1 ? .onlyPasskey : nil
    }

    /// Returns the ways in the order of the page, but the last one of this browser first.
    private func ordered(_ ways: Set<SignInWay>, _ request: Request) -> [SignInWay] {
        let last = offers.memory.lastWay(request)
        let usual = SignInWay.allCases.filter(ways.contains)
        return usual.filter { $0 == last } + usual.filter { $0 != last }
    }

    // MARK: After a first sign-in

    /// Returns the page that asks a person who has signed in one way for another, which they may set up there.
    ///
    /// Where the first way is not enough to set one up (``SignInSetUp``), the page also lists the ways that are.
    /// The page may tell what the account has, because its owner has proved who they are.
    private func oneMore(
        _ needed: Set<SignInWay>,
        after proven: Interaction.Proven,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> Response {
        guard let record = try await browser.record(of: proven.account) else { throw InteractionEndedError() }
        let profile = record.profile
        let isAllowed = try await offers.setUp.isAllowed(to: proven)
        let isYoung = proven.authentication.passkey != nil && needed.contains(.passkey)
        var settable = isAllowed ? offers.settable(needed, for: signIn.client) : []
        if isYoung { settable.remove(.passkey) }
        let owned = try await offers.setUp.enrolmentPolicy.means.ways(of: proven.account)
        let first = isAllowed ? [] : enough(ofThose: owned, before: needed, signIn)
        var items: [SignInPages.Way] = []
        for way in ordered(needed.intersection(offers.ways), request) + ordered(first, request) {
            switch way {
            case .passkey:
                if try await hasPasskey(proven.account) { items.append(.init(.way(.passkey))) }
                if settable.contains(.passkey) { items.append(try await newPasskey(after: proven, in: signIn)) }
            case .face:
                if profile.email != nil, record.enrolments.contains(where: \.isActive) {
                    items.append(.init(.way(.face)))
                } else if settable.contains(.face), offers.faces?.enrolments?.takes(record) == true {
                    items.append(.init(.enrolment))
                }
            case .mail, .password: if profile.email != nil { items.append(.init(.way(way))) }
            }
        }
        let reason: SignInKey? = isYoung ? .youngPasskey : !isAllowed && owned.provePerson ? .lostLead : nil
        return pages.ways(
            .init(
                identifier: profile.email?.text ?? profile.username?.text ?? profile.account.displayName,
                items: items,
                needed: needed,
                hint: hint(reason, isAny: !items.isEmpty, signIn)
            ),
            of: signIn
        )
    }

    /// Returns the way to add a passkey, which says if the client takes the passkey only after a day.
    private func newPasskey(after proven: Interaction.Proven, in signIn: SignInContext) async throws -> SignInPages.Way
    {
        var way = SignInPages.Way(.newPasskey)
        if try await offers.setUp.waits(after: proven) {
            way.wait = PasskeyWait(signIn.texts.text(SignInKey.newWaits, with: signIn.client.name))
        }
        return way
    }

    /// Returns the ways that are enough to set up one of `needed`: those that the account has, or else any.
    private func enough(ofThose owned: WaysIn, before needed: Set<SignInWay>, _ signIn: SignInContext) -> Set<SignInWay>
    {
        let first = taken(needed, signIn).subtracting(needed)
        return owned.provePerson ? first.intersection([.passkey, .face]) : first
    }

    private func hint(_ key: SignInKey?, isAny: Bool, _ signIn: SignInContext) -> String? {
        guard let key = key ?? (isAny ? nil : .nothingToSetUp) else { return nil }
        return signIn.texts.text(key, with: signIn.client.name)
    }

    /// Returns whether the account has a passkey for this site.
    func hasPasskey(_ account: AccountID) async throws -> Bool {
        guard let ceremonies = offers.passkeys?.ceremonies else { return false }
        return try await ceremonies.service.hasPasskey(account, at: ceremonies.site.rpID)
    }
}
