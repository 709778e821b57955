import Kernel
import Operations
import Testing

extension StoreUnderTest {
    func checkFinding() async throws {
        let operation = operation(1)
        #expect(try await store.findEnded(publicID: operation.credentials.publicID) == nil)
        #expect(try await store.find(row: operation.id) == nil)
        try await insert([operation, self.operation(2)])
        #expect(try await store.find(row: operation.id) == operation)
        #expect(try await store.findEnded(publicID: operation.credentials.publicID) == nil, "it is live")
        let ended = self.operation(1, state: .failed(.expired, at: operation.validity.deadline), seq: 2)
        #expect(try await update(ended, over: 1))
        #expect(try await store.findEnded(publicID: operation.credentials.publicID) == ended)
        #expect(try await store.findEnded(publicID: operation.credentials.ticket) == nil, "a ticket is no public id")
    }

    func checkStates() async throws {
        for (index, state) in OperationSample.everyState.enumerated() {
            let number = UInt64(index + 1)
            let inserted = operation(number, state: state, seq: 7)
            try await insert([inserted])
            #expect(try await store.find(row: inserted.id) == inserted, "inserted as \(state)")
            let created = operation(number + 1000)
            try await insert([created])
            let updated = operation(number + 1000, state: state, seq: 2)
            #expect(try await update(updated, over: 1))
            #expect(try await store.find(row: created.id) == updated, "updated to \(state)")
        }
        // The way back: no column of an earlier state may shine through a later one.
        var seq: Int64 = 1
        try await insert([operation(5000)])
        for state in OperationSample.everyState + OperationSample.everyState.reversed() {
            let next = operation(5000, state: state, seq: seq + 1)
            #expect(try await update(next, over: seq))
            #expect(try await store.find(row: next.id) == next, "moved to \(state)")
            seq += 1
        }
    }

    func checkOptionalColumns() async throws {
        var draft = OperationSample.draft(1)
        draft.account = nil
        draft.device = nil
        draft.codeChallenge = nil
        let decoy = draft.operation
        try await insert([decoy])
        #expect(try await store.find(row: decoy.id) == decoy)

        var withPolicy = OperationSample.draft(2)
        withPolicy.account = nil
        withPolicy.device = nil
        withPolicy.policy = OperationSample.policy(
            clientID: "other \"app\" ü",
            verifier: .required,
            initiators: .knownDevice
        )
        let other = withPolicy.operation
        try await insert([other])
        #expect(try await store.find(row: other.id) == other)
    }

    func checkBinding() async throws {
        let confirming = OperationSample.policy(
            landing: LandingPolicy(
                clientName: "A \"shop\" ü",
                step: .confirm,
                confirmation: .passkeyIfAny,
                returnURLs: ["https://app.example.com/done", "com.example.app:/done"],
                requiresReturn: true,
                starter: .server,
                asked: LandingPolicy.Asked(scopes: ["openid", "a\"b"], resources: ["https://api.example.com/"])
            )
        )
        let origin = OperationSample.binding().origin
        let bindings = [
            OperationSample.binding(), OperationSample.binding(wrongNumbers: 2),
            OperationBinding(origin: LoginOrigin(email: "•••", address: "", agent: "", message: "W4SCT \"ü\"")),
            OperationBinding(mode: .crossDevice, origin: origin, number: PairingNumber(0)),
            OperationBinding(mode: .crossDevice, origin: origin, number: PairingNumber(99)),
            OperationBinding(redirectBack: RedirectBack(url: "com.example.app:/done")),
            OperationBinding(origin: LoginOrigin(email: "", address: "192.0.2.7", agent: "")),
        ]
        let plain = OperationSample.policy()
        for (index, (binding, policy)) in zip(
            bindings,
            [confirming, confirming, confirming, confirming, confirming, plain, plain]
        ).enumerated() {
            var draft = OperationSample.draft(UInt64(index + 1))
            draft.account = account
            draft.device = device
            draft.policy = policy
            draft.binding = binding
            let first = draft.operation
            try await insert([first])
            #expect(try await store.find(row: first.id) == first)
            draft.seq = 2
            draft.binding = OperationBinding(
                mode: binding.mode,
                origin: binding.origin,
                number: binding.number,
                wrongNumbers: index == 6 ? 0 : 1,
                redirectBack: binding.redirectBack.map {
                    RedirectBack(url: $0.url, code: OperationSample.digest("return", 5))
                }
            )
            #expect(try await update(draft.operation, over: 1))
            #expect(try await store.find(row: first.id) == draft.operation)
            draft.seq = 3
            draft.state = .failed(.deniedNotMe, at: OperationSample.start)
            draft.binding = OperationBinding(
                mode: binding.mode,
                origin: binding.origin.map {
                    LoginOrigin(email: "", address: $0.address, agent: $0.agent, message: $0.message)
                },
                wrongNumbers: index == 6 ? 0 : 1,
                redirectBack: binding.redirectBack.map { RedirectBack(url: $0.url) }
            )
            #expect(try await update(draft.operation, over: 2))
            #expect(try await store.find(row: first.id) == draft.operation, "erased")
        }
    }

