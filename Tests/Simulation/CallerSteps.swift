import Kernel
import MemoryStore
import Operations

extension History {
    func beginOne() async {
        guard operations.count < 4 else { return }
        let policy = random.pick(People.policies)
        if let denied = quietInitiator(), random.happens(percent: 30) {
            return await begin(again: denied)
        }
        if random.happens(percent: 12) { return await enrol(random.pick(People.all).account, policy) }
        let isKnown = random.happens(percent: 80)
        let email = random.happens(percent: 93) ? random.pick(People.all).email : "nobody@example.com"
        await begin(email: email, policy: policy, deviceCookie: isKnown ? People.knownDevice : nil)
    }

    /// A denied caller starts once more, without a device of that account.
    private func begin(again initiator: Initiator) async {
        guard let person = People.all.first(where: { $0.account == initiator.account }),
            let policy = People.policies.first(where: { $0.clientID == initiator.client })
        else { return }
        await begin(email: person.email, policy: policy, deviceCookie: nil, from: initiator.address)
    }

    /// A signed-in person enrols a face.
    ///
    /// The session proves here what a login's verifier does.
    private func enrol(_ account: AccountID, _ policy: ClientPolicy) async {
        let number = operations.count
        let session = SessionID(UUIDBits(high: 0x5E55, low: seed &* 1000 &+ UInt64(number)))
        let starter = Starter(account: account, session: session, device: nil)
        let (present, begunAt) = (life, time.now)
        note("\(account) enrols")
        let begun = await attempt { service -> BegunOperation? in
            do {
                return try await service.beginEnrolment(starter, policy: policy, mayReplace: true)
            } catch is EnrolmentError { return nil }
        }
        guard let begun, let begun else { return }
        note("... as operation \(operations.count)")
        operations.append(
            ModelOperation(
                number: operations.count,
                begun: begun,
                codeVerifier: "the session",
                starter: session,
                keepsCookies: false,
                begunAt: begunAt,
                begunInLife: present,
                address: 9
            )
        )
    }

    /// A real operation and a decoy, begun in the same instant the same way: nobody must be able to tell them apart.
    func beginTwins() async {
        guard operations.count < 3 else { return }
        // Nobody whose older login the real one would supersede: that takes a step more, and only its own device sees it.
        let live = People.all.filter { person in
            // In the cache may be one more than this model knows of: a start that was durable though it reported a fault.
            !blocked.contains(person.account) && !hasLive(person.account)
                && service.cache.cards { $0.request.account == person.account && !$0.state.isTerminal }.isEmpty
        }
        guard let person = live.randomElement(using: &random) else { return }
        let policy = random.pick(People.policies)
        let mode = random.pick(LoginMode.allCases)
        await calmly {
            let before = disk.tally
            await begin(email: person.email, policy: policy, deviceCookie: People.knownDevice, mode: mode)
            let between = disk.tally
            await begin(email: "nobody@example.com", policy: policy, deviceCookie: People.knownDevice, mode: mode)
            if effort(between - before) != effort(disk.tally - between) {
                fail("a decoy takes other steps than a real operation")
            }
        }
        guard operations.count >= 2, operations.suffix(2).map(\.isDecoy) == [false, true] else {
            return fail("a pair of a real operation and a decoy did not come about")
        }
        operations[operations.count - 2].twin = operations.count - 1
        operations[operations.count - 1].twin = operations.count - 2
        census.twins += 1
    }

    /// Whether another daemon may have a live operation of that account.
    private func hasLive(_ account: AccountID) -> Bool {
        cluster != nil
            && disk.tables.operations.values.contains { $0.request.account == account && !$0.state.isTerminal }
    }

    /// What a start does with the store; where several daemons are, a linked device's looks for older ones.
    private func effort(_ tally: StoreTally) -> StoreTally {
        var tally = tally
        if cluster != nil { tally.reads = 0 }
        return tally
    }

