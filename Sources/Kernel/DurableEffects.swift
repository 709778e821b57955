import Synchronization

/// The effects that wait for the commit of one run of a unit of work.
///
/// The storage that runs the unit keeps the effects of its last run, and runs them once the unit is durable. The effects
/// of a run that failed, or that a later run replaced, are let go of unused.
package final class DurableEffects: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Runs each effect in the order in which it was added; further calls do nothing.
    package func run() {
        let effects = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        // Outside the lock: an effect may do what it likes.
        for effect in effects { effect() }
    }

    fileprivate func add(_ effect: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(effect) } }
}

extension Transaction {
    /// Keeps an effect until what this unit writes is durable: then it runs once, just before the unit's caller resumes,
    /// even if that caller was cancelled.
    ///
    /// The effect is dropped when the unit fails, and when the unit is run again, so that only the effects of the run
    /// that counts are left. It is also dropped when the process stops, or when an error leaves open whether the unit is
    /// durable. So an effect may only hasten what happens without it too, or bring memory up to what was written.
    ///
    /// It runs on a thread of the storage, which the next units need: it must return at once, and can't throw. In a
    /// ``UnitOfWork/read(_:)`` there is nothing to wait for, and the effect is dropped.
    package borrowing func whenDurable(_ effect: @escaping @Sendable () -> Void) { effects?.add(effect) }
}
