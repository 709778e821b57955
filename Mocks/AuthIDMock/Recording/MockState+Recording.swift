package import Kernel
import MockServing

extension MockState {
    /// Records every press from now on, in the place of an earlier recording.
    package mutating func startRecording(now: Instant) {
        recording = Recording(at: now, faults: listFaults().map(\.rule), limits: configuration.limits.recording)
    }

    package mutating func stopRecording() { recording?.stop() }

    package mutating func discardRecording() { recording = nil }

    /// Records a press, if presses are recorded.
    ///
    /// - Parameters:
    ///   - now: The time of the press.
    ///   - delay: The time until it takes effect.
    ///   - press: Sets what the press does.
    mutating func record(now: Instant, after delay: Duration = .zero, _ press: (inout TimelineStep) -> Void) {
        guard recording?.state == .recording else { return }
        let scans = order.newestFirst.prefix(1_000).compactMap { self.scans[$0] }
        recording?.append(at: now + delay, after: scans, now: now, press)
    }

    /// Records how a scan ends.
    ///
    /// The step names the person's address, which is the same in every run, where account numbers are not.
    mutating func recordOutcome(_ outcome: Outcome, of scan: Scan, after delay: Duration = .zero, now: Instant) {
        let name = recordedName(of: scan)
        record(now: now, after: delay) { $0.outcome = AccountOutcome(account: name, outcome: outcome) }
    }

    private func recordedName(of scan: Scan) -> String {
        let email = account(scan.accountNumber)?.email ?? ""
        return email.isEmpty ? scan.accountNumber : email
    }

    /// Takes a webhook to be sent by a tester's press, and records the press.
    mutating func takeRecordedWebhook(
        _ id: UUIDBits,
        _ command: WebhookRequest,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) throws(DecisionError) -> WebhookDelivery {
        let delivery = try takeWebhookNow(id, mangling: command.mangling, now: now, random: random)
        let name = scan(id).map { recordedName(of: $0) }
        record(now: now) {
            $0.webhook = AccountWebhook(account: name, mangling: command.mangling, copies: command.copies)
        }
        return delivery
    }
}