    private func begin(
        email: String,
        policy: ClientPolicy,
        deviceCookie: Digest256?,
        mode: LoginMode? = nil,
        from known: UInt8? = nil
    ) async {
        let number = operations.count
        let mode = mode ?? (random.happens(percent: 25) ? .crossDevice : .sameDevice)
        let hasReturn = random.happens(percent: 50)
        let needsVerifier = policy.verifier == .required || random.happens(percent: 40)
        let codeVerifier = needsVerifier ? "verifier \(number)" : nil
        let superseding = calm == 0 ? superseding() : nil
        // Twins come from an address that nobody denies.
        let address: UInt8 = known ?? (calm == 0 ? UInt8(random.below(2)) : 9)
        let order = BeginOperation(
            email: email,
            policy: policy,
            codeChallenge: codeVerifier.map { Digest256(sha256: $0) },
            deviceProof: DeviceProof(cookies: deviceCookie.map { [$0] } ?? []),
            binding: OperationBinding(
                mode: mode,
                origin: LoginOrigin(email: "•••", address: "192.0.2.7", agent: ""),
                redirectBack: hasReturn ? RedirectBack(url: "https://app.example.com/done") : nil
            ),
            source: source(address),
            superseding: superseding
        )
        let steps = stepCount
        let present = life
        let begunAt = time.now
        note("\(email) begins, client \(policy.clientID), \(deviceCookie == nil ? "un" : "")known device")
        guard let begun = await attempt({ service in try await service.begin(order) }) else { return }
        if begun.operation.isDecoy { census.decoys += 1 }
        note("... as operation \(operations.count)\(begun.operation.isDecoy ? ", a decoy" : "")")
        operations.append(
            ModelOperation(
                number: operations.count,
                begun: begun,
                codeVerifier: codeVerifier,
                keepsCookies: random.happens(percent: 50),
                begunAt: begunAt,
                begunInLife: present,
                address: address
            )
        )
        if steps == stepCount, present == life {
            checkQuiet(operations[operations.count - 1], email: email, isLinked: deviceCookie != nil)
        }
    }

    /// Now and then a start names an older login, with its proof or without.
    private func superseding() -> Superseding? {
        let alone = operations.filter { $0.twin == nil }
        guard random.happens(percent: 25), let old = alone.randomElement(using: &random) else { return nil }
        let proof = random.happens(percent: 60) ? old.ownProof : random.pick(Proof.allCases)
        note("... which is to supersede \(old.number), by \(proof)")
        if old.isProven(proof) { mayBeSuperseded.insert(old.row) }
        return Superseding(old.publicID, provenBy: old.caller(proof))
    }

    func poll() async {
        guard !operations.isEmpty else { return }
        let index = random.below(operations.count)
        let proof = random.happens(percent: 65) ? operations[index].ownProof : random.pick(Proof.allCases)
        await ask(index, proof)
    }

    /// A caller polls; of a pair both are asked the same, always.
    func ask(_ index: Int, _ proof: Proof) async {
        let steps = stepCount
        var view = await poll(index, proof)
        guard let twin = operations[index].twin else { return }
        let other = await poll(twin, proof)
        // A provider's health may turn while a poll of several daemons reads the store.
        if cluster != nil, view != other { view = await poll(index, proof) }
        // Where a poll may read the store, others may come in between.
        guard cluster == nil || steps == stepCount else { return }
        if let view, let other { comparePair(of: index, and: twin, views: (view, other), by: proof) }
    }

    private func poll(_ index: Int, _ proof: Proof) async -> PollView? {
        let operation = operations[index]
        let caller = operation.caller(proof)
        let call = callStart(index, caller)
        let answer = await attempt { service in try await service.poll(operation.publicID, caller) }
        guard let view = answer else { return nil }
        guard let view else {
            // Once it has left the cache the store still has it.
            fail("operation \(index) is unknown to the daemon")
            return nil
        }
        note("\(proof) polls \(index): \(view.summary)")
        check(view, to: proof, of: index, call)
        return view
    }

    private func comparePair(of index: Int, and twin: Int, views: (PollView, PollView), by proof: Proof) {
        let pair = [operations[index], operations[twin]]
        let cards = pair.compactMap { service.cache.card($0.publicID)?.operation }
        // The watcher ends one after the other, and a fault, a poll or a restart may come in between.
        guard cards.count == 2, cards[0].seq == cards[1].seq,
            cards[0].credentials.isBound == cards[1].credentials.isBound,
            cards[0].validity.deadline == cards[1].validity.deadline
        else { return }
        guard cards.allSatisfy(\.state.isTerminal) || service.clock.now < cards[0].validity.deadline else { return }
        let isBlocked = pair.contains { $0.account.map(blocked.contains) ?? false }
        // Only its own device can have superseded it, which knows that it did.
        let isSuperseded = cards.contains { if case .failed(.superseded, _) = $0.state { true } else { false } }
        if !isBlocked, !isSuperseded, views.0 != views.1 {
            fail("\(proof) can tell a decoy: \(views.0.summary) against \(views.1.summary)")
        }
    }

