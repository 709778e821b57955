import Foundation

/// Polls one login until it ends: by the server's answer, by cancellation, or at the deadline.
struct LoginFollower: Sendable {
    private let login: BegunLogin
    private let exchange: LoginExchange
    private let options: FaceLogin.Options
    private let environment: ClientEnvironment
    private let report: @Sendable (FaceLogin.Progress) -> Void

    private var pacing: PollPacing
    private var tracker = ProgressTracker()
    private var answers = AnswerHistory()

    init(
        _ login: BegunLogin,
        exchange: LoginExchange,
        options: FaceLogin.Options,
        environment: ClientEnvironment,
        report: @escaping @Sendable (FaceLogin.Progress) -> Void
    ) {
        self.login = login
        self.exchange = exchange
        self.options = options
        self.environment = environment
        self.report = report
        pacing = PollPacing(deadline: login.deadline, interval: login.interval)
    }

    mutating func follow() async throws(FaceLoginError) -> PollReading.Grant {
        var step = pacing.step(now: environment.uptime(), pause: options.longPoll == nil ? pacing.interval : .zero)
        while true {
            switch step {
            case .giveUp(let pause):
                try await environment.pause(pause)
                throw .expired
            case .ask(let pause):
                try await environment.pause(pause)
                switch try await ask() {
                case .granted(let grant): return grant
                case .next(let next): step = next
                }
            }
        }
    }

    private enum Outcome {
        case granted(PollReading.Grant)
        case next(PollPacing.Step)
    }

    private mutating func ask() async throws(FaceLoginError) -> Outcome {
        let sentAt = environment.uptime()
        let left = pacing.deadline - sentAt
        guard left > .zero else { throw .expired }
        let wait = wait(left: left)
        let timeout = min(options.requestTimeout + .seconds(wait ?? 0), left)
        switch try await exchange.poll(login, wait: wait, timeout: timeout) {
        case .answered(let body): return try read(body, sentAt: sentAt, longPoll: wait != nil)
        case .refused(let refusal): throw .serverRefused(refusal)
        case .busy(let refusal, let pause):
            if refusal.code == "slow_down" { pacing.slowDown(to: pause) }
            return stumble(.serverUnavailable(status: refusal.status), pause)
        case .faulted(let fault, let pause): return stumble(fault, pause)
        // A return code has arrived: the next poll presents it at once.
        case nil: return .next(pacing.step(now: environment.uptime(), pause: .zero))
        }
    }

    private mutating func read(_ body: Data, sentAt: Duration, longPoll: Bool) throws(FaceLoginError) -> Outcome {
        switch PollReading(body) {
        case .completed(let grant): return .granted(grant)
        case .collected: throw .alreadyCollected
        case .failed(let failure): throw failure.code == .expired ? .expired : .authenticationFailed(failure)
        case .unreadable:
            guard answers.noteUnreadable() else { throw .networkError(.unreadableAnswer) }
            return stumble(.unreadableAnswer, nil)
        case .pending(let hint, let newSeq, let interval, let timeLeft):
            let moved = answers.note(newSeq)
            if let timeLeft { prolong(to: sentAt + .seconds(timeLeft)) }
            if let news = tracker.pending(hint: hint) { report(news) }
            let now = environment.uptime()
            let pause = pacing.pause(interval: interval, longPoll: longPoll, took: now - sentAt, moved: moved)
            return .next(pacing.step(now: now, pause: pause))
        }
    }

    /// Prolongs a login that is approved and waits for the browser's return, because its tokens can still be collected.
    private mutating func prolong(to end: Duration) {
        guard options.returnURL != nil else { return }
        // The server rounds seconds up.
        pacing.prolong(to: min(end - .seconds(1), login.latestEnd))
    }

    private mutating func stumble(_ fault: NetworkError, _ retryAfter: Duration?) -> Outcome {
        if let news = tracker.fault(fault) { report(news) }
        let pause = pacing.pauseAfterFault(retryAfter: retryAfter, random: environment.unitInterval())
        return .next(pacing.step(now: environment.uptime(), pause: pause, notBefore: retryAfter))
    }

    /// Returns the seconds for which the server may hold the answer, never beyond the deadline.
    private func wait(left: Duration) -> Int? {
        guard let longPoll = options.longPoll else { return nil }
        let most = Int((left - PollPacing.lastAsk).components.seconds)
        return most >= 1 ? min(max(longPoll, 1), 30, most) : nil
    }
}

/// The relevant contents of earlier answers.
private struct AnswerHistory {
    private var seq: Int64?
    private var unreadableInARow = 0

    /// The most unreadable answers in a row.
    ///
    /// More would hide a permanent error until the deadline.
    private static let toleratedUnreadable = 4

    /// Counts an unreadable answer; returns `false` if there were too many in a row.
    mutating func noteUnreadable() -> Bool {
        unreadableInARow += 1
        return unreadableInARow <= Self.toleratedUnreadable
    }

    /// Records the version of a pending login; returns whether it differs from the previous one.
    mutating func note(_ newSeq: Int64) -> Bool {
        unreadableInARow = 0
        defer { seq = newSeq }
        return seq != nil && seq != newSeq
    }
}
