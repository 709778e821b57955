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
    /// Where scans begin while the first can't be asked; it knows two of the three people.
    static let standby = ProviderName("standby")

    let name: ProviderName
    let checkConcurrency = 3
    let enrolsFaces = true
    private let link: Link
    /// The life of the daemon that asks, among several; `nil` for the only daemon.
    private let life: Int?

    init(link: Link, name: ProviderName = ProviderName("simulated"), askedIn life: Int? = nil) {
        self.link = link
        self.name = name
        self.life = life
    }

    /// The same provider, as a daemon among several asks it.
    func asked(in life: Int) -> SimulatedProvider { SimulatedProvider(link: link, name: name, askedIn: life) }

    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        guard let history = link.history else { throw .unavailable(cause: "no history") }
        guard await history.isLife(life) else { throw .unavailable(cause: "the process is gone") }
        return try await history.providerBegins(request, at: name).get()
    }

    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        guard let history = link.history else { throw .unavailable(cause: "no history") }
        guard await history.isLife(life) else { throw .unavailable(cause: "the process is gone") }
        return try await history.providerChecks(reference, at: name).get()
    }
}

/// The outcome of a scan at the provider.
struct Fate {
    let provider: ProviderName
    /// The provider itself does not know the scan until then.
    let knownAt: Uptime
    /// Then it decides.
    let verdictAt: Uptime
    let verdict: ScanStatus
}

extension History {
    /// Whether the daemon that runs is in that life: what a dead one still does has no effect.
    func isLife(_ life: Int?) -> Bool { life.map { $0 == self.life } ?? true }

    func providerBegins(_ request: ScanRequest, at name: ProviderName) async -> Result<StartedScan, ProviderError> {
        census.begins += 1
        if !People.all.contains(where: { $0.enrolment(at: name) == request.enrolment }) {
            fail("\(name) was asked for \(request.enrolment), whom nobody enrolled there")
        }
        await interleave()
        if let failure = providerFault(at: name) { return .failure(failure) }
        // Nobody can tell whether a request without an answer arrived; without a connection none did.
        if calm == 0, name != SimulatedProvider.standby, random.happens(percent: 6) {
            return .failure(random.happens(percent: 50) ? .unreached(cause: "refused") : .heldBack(cause: "open"))
        }
        if name == SimulatedProvider.standby { census.failovers += 1 }
        let reference = ProviderReference("scan-\(fates.count + 1)")
        let verdicts: [ScanStatus] =
            Array(repeating: .approved, count: 14)
            + ScanStatus.Rejection.allCases.map { .rejected($0) } + [.expired, .canceled, .broken]
        let isSlow = random.happens(percent: 25)
        fates[reference] = Fate(
            provider: name,
            knownAt: time.now + .milliseconds(random.happens(percent: 15) ? random.below(20_000) : 0),
            verdictAt: time.now + .milliseconds(500 + random.below(isSlow ? 250_000 : 25_000)),
            verdict: random.pick(verdicts)
        )
        note("\(name) begins \(reference.text)")
        return .success(
            StartedScan(reference: reference, page: Secret("https://provider.example.com/\(reference.text)"))
        )
    }

    func providerChecks(
        _ reference: ProviderReference,
        at name: ProviderName
    ) async -> Result<ScanStatus, ProviderError> {
        census.checks += 1
        checkAsking(reference, at: name)
        if let fate = fates[reference], fate.provider != name {
            fail("\(name) was asked about \(reference.text), which is \(fate.provider)'s")
        }
        // An answer may be on its way for long: then it tells of the past.
        let early = random.happens(percent: 50) ? providerAnswer(reference, at: name) : nil
        let held = checked
        checked.removeAll { service.cache.card($0)?.operation.follows(reference) ?? false }
        await interleave()
        if calm == 0, random.happens(percent: 3) { await hang() }
        checked = held
        let answer = early ?? providerAnswer(reference, at: name)
        if answer == .success(.approved), approvalsSaid[reference] == nil { approvalsSaid[reference] = time.now }
        note("\(name) says of \(reference.text): \(answer)")
        return answer
    }

    private func providerAnswer(
        _ reference: ProviderReference,
        at name: ProviderName
    ) -> Result<ScanStatus, ProviderError> {
        if let failure = providerFault(at: name) { return .failure(failure) }
        guard let fate = fates[reference], time.now >= fate.knownAt else { return .success(.unknownReference) }
        if calm == 0, random.happens(percent: 4) { return .success(.unrecognised) }
        if time.now >= fate.verdictAt { return .success(fate.verdict) }
        return .success(.pending(time.now + .seconds(3) >= fate.verdictAt ? .processing : .userInProvider))
    }

    private func providerFault(at name: ProviderName) -> ProviderError? {
        guard calm == 0 else { return nil }
        if providerIsDown, name != SimulatedProvider.standby {
            return random.happens(percent: 50) ? .unreached(cause: "down") : .unavailable(cause: "down")
        }
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
