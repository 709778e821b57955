import AuthIDMock
import Synchronization

/// How far a script has been played, for a message about one that was not played to its end.
final class ScriptProgress: Sendable {
    private let steps: Int
    private let newest = Mutex<TimelineNote?>(nil)

    init(of steps: Int) { self.steps = steps }

    func take(_ note: TimelineNote) { newest.withLock { $0 = note } }

    var isOver: Bool { newest.withLock { $0?.isLast == true } }

    /// `step 2 of 5, waiting for a scan to begin`.
    var text: String {
        guard let note = newest.withLock({ $0 }) else { return "step 1 of \(steps)" }
        return note.isLast ? "its end" : "step \(note.step) of \(steps), \(note.text)"
    }
}
