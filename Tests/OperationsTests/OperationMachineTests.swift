import Kernel
import Operations
import StoreContract
import Testing

@Suite struct OperationMachineTests {
    private let deadline = OperationSample.start + .seconds(180)

    @Test func `a step raises the version by one and leaves everything else as it was`() {
        for attempt in MachineWalk.attempts {
            guard case .success(let step) = attempt.outcome else { continue }
            #expect(step.next.seq == attempt.operation.seq + 1)
            var draft = OperationSample.draft(1, state: step.next.state, seq: 5)
            draft.account = attempt.operation.request.account
            if case .scanStarted(_, let provider, _, _) = attempt.event { draft.provider = provider }
            draft.purpose = attempt.operation.request.purpose
            let old = attempt.operation.binding
            let isEnd = step.next.state.isTerminal
            draft.binding = OperationBinding(
                mode: old.mode,
                origin: isEnd
                    ? old.origin.map { LoginOrigin(email: "", address: $0.address, agent: $0.agent) } : old.origin,
                number: isEnd ? nil : old.number,
                wrongNumbers: old.wrongNumbers + (attempt.event == .numberMismatched ? 1 : 0),
                redirectBack: old.redirectBack.map {
                    RedirectBack(url: $0.url, code: Self.code(after: attempt.event, $0, isEnd))
                }
            )
            #expect(step.next == draft.operation)
        }
    }

    /// The return code that is good after the event.
    private static func code(after event: OperationEvent, _ old: RedirectBack, _ isEnd: Bool) -> Digest256? {
        if isEnd { return nil }
        return switch event.name {
        case .returned: OperationSample.digest("return", 1)
        case .redeemRequested: nil
        case .openRequested, .scanStarted, .observed, .deadlineReached, .approvalWindowEnded, .acknowledged,
            .redemptionWindowEnded, .cancelRequested, .superseded, .numberMismatched, .numberMatched, .accountBlocked,
            .deniedNotMe:
            old.code
        }
    }

    // T-009
    @Test func `terminal states refuse everything`() {
        for attempt in MachineWalk.attempts where attempt.operation.state.isTerminal {
            guard case .failure(.notInThisState) = attempt.outcome else {
                Issue.record("\(attempt.operation.state.name) took \(attempt.event)")
                continue
            }
        }
    }

    @Test func `every effect fits the state that it comes with`() {
        for attempt in MachineWalk.attempts {
            guard case .success(let step) = attempt.outcome else { continue }
            let expected: OperationMachine.Effect? =
                switch (step.next.state, attempt.event) {
                case (.created, .numberMismatched), (.opened, .numberMismatched), (.pending, .numberMismatched):
                    .askAgain
                case (.created, .numberMatched), (.opened, _), (.pending, .numberMatched): .startScan
                case (.created, _): nil
                case (.pending(let scan), _): .follow(scan.reference)
                case (.approved, _): .awaitCollection
                case (.redeemed(let grant), _):
                    attempt.operation.request.purpose.approval == nil ? .openSession(grant) : .attest(grant)
                case (.closed, _), (.failed, _): .end
                }
            #expect(step.effect == expected)
        }
    }

    @Test func `a decoy fails or stays created, whatever the event`() {
        for attempt in MachineWalk.attempts where attempt.operation.isDecoy && attempt.operation.state == .created {
            guard case .success(let step) = attempt.outcome else { continue }
            // Numbers are taken in as anywhere else.
            if [.numberMismatched, .numberMatched].contains(attempt.event), step.next.state == .created { continue }
            #expect(step.next.state.name == .failed, "by \(attempt.event)")
        }
        let decoy = MachineWalk.operation(.created, isDecoy: true)
        let open = OperationEvent.openRequested(browser: .zero)
        #expect(refusal(of: open, on: decoy, OperationSample.start) == .decoy)
    }

    // T-010
    @Test func `an operation is approved only by an approval of its own scan before the deadline`() {
        for attempt in MachineWalk.attempts {
            guard case .success(let step) = attempt.outcome, case .approved(let approval) = step.next.state,
                attempt.operation.state != step.next.state
            else { continue }
            #expect(attempt.event == .observed(.approved, of: approval.scan, at: attempt.operation.provider))
            #expect(attempt.now < attempt.operation.validity.deadline)
            guard case .pending(let scan) = attempt.operation.state else {
                Issue.record("approved out of \(attempt.operation.state.name)")
                continue
            }
            #expect(scan.reference == approval.scan && approval.at == attempt.now)
        }
    }

