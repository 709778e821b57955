import Kernel
import Synchronization
import Testing

@Suite struct DurableEffectsTests {
    private final class Context {}

    private final class Notes: Sendable {
        private let notes = Mutex<[Int]>([])

        var all: [Int] { notes.withLock(\.self) }
        func add(_ note: Int) { notes.withLock { $0.append(note) } }
    }

    private let effects = DurableEffects()
    private let notes = Notes()

    private func add(_ number: Int, in transaction: borrowing Transaction) {
        transaction.whenDurable { [notes] in notes.add(number) }
    }

    @Test func `effects run once, in the order in which they were added`() {
        let transaction = Transaction(context: Context(), effects: effects)
        add(1, in: transaction)
        add(2, in: transaction)
        #expect(notes.all.isEmpty)
        effects.run()
        #expect(notes.all == [1, 2])
        effects.run()
        #expect(notes.all == [1, 2])
    }

    @Test func `effects that never run are released`() {
        weak var held: Notes?
        do {
            let (dropped, other) = (DurableEffects(), Notes())
            held = other
            Transaction(context: Context(), effects: dropped).whenDurable { other.add(1) }
        }
        #expect(held == nil)
    }

    @Test func `a transaction of a read drops effects`() {
        add(1, in: Transaction(context: Context()))
        effects.run()
        #expect(notes.all.isEmpty)
    }
}
