package import Kernel
import MockServing

/// The request of a client that creates a transaction or an operation.
struct ScanControl: Sendable {
    let kind: ScanKind
    let accountNumber: String
    let timeout: Duration
}

/// Why the control API or the page can't decide a scan.
package enum DecisionError: Error, Equatable, Sendable {
    case unknownScan
    /// It has ended already: a verdict never changes.
    case alreadyDecided(Outcome)
}

extension MockState {
    /// Creates a scan and plans what its account's scenario or magic address says.
    mutating func createScan(
        _ request: ScanControl,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) throws(ProviderError) -> Scan {
        guard let isEnrolled = isEnrolled(request.accountNumber, at: now) else { throw .accountUnknown }
        if request.kind == .login, !isEnrolled { throw .notEnrolled }
        var scan = Scan(
            id: UUIDBits(version4: random(16)),
            kind: request.kind,
            accountNumber: request.accountNumber,
            secret: OneTimeSecret.make(random(32)),
            created: now,
            timeout: request.timeout
        )
        if let step = nextStep(for: request.accountNumber) { plan(step, for: &scan, random: random) }
        if request.kind == .enrolment {
            // Settles what an earlier enrolment came to before the new one takes its place.
            accounts[request.accountNumber]?.isEnrolled = isEnrolled
            accounts[request.accountNumber]?.enrolment = scan.id
        }
        scans[scan.id] = scan
        if let evicted = order.append(scan.id) { scans[evicted] = nil }
        tellCreation(of: scan, now: now, random: random)
        return scan
    }

    /// The scan with that id, if it is of that kind.
    package func scan(_ id: UUIDBits, kind: ScanKind? = nil) -> Scan? {
        guard let scan = scans[id], kind == nil || scan.kind == kind else { return nil }
        return scan
    }

    /// The scan that this page link opens.
    ///
    /// An unknown id and a wrong secret look the same.
    package func scan(_ id: UUIDBits, kind: ScanKind, secret: Secret) -> Scan? {
        guard let scan = scan(id, kind: kind), scan.secret == secret else { return nil }
        return scan
    }

    /// Scans, newest first.
    package func listScans(limit: Int, account: String? = nil) -> [Scan] {
        var found: [Scan] = []
        for id in order.newestFirst where found.count < limit {
            guard let scan = scans[id] else { continue }
            let email = accounts[scan.accountNumber]?.account.email
            if let account, account != scan.accountNumber, account.lowercased() != email?.lowercased() { continue }
            found.append(scan)
        }
        return found
    }

    mutating func markOpened(_ id: UUIDBits, now: Instant) {
        guard scans[id]?.opened == nil else { return }
        scans[id]?.opened = now
    }

    /// Ends a scan now, or plans its end.
    ///
    /// A later plan replaces an earlier one; a verdict is final.
    package mutating func decide(
        _ id: UUIDBits,
        _ outcome: Outcome,
        after delay: Duration = .zero,
        now: Instant
    ) throws(DecisionError) -> Scan {
        guard var scan = scans[id] else { throw .unknownScan }
        if let verdict = scan.verdict(at: now) { throw .alreadyDecided(verdict.outcome) }
        let verdict = Scan.Verdict(outcome: outcome, at: now + delay)
        if delay > .zero { scan.planned = verdict } else { scan.decided = verdict }
        scans[id] = scan
        return scan
    }

    mutating func acceptLate(_ id: UUIDBits) { scans[id]?.acceptsLate = true }

    private mutating func plan(_ step: ScenarioStep, for scan: inout Scan, random: MachineInputs.RandomBytes) {
        if let outcome = step.outcome {
            scan.planned = Scan.Verdict(outcome: outcome, at: scan.created + step.after)
        }
        guard let kind = step.fault else { return }
        if kind == .lateAccept {
            scan.acceptsLate = true
        } else {
            let rule = FaultRule(target: .status, kind: kind, duration: step.faultDuration)
            scan.fault = ActiveFault(rule: rule, seed: Self.seed(random))
        }
    }
}
