package import Kernel

/// The calls and their counts, so that a test can prove that something was *not* called.
///
/// It holds path templates and numbers, never ids, bodies or secrets.
package struct RequestLog: Sendable {
    package struct Entry: Sendable {
        package let call: ProviderCall
        package let at: Instant
        /// The HTTP status answered; `nil` while the call is in progress, or when its connection was dropped.
        package internal(set) var status: Int?
        package internal(set) var fault: FaultKind?
    }

    package private(set) var counts: [ProviderCall: Int] = [:]
    private var log: BoundedLog<Entry>

    init(capacity: Int) { log = BoundedLog(capacity: capacity) }

    /// Counts a call on arrival and returns its number for ``finish(_:status:)``.
    mutating func begin(_ call: ProviderCall, at now: Instant) -> Int {
        counts[call, default: 0] += 1
        let number = log.appended
        log.append(Entry(call: call, at: now))
        return number
    }

    mutating func note(_ number: Int, fault: FaultKind) {
        log.update(number) { $0.fault = fault }
    }

    mutating func finish(_ number: Int, status: Int?) {
        log.update(number) { $0.status = status }
    }

    /// Newest first.
    package func recent(_ limit: Int) -> [Entry] { Array(log.newestFirst.prefix(limit)) }
}
