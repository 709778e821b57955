/// Lets so many in at a time, in the order in which they came. Those that need several places let some others pass.
///
/// Otherwise everybody would wait, each time, until so many of those who are in have left.
actor Admission {
    static let capacity = 4
    static let shared = Admission(capacity: capacity)

    /// How many may pass one that waits.
    ///
    /// It has to be in long before its test's time is over.
    private static let patience = 12

    private struct Entry {
        let number: Int
        let places: Int
        var passes = 0
        let go: CheckedContinuation<Bool, Never>
    }

    /// How many wait.
    var waiting: Int { queue.count }
    /// How many places are taken.
    var taken: Int { capacity - free }

    private let capacity: Int
    private var free: Int
    private var count = 0
    private var queue: [Entry] = []

    init(capacity: Int) { (self.capacity, free) = (capacity, capacity) }

    /// Runs `body` with so many places.
    ///
    /// Throws `CancellationError` when the test is ended while it waits.
    nonisolated func enter(places: Int, _ body: () async throws -> Void) async throws {
        let number = await nextNumber()
        let isIn = await withTaskCancellationHandler {
            await wait(places, number)
        } onCancel: {
            Task { await leave(number) }
        }
        guard isIn else { throw CancellationError() }
        do { try await body() } catch {
            await giveBack(places)
            throw error
        }
        await giveBack(places)
    }

    private func nextNumber() -> Int {
        count += 1
        return count
    }

    private func wait(_ places: Int, _ number: Int) async -> Bool {
        await withCheckedContinuation { go in
            // The test's end may have been told before there was anybody to take out of the queue.
            guard !Task.isCancelled else { return go.resume(returning: false) }
            queue.append(Entry(number: number, places: places, go: go))
            admit()
        }
    }

    private func leave(_ number: Int) {
        guard let index = queue.firstIndex(where: { $0.number == number }) else { return }
        queue.remove(at: index).go.resume(returning: false)
        admit()
    }

    private func giveBack(_ places: Int) {
        free += places
        admit()
    }

    private func admit() {
        while let next = nextIndex {
            for index in queue[..<next].indices { queue[index].passes += 1 }
            let entry = queue.remove(at: next)
            free -= entry.places
            entry.go.resume(returning: true)
        }
    }

    /// The first one that fits, unless somebody before it has waited for too many.
    private var nextIndex: Int? {
        for (index, entry) in queue.enumerated() {
            if entry.places <= free { return index }
            if entry.passes >= Self.patience { return nil }
        }
        return nil
    }
}
