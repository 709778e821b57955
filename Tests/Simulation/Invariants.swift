import Kernel
import MemoryStore
import Operations

extension History {
    /// The invariants after every step of any kind.
    func checkAll() {
        guard violation == nil else { return }
        checkWrites()
        let tables = disk.tables
        checkSessions(tables)
        for daemon in daemons where daemon.peer?.isUp ?? true { checkCache(of: daemon, tables) }
    }

    func checkWrites() {
        for write in disk.takeWrites() { check(write) }
        cluster?.isUncertain = false
    }

    /// There is one session for what was redeemed and none for anything else.
    private func checkSessions(_ tables: MemoryTables) {
        var perOperation: [OperationRowID: Int] = [:]
        for session in tables.sessions.values { perOperation[session.operation, default: 0] += 1 }
        for operation in tables.operations.values {
            let count = perOperation[operation.id, default: 0]
            let opensOne = operation.session != nil && operation.request.purpose == .login
            if count != (opensOne ? 1 : 0) {
                fail("\(operation.state.name) operation \(operation.id) has \(count) sessions")
            }
        }
    }

    /// The cache shows nothing that is not durable.
    private func checkCache(of daemon: SimulatedDaemon, _ tables: MemoryTables) {
        for card in daemon.service.cache.cards(where: { _ in true }) {
            let shown = card.operation
            guard let stored = tables.operations[shown.id] else {
                fail("the cache shows an operation that the store has not")
                continue
            }
            // Another daemon may write before it can know of the binding.
            if depth == 0, cluster == nil, shown.credentials.isBound { boundAtRest[shown.id] = life }
            if shown.seq > stored.seq || (shown.seq == stored.seq && shown.state.name != stored.state.name) {
                fail("the cache shows \(shown.state.name) #\(shown.seq), the store has #\(stored.seq)")
            }
        }
    }

    /// Nothing live stays long after its time, however long a provider takes to answer.
    ///
    /// An outage of the store or a standstill holds all, and a check that waits for the store holds its operation. A
    /// single fault delays an end by half a second.
    func checkTimeliness() {
        guard time.now - max(lastOutage, daemons[0].lifeBegan) > .seconds(20) else { return }
        let now = service.clock.now
        for card in service.cache.cards(where: { !checked.contains($0.credentials.publicID) }) {
            guard let end = card.operation.end, now > end + .seconds(10) else { continue }
            fail("\(card.operation.id) is \(card.operation.state.name) \(now - end) after its time")
        }
    }

    private func check(_ write: MemoryTables.Write) {
        let new = write.new
        noteChange(new)
        guard let old = write.old else {
            if new.state != .created || new.seq != 1 { fail("an operation began as \(new.state.name) #\(new.seq)") }
            return
        }
        if old.state.isTerminal { fail("\(old.state.name) was changed to \(new.state.name)") }
        if new.seq != old.seq + 1 { fail("#\(old.seq) was followed by #\(new.seq)") }
        if new.credentials.publicID != old.credentials.publicID || new.credentials.ticket != old.credentials.ticket
            || new.request.account != old.request.account
            || new.credentials.codeChallenge != old.credentials.codeChallenge
            || new.credentials.bindingCookie != old.credentials.bindingCookie
            || new.validity.createdAt != old.validity.createdAt || new.request.policy != old.request.policy
            || new.request.device != old.request.device
            || new.request.purpose != old.request.purpose
        {
            fail("an operation changed its identity")
        }
        if new.validity.deadline > old.validity.deadline { fail("a deadline was put off") }
        if old.credentials.isBound, !new.credentials.isBound { fail("a binding came undone") }
        if boundAtRest[new.id] == life, !new.credentials.isBound { fail("a write forgot the binding") }
        if new.isDecoy, new.state.name != .failed, new.state != .created { fail("a decoy became \(new.state.name)") }
        if !Self.successors[old.state.name, default: []].contains(new.state.name) {
            fail("\(old.state.name) was followed by \(new.state.name)")
        }
        checkStep(from: old, to: new)
        checkNumbers(from: old, to: new)
    }

