import Kernel
import MemoryStore
import Operations
import Synchronization

/// Lets the doubles call the history that they belong to.
final class Link: Sendable {
    private let connected = Mutex<History?>(nil)

    var history: History? { connected.withLock { $0 } }
    func connect(_ history: History?) { connected.withLock { $0 = history } }
}

/// A provider whose answers the history makes up.
final class SimulatedProvider: FaceProvider {
    let name = ProviderName("simulated")
    let checkConcurrency = 3
    let enrolsFaces = true
    private let link: Link

    init(link: Link) { self.link = link }

    func begin(_ request: ScanRequest) async throws(ProviderFailure) -> StartedScan {
        guard let history = link.history else { throw .unavailable(cause: "no history") }
        return try await history.providerBegins(request).get()
    }

    func check(_ reference: ProviderReference) async throws(ProviderFailure) -> ScanStatus {
        guard let history = link.history else { throw .unavailable(cause: "no history") }
        return try await history.providerChecks(reference).get()
    }
}

/// What becomes of a scan at the provider.
struct Fate {
    /// The provider itself does not know the scan until then.
    let knownAt: Uptime
    /// Then it decides.
    let verdictAt: Uptime
    let verdict: ScanStatus
}

extension History {
    func providerBegins(_ request: ScanRequest) async -> Result<StartedScan, ProviderFailure> {
        census.begins += 1
        if !People.all.contains(where: { $0.enrolment == request.enrolment }) {
            fail("the provider was asked for \(request.enrolment), whom nobody enrolled")
        }
        await interleave()
        if let failure = providerFault() { return .failure(failure) }
        let reference = ProviderReference("scan-\(fates.count + 1)")
        let verdicts: [ScanStatus] =
            Array(repeating: .approved, count: 14)
            + ScanStatus.Rejection.allCases.map { .rejected($0) } + [.expired, .canceled, .broken]
        let isSlow = random.happens(percent: 25)
        fates[reference] = Fate(
            knownAt: time.now + .milliseconds(random.happens(percent: 15) ? random.below(20_000) : 0),
            verdictAt: time.now + .milliseconds(500 + random.below(isSlow ? 250_000 : 25_000)),
            verdict: random.pick(verdicts)
        )
        note("the provider begins \(reference.text)")
        return .success(
            StartedScan(reference: reference, page: Secret("https://provider.example.com/\(reference.text)"))
        )
    }

    func providerChecks(_ reference: ProviderReference) async -> Result<ScanStatus, ProviderFailure> {
        census.checks += 1
        // An answer may be on its way for long: then it tells of the past.
        let early = random.happens(percent: 50) ? providerAnswer(reference) : nil
        let held = visited
        visited.removeAll { desk.board.card($0)?.operation.follows(reference) ?? false }
        await interleave()
        if calm == 0, random.happens(percent: 3) { stall() }
        visited = held
        let answer = early ?? providerAnswer(reference)
        if answer == .success(.approved), approvalsSaid[reference] == nil { approvalsSaid[reference] = time.now }
        note("the provider says of \(reference.text): \(answer)")
        return answer
    }

    private func providerAnswer(_ reference: ProviderReference) -> Result<ScanStatus, ProviderFailure> {
        if let failure = providerFault() { return .failure(failure) }
        guard let fate = fates[reference], time.now >= fate.knownAt else { return .success(.unknownReference) }
        if calm == 0, random.happens(percent: 4) { return .success(.unrecognised) }
        if time.now >= fate.verdictAt { return .success(fate.verdict) }
        return .success(.pending(time.now + .seconds(3) >= fate.verdictAt ? .processing : .userInProvider))
    }

    private func providerFault() -> ProviderFailure? {
        guard calm == 0 else { return nil }
        if providerIsDown { return .unavailable(cause: "down") }
        switch random.below(100) {
        case 0..<5: return .unavailable(cause: "a timeout")
        case 5: return .refused(cause: "a refusal")
        default: return nil
        }
    }
}

extension Operation {
    fileprivate func follows(_ reference: ProviderReference) -> Bool {
        if case .pending(let scan) = state { scan.reference == reference } else { false }
    }
}