    // T-060
    @Test func `attack: a verdict of the previous provider for a scan of the same name is refused as stale`() throws {
        let pending = MachineWalk.operation(.pending(OperationSample.scan()))
        let start = OperationSample.start
        let elsewhere = OperationEvent.scanStarted(MachineWalk.followed, at: MachineWalk.otherProvider, browser: .zero)
        let moved = try OperationMachine.apply(elsewhere, to: pending, now: start).next
        #expect(moved.provider == MachineWalk.otherProvider)
        for status in MachineWalk.statuses {
            let event = OperationEvent.observed(status, of: MachineWalk.followed, at: MachineWalk.provider)
            #expect(refusal(of: event, on: moved, start) == .staleReference)
        }
        let verdict = OperationEvent.observed(.approved, of: MachineWalk.followed, at: MachineWalk.otherProvider)
        let approved = try OperationMachine.apply(verdict, to: moved, now: start).next
        #expect(approved.state.name == .approved && approved.provider == MachineWalk.otherProvider)
    }

    @Test func `nothing but the start of a scan moves an operation to another provider`() {
        for attempt in MachineWalk.attempts {
            guard case .success(let step) = attempt.outcome else { continue }
            if case .scanStarted(_, let provider, _, _) = attempt.event {
                #expect(step.next.provider == provider)
            } else {
                #expect(step.next.provider == attempt.operation.provider)
            }
        }
    }

    @Test func `an enrolment is complete by such an approval, and by nothing else; a login never is`() {
        var count = 0
        for attempt in MachineWalk.attempts where attempt.operation.state.name == .pending {
            guard case .success(let step) = attempt.outcome, case .closed(let closure) = step.next.state else {
                continue
            }
            count += 1
            #expect(attempt.operation.request.purpose == MachineWalk.enrolment)
            #expect(attempt.event == .observed(.approved, of: MachineWalk.followed, at: MachineWalk.provider))
            #expect(attempt.now < attempt.operation.validity.deadline && closure.at == attempt.now)
        }
        #expect(count > 0)
        let waits = MachineWalk.attempts.filter { attempt in
            guard attempt.operation.state.name != .approved, case .success(let step) = attempt.outcome else {
                return false
            }
            return step.next.state.name == .approved && attempt.operation.request.purpose == MachineWalk.enrolment
        }
        #expect(waits.isEmpty, "an enrolment has nothing to be collected")
    }

    // T-010
    @Test func `an approval counts until the last millisecond before the deadline`() {
        let pending = MachineWalk.operation(.pending(OperationSample.scan()))
        let approval = OperationEvent.observed(.approved, of: MachineWalk.followed, at: MachineWalk.provider)
        #expect(refusal(of: approval, on: pending, deadline - .milliseconds(1)) == nil)
        #expect(refusal(of: approval, on: pending, deadline) == .tooLate)
        let stale = OperationEvent.observed(.approved, of: MachineWalk.abandoned, at: MachineWalk.provider)
        #expect(refusal(of: stale, on: pending, OperationSample.start) == .staleReference)
        #expect(refusal(of: stale, on: pending, deadline) == .staleReference)
    }

    @Test(arguments: [
        (ScanStatus.rejected(.declined), FailureCode.declined), (.rejected(.notMatched), .notMatched),
        (.rejected(.livenessFailed), .livenessFailed), (.rejected(.tooManyAttempts), .tooManyAttempts),
        (.expired, .expired), (.canceled, .canceled), (.broken, .providerError),
    ])
    func `each refusal of the provider has its code`(_ status: ScanStatus, _ code: FailureCode) throws {
        let pending = MachineWalk.operation(.pending(OperationSample.scan()))
        let now = OperationSample.start + .seconds(9)
        let step = try OperationMachine.apply(
            .observed(status, of: MachineWalk.followed, at: MachineWalk.provider),
            to: pending,
            now: now
        )
        #expect(step.next.state == .failed(code, at: now))
    }

    @Test func `an answer that says nothing new changes nothing`() {
        let pending = MachineWalk.operation(.pending(OperationSample.scan(progress: .processing)))
        for status in [ScanStatus.pending(.processing), .unrecognised, .nonsense, .unknownReference] {
            let event = OperationEvent.observed(status, of: MachineWalk.followed, at: MachineWalk.provider)
            #expect(refusal(of: event, on: pending, OperationSample.start) == .nothingNew)
        }
    }

    @Test func `a scan can be started over three times, and the fourth restart is refused`() throws {
        var operation = MachineWalk.operation(.opened(Opening(browser: .zero)))
        for attempt in 1...4 {
            let event = OperationEvent.scanStarted(
                ProviderReference("start \(attempt)"),
                at: MachineWalk.provider,
                browser: .zero
            )
            operation = try OperationMachine.apply(event, to: operation, now: OperationSample.start).next
            guard case .pending(let scan) = operation.state else {
                throw UnexpectedResultError(what: "\(operation.state)")
            }
            #expect(scan.attempt == attempt)
            #expect(scan.progress == .userInProvider)
        }
        let fifth = OperationEvent.scanStarted(ProviderReference("start 5"), at: MachineWalk.provider, browser: .zero)
        #expect(refusal(of: fifth, on: operation, OperationSample.start) == .tooManyRestarts)
    }

