import Kernel
import OAuth

/// The place of a notice in the list of those that wait, which stays one after the notice was delivered.
struct NoticePlace: Equatable {
    private let kind: WaitingNotice.Kind
    private let subject: String
    private let dueAt: Instant

    /// The years 1970 to 9999, so that no text leads to a time that can't be added to.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Reads a place like `ciba:0b54…@1800000000000`: the kind, the subject, and milliseconds since 1970.
    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[1]), Self.times.contains(milliseconds) else {
            return nil
        }
        let names = parts[0].split(separator: ":", maxSplits: 1)
        guard names.count == 2, let kind = WaitingNotice.Kind(rawValue: String(names[0])) else { return nil }
        self.kind = kind
        subject = String(names[1])
        dueAt = Instant(milliseconds: milliseconds)
    }

    init(_ notice: WaitingNotice) {
        kind = notice.kind
        subject = notice.subject
        dueAt = notice.dueAt
    }

    var text: String { "\(kind.rawValue):\(subject)@\(dueAt.milliseconds)" }

    /// Returns where the notices of a kind begin that are listed behind it.
    ///
    /// Of notices that are due at the same time, those of the first kind, by name, come first.
    func position(_ other: WaitingNotice.Kind) -> NoticePosition {
        if other == kind { return NoticePosition(dueAt: dueAt, subject: subject) }
        return other.rawValue > kind.rawValue
            ? NoticePosition(dueAt: dueAt, subject: "") : NoticePosition(dueAt: dueAt + .milliseconds(1), subject: "")
    }
}
