package import Kernel
package import MockServing

/// How far a timeline has been played.
struct TimelineRun: Sendable {
    let timeline: Timeline
    let began: Instant
    /// The next step.
    var position = 0
    /// When the step before it was over.
    var since: Instant
    /// When that which it waits for happened.
    var cued: Instant?
    /// The events that were waited for before: one scan's end is not the end that the next step waits for.
    var spent: Set<Event> = []
    /// Whether it was said what is waited for.
    var isWaitTold = false
    var notes: BoundedLog<TimelineNote>

    init(_ timeline: Timeline, at now: Instant) {
        self.timeline = timeline
        began = now
        since = now
        notes = BoundedLog(capacity: 200)
    }

    /// Something that happened to a scan.
    struct Event: Hashable {
        let cue: TimelineStep.Cue
        let scan: UUIDBits
    }

    var isOver: Bool { position == timeline.steps.count }
    var next: TimelineStep? { isOver ? nil : timeline.steps[position] }

    mutating func note(_ text: String, at instant: Instant, isLast: Bool = false) -> TimelineNote {
        let note = TimelineNote(
            step: min(position + 1, timeline.steps.count),
            of: timeline.steps.count,
            at: instant - began,
            text: text,
            isLast: isLast
        )
        notes.append(note)
        return note
    }
}

extension MockState {
    /// Plays that from now on, in the place of whatever was played before.
    package mutating func play(_ timeline: Timeline, now: Instant) {
        run = timeline.steps.isEmpty ? nil : TimelineRun(timeline, at: now)
    }

    package mutating func stopPlaying() { run = nil }

    /// Takes every step whose time has come; returns what there is to tell.
    package mutating func playDueSteps(now: Instant, random: MachineInputs.RandomBytes) -> [TimelineNote] {
        guard var run, !run.isOver else { return [] }
        var told: [TimelineNote] = []
        while let step = run.next {
            guard let start = start(of: step, &run, now: now) else {
                if let cue = step.waitFor, !run.isWaitTold {
                    run.isWaitTold = true
                    told.append(run.note("waiting for \(cue.text)", at: run.since))
                }
                break
            }
            let due = start + step.after
            guard due <= now else { break }
            for text in take(step, at: now, random: random) { told.append(run.note(text, at: due)) }
            let isLast = run.position + 1 == run.timeline.steps.count
            if isLast { told.append(run.note("the timeline is over", at: due, isLast: true)) }
            run.position += 1
            run.since = due
            run.cued = nil
            run.isWaitTold = false
        }
        self.run = run
        return told
    }

    /// When the step's own time begins to run; `nil` while what it waits for has not happened.
    private func start(of step: TimelineStep, _ run: inout TimelineRun, now: Instant) -> Instant? {
        guard let cue = step.waitFor else { return run.since }
        if run.cued == nil, let (scan, time) = first(cue, run, now: now) {
            run.spent.insert(.init(cue: cue, scan: scan))
            run.cued = time
        }
        return run.cued
    }

    /// The first of the newest scans to which that happened since the step before, and when.
    private func first(_ cue: TimelineStep.Cue, _ run: TimelineRun, now: Instant) -> (UUIDBits, Instant)? {
        order.newestFirst.prefix(1_000).compactMap { scans[$0] }.compactMap { scan -> (UUIDBits, Instant)? in
            let time: Instant? =
                switch cue {
                case .created: scan.created
                case .opened: scan.opened
                case .decided: scan.reportedVerdict(at: now)?.at
                }
            guard let time, time >= run.since, !run.spent.contains(.init(cue: cue, scan: scan.id)) else { return nil }
            return (scan.id, time)
        }
        .min { $0.1 < $1.1 }
    }

    /// Does what the step says; returns a line for each thing done.
    private mutating func take(_ step: TimelineStep, at now: Instant, random: MachineInputs.RandomBytes) -> [String] {
        var lines: [String] = []
        if let say = step.say { lines.append(say) }
        if step.clearsFaults {
            clearFaults()
            lines.append("all faults have ended")
        }
        if let fault = step.fault {
            setFault(fault, random: random)
            lines.append("\(fault.kind.rawValue) strikes \(fault.target.rawValue) calls")
        }
        if let command = step.scenario {
            let isKept = (try? setScenario(command.scenario, for: command.account)) != nil
            lines.append(isKept ? "a scenario for \(command.account)" : "no room for another scenario")
        }
        if let command = step.enrolment {
            let isKept = (try? enroll(command.account, isEnrolled: command.isEnrolled)) != nil
            let what = "\(command.account) is \(command.isEnrolled ? "" : "not ")enrolled"
            lines.append(isKept ? what : "no room for another account")
        }
        if let command = step.outcome {
            let count = end(command, at: now)
            lines.append("\(command.outcome.rawValue): \(count == 1 ? "one scan" : "\(count) scans")")
        }
        if let change = step.webhooks {
            webhooks.plan = webhooks.plan.map(change.applied)
            lines.append(webhooks.plan == nil ? "webhooks are off: nothing to change" : "webhooks are sent otherwise")
        }
        if let command = step.webhook { lines.append(send(command, now: now, random: random)) }
        return lines
    }

    /// Sends a webhook about the newest scan, as a tester's button does; returns what there is to tell.
    private mutating func send(
        _ command: AccountWebhook,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) -> String {
        guard webhookPlan != nil else { return "webhooks are off: nothing to send" }
        guard let scan = listScans(limit: 1, account: command.account).first else { return "no scan to report" }
        sendWebhook(about: scan, mangling: command.mangling, copies: command.copies, now: now, random: random)
        return "a webhook is sent" + (command.mangling.map { " (\($0.rawValue))" } ?? "")
    }

    /// Ends the pending scans, of that account or of all; returns how many.
    private mutating func end(_ command: AccountOutcome, at now: Instant) -> Int {
        let pending = listScans(limit: 1_000, account: command.account).filter { $0.verdict(at: now) == nil }
        return pending.count { (try? decide($0.id, command.outcome, now: now)) != nil }
    }
}