    func open() async {
        guard !operations.isEmpty else { return }
        let index = random.below(operations.count)
        let operation = operations[index]
        guard operation.twin == nil || operation.isDecoy else { return }
        let browser = random.happens(percent: 60) ? 1 : 2 + random.below(5)
        let cookie = random.happens(percent: 10) ? nil : Secret("browser \(browser)")
        let number = typed(for: operation)
        if let number, number == operation.begun.operation.binding.number?.text {
            rightlyTyped.insert(operation.begun.operation.id)
        }
        // Also where the answer is lost: the daemon has heard it.
        if let number, number == operation.begun.operation.binding.number?.text, let cookie {
            operations[index].knowing.insert(cookie.expose())
        }
        let begins = census.begins
        let steps = stepCount
        let outcome = await attempt { service in
            try await service.open(ticket: operation.begun.ticket.expose(), browserCookie: cookie, number: number)
        }
        guard let outcome else { return }
        note("browser \(browser) opens \(index) with \(number ?? "no number"): \(outcome.summary)")
        checkNumber(number, typedBy: cookie, at: operations[index], after: outcome)
        if operation.isDecoy {
            if case .toProvider = outcome { fail("a decoy led to the provider") }
            if begins != census.begins, steps == stepCount { fail("a decoy reached the provider") }
        }
        if case .toProvider = outcome, let account = operation.account, blocked.contains(account), steps == stepCount,
            begins != census.begins
        {
            fail("a scan was started for a blocked account")
        }
    }

    /// The number that somebody types on the page: most often the one that the app shows.
    private func typed(for operation: ModelOperation) -> String? {
        guard let number = operation.begun.operation.binding.number else { return nil }
        if random.happens(percent: 70) { return number.text }
        return random.happens(percent: 70) ? PairingNumber(random.below(100))?.text : nil
    }

    /// Only the number leads to the provider, or a browser that has known it before.
    private func checkNumber(
        _ typed: String?,
        typedBy cookie: Secret?,
        at operation: ModelOperation,
        after outcome: OpenOutcome
    ) {
        guard let number = operation.begun.operation.binding.number else { return }
        guard case .toProvider = outcome, typed != number.text else { return }
        guard let cookie, operation.knowing.contains(cookie.expose()) else {
            return fail("operation \(operation.number) was opened with \(typed ?? "no number")")
        }
    }

    /// Somebody says that it was not them.
    func deny() async {
        guard let operation = operations.randomElement(using: &random), operation.twin == nil else { return }
        let before = disk.tables.operations[operation.row]
        let steps = stepCount
        noteDenying(operation)
        let isEnded = await attempt { service in
            try await service.load(ticket: operation.begun.ticket.expose())
            return try await service.deny(ticket: operation.begun.ticket.expose())
        }
        guard let isEnded else { return }
        note("it wasn't the person of \(operation.number): \(isEnded ? "ended" : "too late")")
        if isEnded { noteDenied(operation) }
        guard isEnded, steps == stepCount, let before else { return }
        if before.state.isTerminal || before.state.name == .redeemed {
            fail("a denial ended what was \(before.state.name)")
        }
    }

