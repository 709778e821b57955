import Kernel

/// The presses of a tester, as the steps of a timeline that does the same again.
///
/// Each step waits for what clients and browsers did before it, so that a slower or faster client meets the same
/// provider. The time that then passed until the press is its delay.
package struct Recording: Sendable {
    /// Why nothing more is recorded.
    package enum State: String, Sendable {
        case recording
        /// A tester stopped it.
        case stopped
        /// A bound was reached: what is recorded so far can still be played.
        case full
    }

    /// The time from which the next step counts.
    private var since: Instant
    private let limits: Limits
    package private(set) var state = State.recording
    package private(set) var steps: [TimelineStep] = []
    /// The faults in force at the beginning, which a replay begins with.
    let faults: [FaultRule]
    /// The length of all steps as text.
    private var size = 0
    /// The events that a step waits for already.
    private var spent: Set<TimelineRun.Event> = []

    init(at now: Instant, faults: [FaultRule], limits: Limits) {
        since = now
        self.faults = faults
        self.limits = limits
    }

    /// Bounds of what is kept, so that each recording fits into a request of the control API.
    package struct Limits: Sendable {
        package var steps = Timeline.maximumSteps
        package var characters = 48_000
        /// The longest time between two presses that a timeline can have.
        static let duration: Duration = .seconds(86_400)

        package init() {}
    }

    package mutating func stop() {
        if state == .recording { state = .stopped }
    }

    /// Appends a press, behind waits for what happened since the press before it.
    ///
    /// - Parameters:
    ///   - time: When the press takes effect.
    ///   - scans: The scans, in any order.
    ///   - now: The time of the press.
    ///   - press: Sets what the press does.
    mutating func append(at time: Instant, after scans: [Scan], now: Instant, _ press: (inout TimelineStep) -> Void) {
        guard state == .recording else { return }
        let events = events(of: scans, until: now)
        var added = events.map { event in
            var wait = TimelineStep()
            wait.waitFor = event.event.cue
            return wait
        }
        // A tester's first thoughts are no part of the scenario: without a wait the first press comes at once.
        let start = events.last?.at ?? (steps.isEmpty ? time : since)
        var step = added.popLast() ?? TimelineStep()
        step.after = min(max(.zero, time - start), Limits.duration)
        press(&step)
        added.append(step)
        let length = added.reduce(0) { $0 + $1.yaml.utf8.count + 5 }
        guard steps.count + added.count <= limits.steps, size + length <= limits.characters else {
            state = .full
            return
        }
        steps += added
        size += length
        since = max(since, time)
        spent.formUnion(events.map(\.event))
    }

    /// Returns what clients and browsers did since the last press, in order.
    ///
    /// A scan that was opened counts once, by its opening.
    private func events(of scans: [Scan], until now: Instant) -> [(event: TimelineRun.Event, at: Instant)] {
        let found = scans.compactMap { scan -> (event: TimelineRun.Event, at: Instant)? in
            let times: [(TimelineStep.Cue, Instant?)] = [(.opened, scan.opened), (.created, scan.created)]
            for case (let cue, let time?) in times where time >= since && time <= now {
                let event = TimelineRun.Event(cue: cue, scan: scan.id)
                return spent.contains(event) ? nil : (event, time)
            }
            return nil
        }
        return found.sorted { ($0.at, $0.event.scan) < ($1.at, $1.event.scan) }
    }
}