    @Test func `the third wrong number ends what waits for one, in every state before the verdict`() throws {
        for state in [OperationState.created, .opened(Opening(browser: .zero)), .pending(OperationSample.scan())] {
            for isDecoy in [false, true] {
                var operation = MachineWalk.operation(state, isDecoy: isDecoy, binding: OperationSample.binding())
                for count in 1...2 {
                    let step = try OperationMachine.apply(.numberMismatched, to: operation, now: OperationSample.start)
                    operation = step.next
                    #expect(operation.state == state && operation.binding.wrongNumbers == count)
                }
                let last = try OperationMachine.apply(.numberMismatched, to: operation, now: OperationSample.start)
                #expect(last.next.state == .failed(.tooManyAttempts, at: OperationSample.start))
                #expect(last.next.binding.number == nil && last.next.binding.origin?.email == "", "gone at the end")
            }
        }
        let none = MachineWalk.operation(.created)
        #expect(refusal(of: .numberMismatched, on: none, OperationSample.start) == .nothingNew)
        let late = MachineWalk.operation(.created, isDecoy: false, binding: OperationSample.binding())
        #expect(refusal(of: .numberMismatched, on: late, deadline) == .tooLate)
    }

    @Test func `at the deadline a waiting operation fails with the code of its last provider contact`() throws {
        let opened = OperationState.opened(Opening(browser: .zero))
        let pending = OperationState.pending(OperationSample.scan())
        let cases: [(OperationState, ProviderContact, FailureCode)] = [
            (.created, .answered, .expired), (.created, .failed, .expired), (.created, .refused, .expired),
            (opened, .answered, .expired), (opened, .failed, .providerUnavailable), (opened, .refused, .providerError),
            (pending, .answered, .expired), (pending, .failed, .providerUnavailable),
            (pending, .refused, .providerError),
        ]
        for (state, contact, code) in cases {
            let operation = MachineWalk.operation(state)
            let event = OperationEvent.deadlineReached(after: contact)
            #expect(refusal(of: event, on: operation, deadline - .milliseconds(1)) == .tooEarly)
            let step = try OperationMachine.apply(event, to: operation, now: deadline)
            #expect(step.next.state == .failed(code, at: deadline))
        }
    }

    @Test func `the windows end on the millisecond`() {
        let approval = OperationSample.approval()
        let approved = MachineWalk.operation(.approved(approval))
        let approvalEnd = approval.at + .seconds(60)
        let redeem = OperationEvent.redeemRequested(OperationSample.grant())
        #expect(refusal(of: redeem, on: approved, approvalEnd - .milliseconds(1)) == nil)
        #expect(refusal(of: redeem, on: approved, approvalEnd) == .tooLate)
        #expect(refusal(of: .approvalWindowEnded, on: approved, approvalEnd - .milliseconds(1)) == .tooEarly)
        #expect(refusal(of: .approvalWindowEnded, on: approved, approvalEnd) == nil)

        let grant = OperationSample.grant()
        let redeemed = MachineWalk.operation(.redeemed(grant))
        let redemptionEnd = grant.redeemedAt + .seconds(120)
        #expect(refusal(of: .redemptionWindowEnded, on: redeemed, redemptionEnd - .milliseconds(1)) == .tooEarly)
        #expect(refusal(of: .redemptionWindowEnded, on: redeemed, redemptionEnd) == nil)
        #expect(refusal(of: redeem, on: redeemed, grant.redeemedAt) == .notInThisState)
    }

    @Test func `a return code is taken while an approval waits, where there is a way back`() {
        let approved = OperationState.approved(OperationSample.approval())
        let event = OperationEvent.returned(code: .zero)
        let end = OperationSample.approval().at + .seconds(60)
        let with = MachineWalk.operation(approved, isDecoy: false, binding: OperationSample.binding())
        #expect(refusal(of: event, on: with, end - .milliseconds(1)) == nil)
        #expect(refusal(of: event, on: with, end) == .tooLate)
        #expect(refusal(of: event, on: MachineWalk.operation(approved), OperationSample.start) == .nothingNew)
        let pending = OperationState.pending(OperationSample.scan())
        let early = MachineWalk.operation(pending, isDecoy: false, binding: OperationSample.binding())
        #expect(refusal(of: event, on: early, OperationSample.start) == .notInThisState)
    }

    @Test func `a closed operation keeps its session and its collector`() throws {
        for event in [OperationEvent.acknowledged, .accountBlocked] {
            let grant = OperationSample.grant(collector: .fingerprint(.zero))
            let step = try OperationMachine.apply(
                event,
                to: MachineWalk.operation(.redeemed(grant)),
                now: grant.redeemedAt
            )
            let closure = Closure(at: grant.redeemedAt, session: grant.session, collector: grant.collector)
            #expect(step.next.state == .closed(closure))
        }
    }

    private func refusal(
        of event: OperationEvent,
        on operation: Operation,
        _ now: Instant
    ) -> OperationMachine.TransitionError? {
        switch MachineWalk.apply(event, on: operation, now).outcome {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }
}