    func checkPurposes() async throws {
        let bare = try ApprovalRequest(message: "Sign the lease", amount: nil, payee: nil, payloadHash: nil)
        let purposes: [OperationPurpose] = [
            .enroll(startedBy: OperationSample.session),
            .approve(OperationSample.order, startedBy: OperationSample.session),
            .approve(bare, startedBy: OperationSample.session),
        ]
        for (index, purpose) in purposes.enumerated() {
            var draft = OperationSample.draft(UInt64(index + 1))
            draft.account = account
            draft.device = device
            draft.purpose = purpose
            try await insert([draft.operation])
            #expect(try await store.find(row: draft.id) == draft.operation)
            draft.state = .redeemed(OperationSample.grant())
            draft.seq = 2
            #expect(try await update(draft.operation, over: 1))
            #expect(try await store.find(row: draft.id) == draft.operation)
            draft.state = .closed(OperationSample.closure())
            draft.seq = 3
            #expect(try await update(draft.operation, over: 2))
            #expect(try await store.find(row: draft.id) == draft.operation)
        }
    }

    func checkDuplicates() async throws {
        try await insert([operation(1)])
        let original = OperationSample.draft(1)
        var sameRow = OperationSample.draft(2)
        sameRow.id = original.id
        sameRow.account = account
        sameRow.device = device
        let duplicate = sameRow.operation
        do {
            try await insert([duplicate])
            Issue.record("the twin was taken")
        } catch StoreError.conflict {
            // No outage: the same write will never do.
        }
        #expect(try await store.list(OperationFilter()).map(\.id) == [original.id])
    }

    func checkSwap() async throws {
        let first = operation(1)
        let opened = operation(1, state: OperationSample.everyState[1], seq: 2)
        let failed = operation(1, state: .failed(.canceled, at: OperationSample.start), seq: 2)
        #expect(try await !update(opened, over: 1), "there is no such row yet")
        try await insert([first, operation(2)])
        #expect(try await !update(opened, over: 2), "a version that is yet to come")
        #expect(try await store.find(row: first.id) == first)
        #expect(try await update(opened, over: 1))
        #expect(try await !update(failed, over: 1), "a version that is gone")
        #expect(try await store.find(row: first.id) == opened)
        #expect(try await store.find(row: operation(2).id) == operation(2), "another row")
    }

    func checkWhatMoves() async throws {
        let first = operation(1)
        try await insert([first])
        var draft = OperationSample.draft(1, state: OperationSample.everyState[1], seq: 2)
        draft.account = account
        draft.device = device
        draft.isBound = true
        draft.provider = ProviderName("another")
        // A wall clock that was set back shortens what is left.
        draft.deadline = first.validity.deadline - .seconds(50)
        #expect(try await update(draft.operation, over: 1))
        #expect(try await store.find(row: first.id) == draft.operation)
    }

    func checkNotedBinding() async throws {
        let (first, second) = (operation(1), operation(2))
        try await insert([first, second])
        let (store, bound) = (store, Set([first.id, operation(3).id]))
        try await unitOfWork.run { try store.bind(bound, in: $0) }
        #expect(try await store.find(row: first.id) == first.bound())
        #expect(try await store.find(row: second.id) == second, "another row")
        // Made from what was read before the binding was noted.
        let opened = operation(1, state: OperationSample.everyState[1], seq: 2)
        #expect(try await update(opened, over: 1))
        #expect(try await store.find(row: first.id) == opened.bound())
    }
}