    /// A browser comes back from the provider.
    func comeBack() async {
        // An approval does not wait long: most who come back do so then, in the browser of the scan.
        let waiting = operations.filter { service.cache.card($0.publicID)?.operation.state.name == .approved }
        let drawn = waiting.isEmpty || random.happens(percent: 20) ? operations : waiting
        guard let operation = drawn.randomElement(using: &random) else { return }
        let browser = service.cache.card(operation.publicID)?.browser
        let cookies = (1...6).map { Secret("browser \($0)") }
        let own = cookies.first { Digest256(sha256: $0.expose()) == browser }
        let cookie = random.happens(percent: 70) ? own ?? cookies[0] : random.pick(cookies)
        // Most bring the secret that the provider was told, for the attempt that is followed.
        let state = service.cache.card(operation.publicID)?.operation.state
        let followed =
            switch state {
            case .pending(let scan): scan.attempt
            case .approved(let approval): approval.scanAttempt?.number ?? 0
            default: random.below(4) + 1
            }
        let attempt = random.happens(percent: 80) ? followed : random.below(4) + 1
        let scanAttempt = ScanAttempt(browser: Digest256(sha256: cookie.expose()), number: attempt)
        let secret = service.providers.returns.secret(of: operation.row, scanAttempt).expose()
        let steps = stepCount
        let outcome = await self.attempt { service in
            try await service.redirectBack(
                ticket: operation.begun.ticket.expose(),
                secret: secret,
                browserCookie: cookie
            )
        }
        guard case .toApp = outcome else { return }
        census.returns += 1
        if steps == stepCount, case .approved(let approval) = state, approval.scanAttempt != scanAttempt {
            fail("a browser was handed back that the provider has not sent")
        }
        note("\(operation.number) is handed back to the app")
        if operation.isDecoy { fail("a decoy was handed back") }
        if operation.begun.operation.binding.redirectBack == nil { fail("a browser was sent nowhere") }
        if steps == stepCount, browser != Digest256(sha256: cookie.expose()) {
            fail("another browser than the scan's was handed back")
        }
    }

    /// A preview or a scanner fetches the link.
    func look() async {
        guard !operations.isEmpty else { return }
        let operation = random.pick(operations)
        let before = (disk.tally, service.cache.card(operation.publicID)?.operation, census.begins, census.checks)
        let isOpenable = service.isOpenable(ticket: operation.begun.ticket.expose())
        let after = (disk.tally, service.cache.card(operation.publicID)?.operation, census.begins, census.checks)
        if before != after { fail("looking at a link changed something") }
        note("\(operation.number) is \(isOpenable ? "" : "not ")openable")
    }

    enum Ending { case cancel, acknowledge }

    func end(_ ending: Ending) async {
        guard !operations.isEmpty else { return }
        let index = random.below(operations.count)
        let operation = operations[index]
        guard operation.twin == nil else { return }
        let proof = random.happens(percent: 50) ? operations[index].ownProof : random.pick(Proof.allCases)
        var caller = operation.caller(proof)
        if let grant = operation.delivered, random.happens(percent: 20) { caller.session = grant.session }
        let isAllowed = operation.isProven(proof) || caller.session != nil
        let before = disk.tables.operations[operation.row]
        let steps = stepCount
        let outcome = await attempt { service in
            switch ending {
            case .cancel: try await service.cancel(operation.publicID, caller)
            case .acknowledge: try await service.acknowledge(operation.publicID, caller)
            }
        }
        guard let outcome else { return }
        note("\(proof) asks to \(ending) \(index): \(outcome.summary)")
        if !isAllowed, outcome != .unauthorized { fail("\(proof) could \(ending) operation \(index)") }
        if operation.isProven(proof), outcome == .unauthorized {
            fail("\(proof) could not \(ending) operation \(index)")
        }
        if !isAllowed, steps == stepCount, before != disk.tables.operations[operation.row] {
            fail("an unauthorised \(ending) changed operation \(index)")
        }
        if case .current(.completed) = outcome { fail("an end handed tokens out") }
    }
}

extension PollView {
    /// For the trace.
    var summary: String {
        switch self {
        case .pending(let hint, let seq, let timeLeft): "pending \(hint) #\(seq), \(timeLeft) left"
        case .failed(let code, let seq): "failed \(code) #\(seq)"
        case .completed(let grant, _, let seq): "completed \(grant.session) #\(seq)"
        case .attested(let grant, _, let seq): "attested \(grant.session) #\(seq)"
        case .delivered(let seq): "delivered #\(seq)"
        }
    }
}

extension OpenOutcome {
    var summary: String {
        if case .toProvider(let page, _) = self { "to \(page.expose())" } else { "\(self)" }
    }
}

extension EndOutcome {
    var summary: String {
        switch self {
        case .unknown: "unknown"
        case .unauthorized: "unauthorized"
        case .current(let view): view.summary
        }
    }
}