    /// A state stays as it is only when a number is heard, or a browser handed back; a third wrong one ends the operation.
    private func checkNumbers(from old: Operation, to new: Operation) {
        let added = new.binding.wrongNumbers - old.binding.wrongNumbers
        if added != 0 && added != 1 { fail("\(added) wrong numbers were counted at once") }
        let isReturn = new.binding.redirectBack?.code != old.binding.redirectBack?.code
        let isRight = rightlyTyped.contains(new.id)
        if new.state == old.state, added != 1, !isReturn, !isRight {
            fail("\(old.state.name) was written again for nothing")
        }
        if new.binding.wrongNumbers >= 3, new.state.name != .failed { fail("a fourth number may be typed") }
        let isErased =
            new.binding.number == nil && new.binding.origin?.email.isEmpty ?? true
            && new.binding.redirectBack?.code == nil
        if new.binding.redirectBack?.code != nil, new.state.name != .approved { fail("a return code is good too long") }
        if new.state.isTerminal, !isErased { fail("an ended operation still has its number") }
        if !new.state.isTerminal, new.binding.number != old.binding.number { fail("a number changed") }
    }

    private static let successors: [OperationState.Name: Set<OperationState.Name>] = [
        .created: [.created, .opened, .failed], .opened: [.opened, .pending, .failed],
        .pending: [.pending, .approved, .closed, .failed],
        .approved: [.approved, .redeemed, .failed], .redeemed: [.closed],
    ]

    private func checkStep(from old: Operation, to new: Operation) {
        if case .pending(let before) = old.state, case .pending(let after) = new.state,
            before.reference != after.reference
        {
            replaced.insert(before.reference)
            if after.attempt != before.attempt + 1 || after.attempt > 4 { fail("start number \(after.attempt)") }
        }
        if case .pending(let scan) = old.state, case .approved(let approval) = new.state {
            checkApproval(approval, of: scan, new)
        }
        if case .pending(let scan) = old.state, case .closed(let closure) = new.state {
            if new.request.purpose == .login { fail("a login closed without a collection") }
            if let account = new.request.account, blocked.contains(account) {
                fail("a face of a blocked account was taken")
            }
            census.enrolled += 1
            checkApproval(Approval(at: closure.at, scan: scan.reference), of: scan, new)
        }
        if case .approved = new.state, new.request.purpose != .login { fail("an enrolment waits to be collected") }
        if case .approved(let approval) = old.state, case .redeemed(let grant) = new.state {
            if grant.redeemedAt >= approval.at + Self.approvalWindow { fail("redeemed after the approval window") }
            if let account = new.request.account, blocked.contains(account) { fail("redeemed for a blocked account") }
        }
        // An enrolment gives way to the next one of its account, which takes a session to begin.
        if case .failed(.superseded, _) = new.state, new.request.purpose == .login, !mayBeSuperseded.contains(new.id),
            new.request.device == nil
        {
            fail("a login was superseded by somebody without its proof")
        }
        if case .failed(let code, let at) = new.state {
            checkFailure(code, at: at, of: old, deadline: new.validity.deadline)
        }
    }

    private func checkApproval(_ approval: Approval, of scan: Scan, _ new: Operation) {
        accepted[new.id] = life
        if approval.scan != scan.reference {
            fail("approved by \(approval.scan.text), while \(scan.reference.text) is followed")
        }
        if replaced.contains(approval.scan) { fail("approved by an abandoned scan") }
        if approval.at >= new.validity.deadline { fail("approved after the deadline") }
        if fates[approval.scan]?.provider != new.provider {
            fail("approved by \(approval.scan.text), and the row says that it is \(new.provider)'s")
        }
        guard let saidAt = approvalsSaid[approval.scan] else {
            return fail("approved, although the provider never said so")
        }
        // Measured by no clock of the engine's: stepping the wall clock must not matter.
        if let model = operations.first(where: { $0.row == new.id }), cluster != nil || model.begunInLife == life,
            saidAt - model.begunAt >= Self.lifetime + tolerance
        {
            fail("approved by a verdict that came \(saidAt - model.begunAt) after the start")
        }
    }

    private func checkFailure(_ code: FailureCode, at: Instant, of old: Operation, deadline: Instant) {
        guard code == .expired || code == .providerUnavailable else { return }
        switch old.state {
        case .approved(let approval):
            // A start after the wall clock was set back counts the window from that start.
            if cluster != nil || accepted[old.id] == life, at + tolerance < approval.at + Self.approvalWindow {
                fail("an approval expired early")
            }
        case .pending(let scan):
            if at < deadline, fates[scan.reference]?.verdict != .expired { fail("a scan expired early") }
        case .created, .opened, .redeemed, .closed, .failed: if at < deadline { fail("expired early") }
        }
    }
}

extension Operation {
    /// When its present state ends at the latest.
    var end: Instant? {
        switch state {
        case .created, .opened, .pending: validity.deadline
        case .approved(let approval): approval.at + request.policy.timing.approvalWindow
        case .redeemed(let grant): grant.redeemedAt + request.policy.timing.redemptionWindow
        case .closed, .failed: nil
        }
    }
}
