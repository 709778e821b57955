import Glibc
import Kernel
import StoreContract
import Testing

@testable import Operations

/// The cache's tables, which have the first words of digests as keys in order to be small.
@Suite struct CacheMemoryTests {
    private let cache = OperationCache()

    @Test func `two operations whose ids and tickets begin with the same word stay apart`() {
        let first = operation(1, publicID: digest(7, 1), ticket: digest(9, 1))
        let second = operation(2, publicID: digest(7, 2), ticket: digest(9, 2))
        for one in [first, second] { cache.put(one) }
        #expect(cache.count == 2)
        for one in [first, second] {
            #expect(cache.card(one.credentials.publicID)?.operation == one)
            #expect(cache.card(ticket: one.credentials.ticket)?.operation == one)
        }
        #expect(cache.card(digest(7, 3)) == nil && cache.card(ticket: digest(9, 3)) == nil)
        #expect(Set(cache.cards { _ in true }.map(\.operation.id)) == [first.id, second.id])

        cache.remove(first.credentials.publicID)
        #expect(cache.card(first.credentials.publicID) == nil && cache.card(ticket: first.credentials.ticket) == nil)
        #expect(cache.card(second.credentials.publicID)?.operation == second)
        #expect(cache.card(ticket: second.credentials.ticket)?.operation == second)
        cache.put(first)
        cache.remove(second.credentials.publicID)
        #expect(cache.card(first.credentials.publicID)?.operation == first && cache.count == 1)
        #expect(cache.card(ticket: first.credentials.ticket)?.operation == first)
    }

    @Test func `an index keeps each value of a key until that value is removed`() {
        var index = WordIndex()
        for value in UInt64(1)...3 { index.add(value, to: 5) }
        index.add(1, to: 5)
        index.add(4, to: 6)
        #expect(index.values(of: 5).sorted() == [1, 2, 3] && index.count == 5)
        index.remove(1, from: 5)
        #expect(index.values(of: 5).sorted() == [1, 2, 3], "it was added twice")
        index.remove(1, from: 5)
        index.remove(9, from: 5)
        #expect(Set(index.values(of: 5)) == [2, 3] && index.values(of: 7).isEmpty)
        for value in UInt64(2)...3 { index.remove(value, from: 5) }
        #expect(index.values(of: 5).isEmpty && index.count == 1)
    }

    /// A hundred thousand logins may be live, each with these objects and a place in the tables.
    @Test func `a live login takes few bytes in memory`() throws {
        #expect(MemoryLayout<OperationState>.size == 8)
        #expect(MemoryLayout<Operation>.size <= 352)
        #expect(MemoryLayout<Reading>.size <= 16)
        let card = CachedOperation(operation: operation(1, publicID: digest(7, 1), ticket: digest(9, 1)))
        #expect(try heapSize(card) <= 376)
        #expect(try heapSize(OperationCache.Entry(card: card, source: nil)) <= 88)
        #expect(MemoryLayout<OperationCache.Entry>.size == 8, "a table of values is at worst two thirds empty")
    }

    @Test func `the scan's browser is remembered for the next version`() {
        let browser = OperationSample.scan().browser
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 3))
        let id = OperationSample.operation(1).credentials.publicID
        #expect(cache.card(id)?.browser == browser)
        cache.put(OperationSample.operation(1, state: .failed(.declined, at: OperationSample.start), seq: 4))
        #expect(cache.card(id)?.browser == browser)
    }

    /// Returns the bytes of an object on the heap, by glibc's `malloc_usable_size`, which Swift's module of it lacks.
    private func heapSize(_ object: AnyObject) throws -> Int {
        typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Int
        let symbol = try #require(dlsym(nil, "malloc_usable_size"))
        return unsafeBitCast(symbol, to: Function.self)(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns a digest with that first word.
    private func digest(_ word: UInt8, _ number: UInt8) -> Digest256 {
        Digest256(sha256: "\(number)").beginning(with: word)
    }

    private func operation(_ number: UInt64, publicID: Digest256, ticket: Digest256) -> Operation {
        let sample = OperationSample.operation(number)
        return Operation(
            id: sample.id,
            credentials: Operation.Credentials(
                publicID: publicID,
                ticket: ticket,
                bindingCookie: sample.credentials.bindingCookie
            ),
            request: sample.request,
            validity: sample.validity,
            provider: sample.provider
        )
    }
}

extension Digest256 {
    /// Returns the digest with other first eight bytes.
    fileprivate func beginning(with word: UInt8) -> Digest256 {
        Digest256(Array(repeating: word, count: 8) + bytes.dropFirst(8)) ?? .zero
    }
}
