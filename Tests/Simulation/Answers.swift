import Kernel
import MemoryStore
import Operations

/// How things stood when a caller asked.
struct CallStart {
    let life: Int
    let steps: Int
    /// The engine's time.
    let now: Instant
    let stored: Operation?
    let isBound: Bool
    let isBlocked: Bool
    let accessLevel: Visibility.AccessLevel?
    /// Whether the daemon's copy and the row give the caller the same level: a copy may not have heard of a binding yet.
    let isLevelSettled: Bool
    let fingerprint: Digest256?
}

extension History {
    func callStart(_ index: Int, _ caller: Caller) -> CallStart {
        let operation = operations[index]
        let stored = disk.tables.operations[operation.row]
        let shown = service.cache.card(operation.publicID)?.operation
        // The store lags behind a binding, and the cache behind a write that was durable though it reported a fault.
        // Another caller may have collected by it.
        let accessLevels = [shown, stored].compactMap { $0.map { Visibility.accessLevel(of: caller, to: $0) } }
        return CallStart(
            life: life,
            steps: stepCount,
            now: service.clock.now,
            stored: stored,
            isBound: stored?.credentials.isBound == true || shown?.credentials.isBound == true,
            isBlocked: operation.account.map(blocked.contains) ?? false,
            accessLevel: accessLevels.contains(.unproven) ? .unproven : accessLevels.first,
            isLevelSettled: Set(accessLevels).count < 2,
            fingerprint: caller.fingerprint
        )
    }

    /// A poll's answer must be one that this caller may get.
    func check(_ view: PollView, to proof: Proof, of index: Int, _ call: CallStart) {
        checkWrites()
        let operation = operations[index]
        // With a challenge, who lacks the verifier learns nothing, ever.
        if operation.codeVerifier != nil, !operation.isProven(proof) { checkOutside(view, to: proof, of: index) }
        switch view {
        case .completed(let grant, _, _): check(grant, to: proof, of: index, call)
        case .pending(_, _, let timeLeft):
            if timeLeft < .zero || timeLeft > Self.lifetime + tolerance {
                fail("\(timeLeft) left of operation \(index)")
            }
        case .attested: fail("an approval came of operation \(index)")
        case .failed, .delivered: break
        }
        checkOrder(view, to: proof, of: index, call)
    }

    private func checkOutside(_ view: PollView, to proof: Proof, of index: Int) {
        switch view {
        case .pending(.created, 1, _), .pending(.providerDegraded, 1, _), .failed(.expired, 2): break
        case .pending, .failed, .completed, .attested, .delivered:
            fail("\(proof) learnt of operation \(index): \(view.summary)")
        }
    }

    private func check(_ grant: Grant, to proof: Proof, of index: Int, _ call: CallStart) {
        let operation = operations[index]
        if operation.isDecoy { fail("tokens for a decoy") }
        if call.isBlocked { fail("tokens for a blocked account") }
        if call.stored?.state.isTerminal == true { fail("tokens for operation \(index), which was over") }
        if accepted[operation.row] == nil { fail("tokens without an accepted verdict") }
        if disk.tables.sessions[grant.session]?.grant.isWorth(grant) != true { fail("tokens for no session") }
        if let delivered = operation.delivered, !delivered.isWorth(grant) { fail("two grants for operation \(index)") }
        if !operation.isProven(proof), call.isBound { fail("\(proof) got the tokens of a bound operation") }
        if case .redeemed(let earlier)? = call.stored?.state {
            checkRedelivery(of: earlier, to: proof, of: operation, call)
            census.redelivered += 1
        }
        census.completed += 1
        operations[index].delivered = grant
    }

    private func checkRedelivery(of grant: Grant, to proof: Proof, of operation: ModelOperation, _ call: CallStart) {
        let age = call.now - grant.redeemedAt
        if age >= Self.redemptionWindow { fail("tokens \(age) after the first time") }
        guard !operation.isProven(proof) else { return }
        switch grant.collector {
        case .proven: fail("\(proof) got tokens that another had collected")
        case .fingerprint(let digest):
            if digest != call.fingerprint { fail("\(proof) got tokens that another address had collected") }
            if age >= .seconds(20) { fail("tokens without a proof \(age) after the first time") }
        }
    }

    /// To one caller an operation only ever goes forward, and an end is an end.
    private func checkOrder(_ view: PollView, to proof: Proof, of index: Int, _ call: CallStart) {
        // An answer that others overtook may tell of the past.
        guard call.steps == stepCount, call.life == life else { return }
        let operation = operations[index]
        guard cluster == nil || operation.isProven(proof) || call.isLevelSettled else { return }
        let new = Sighting(life: life, accessLevel: call.accessLevel, view: view)
        // A daemon shows what it knows: of several each has its own order.
        let sighter = Sighter(proof: proof, life: cluster == nil ? nil : life)
        defer { operations[index].sightings[sighter] = new }
        guard let old = operation.sightings[sighter] else { return }
        if !operation.isProven(proof), old.life != life || old.accessLevel != call.accessLevel { return }
        if view.seq < old.view.seq { fail("\(proof) saw #\(old.view.seq) and then #\(view.seq) of operation \(index)") }
        let isInOrder =
            switch (old.view, view) {
            case (.pending, _), (.completed, .completed), (.completed, .delivered), (.delivered, .delivered): true
            case (.failed, .failed): old.view == view
            // A window that had ended but was not closed yet counts again after the wall clock was set back.
            case (.delivered, .completed): old.life != life
            case (.completed, _), (.attested, _), (.delivered, _), (.failed, _): false
            }
        if !isInOrder {
            fail("\(proof) saw operation \(index) \(old.view.summary) and then \(view.summary)")
        }
    }
}

extension Grant {
    /// Whether the same tokens are signed from both; when they were collected may be clamped by a restart.
    fileprivate func isWorth(_ other: Grant) -> Bool {
        session == other.session && accessTokenID == other.accessTokenID && refreshTokenID == other.refreshTokenID
            && issuedAt == other.issuedAt && authenticatedAt == other.authenticatedAt && collector == other.collector
    }
}
