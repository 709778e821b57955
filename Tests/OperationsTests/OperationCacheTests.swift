import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite struct OperationCacheTests {
    private let board = OperationCache()
    private let created = OperationSample.operation(1)
    private let pending = OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 3)
    private let failed = OperationSample.operation(1, state: .failed(.expired, at: OperationSample.start), seq: 4)
    private let page = Secret("https://provider.example.com/scan-1")

    @Test func `a newer version takes the place of an older one, never the other way round`() {
        board.put(pending, page: page)
        board.put(created)
        board.put(OperationSample.operation(1, state: .failed(.canceled, at: OperationSample.start), seq: 3))
        #expect(board.card(created.publicID)?.operation == pending)
        board.put(failed)
        board.put(pending, page: page)
        #expect(board.card(created.publicID)?.operation == failed, "a terminal state stays")
        #expect(board.count == 1)
    }

    @Test func `the page stays until the end and is forgotten then`() {
        board.put(pending, page: page)
        board.put(OperationSample.operation(1, state: .pending(OperationSample.scan(progress: .processing)), seq: 4))
        #expect(board.card(created.publicID)?.page == page)
        let last = OperationSample.operation(1, state: .failed(.expired, at: OperationSample.start), seq: 5)
        board.put(last, page: page)
        #expect(board.card(created.publicID)?.page == nil)
    }

    @Test func `a ticket leads to its operation until that is taken down`() {
        board.put(created)
        board.put(pending)
        board.put(OperationSample.operation(2))
        #expect(board.card(ticket: created.ticket)?.operation == pending)
        #expect(board.card(ticket: created.publicID) == nil, "a public id is no ticket")
        board.remove(created.publicID)
        #expect(board.card(ticket: created.ticket) == nil)
        #expect(board.card(created.publicID) == nil)
        #expect(board.count == 1)
    }

    @Test func `an account's live operations are found by it, and nobody else's, until they end`() {
        for number in UInt64(1)...3 { board.put(OperationSample.operation(number)) }
        var strangers = OperationSample.stored(4)
        // The halves of ids may be the same by chance: the index alone would mistake them.
        strangers.account = AccountID(UUIDBits(high: 0xB, low: OperationSample.account.bits.low))
        board.put(Operation(stored: strangers))
        var decoy = OperationSample.stored(5)
        decoy.account = nil
        board.put(Operation(stored: decoy))
        #expect(found() == [1, 2, 3])
        #expect(board.live(of: AccountID(UUIDBits(high: 0xB, low: 1))).map(\.id) == [strangers.id])
        #expect(board.live(of: AccountID(UUIDBits(high: 0xB, low: 2))).isEmpty)
        #expect(board.accountIndexCount == 4, "a decoy is nobody's")

        board.put(pending)
        #expect(found() == [1, 2, 3] && board.accountIndexCount == 4, "a newer version has no further place")
        board.put(failed)
        board.put(failed)
        #expect(found() == [2, 3] && board.accountIndexCount == 3)
        board.remove(created.publicID)
        board.remove(OperationSample.operation(3).publicID)
        #expect(found() == [2] && board.accountIndexCount == 2)
        board.put(OperationSample.operation(6))
        board.remove(OperationSample.operation(2).publicID)
        #expect(found() == [6] && board.accountIndexCount == 2)
    }

    @Test func `attack: two thousand logins of one account leave nothing behind when they end`() {
        for number in UInt64(1)...2000 { board.put(OperationSample.operation(number)) }
        #expect(found().count == 2000)
        for number in UInt64(1)...2000 {
            let ended = OperationState.failed(.expired, at: OperationSample.start)
            board.put(OperationSample.operation(number, state: ended, seq: 2))
        }
        #expect(found().isEmpty && board.accountIndexCount == 0)
    }

    /// The numbers of the account's live operations.
    private func found() -> [UInt64] { board.live(of: OperationSample.account).map(\.id.bits.low).sorted() }

    @Test func `a binding outlives newer versions that do not know of it`() {
        board.put(created)
        board.bind(created.publicID)
        #expect(board.card(created.publicID)?.operation.isBound == true)
        #expect(board.card(created.publicID)?.operation.seq == 1, "binding is no new version")
        board.put(pending)
        #expect(board.card(created.publicID)?.operation.isBound == true)
        #expect(board.card(created.publicID)?.operation.state == pending.state)
    }

    @Test func `a provider's health lies over the card`() {
        board.put(pending, page: page)
        board.note(.failed, about: created.publicID)
        #expect(board.card(created.publicID)?.lastContact == .failed)
        #expect(board.card(created.publicID)?.page == page)
        board.put(OperationSample.operation(1, state: .pending(OperationSample.scan(progress: .processing)), seq: 4))
        #expect(board.card(created.publicID)?.lastContact == .failed)
        board.note(.refused, about: created.publicID)
        #expect(board.card(created.publicID)?.lastContact == .refused)
    }

    @Test func `a poll counts as watching, a glance of the house does not`() {
        board.put(created)
        let now = Uptime(nanoseconds: 7)
        #expect(board.lastPoll(created.publicID, now: now) == nil)
        _ = board.card(created.publicID)
        #expect(board.lastPoll(created.publicID, now: now) == nil)
        #expect(board.cardForPoll(created.publicID, at: now)?.lastPoll == nil)
        #expect(board.cardForPoll(created.publicID, at: now + .seconds(1))?.lastPoll == now)
        board.put(pending)
        #expect(board.lastPoll(created.publicID, now: now + .seconds(9)) == now + .seconds(1))
    }

    @Test func `what nobody knows stays unknown`() {
        board.bind(created.publicID)
        board.note(.failed, about: created.publicID)
        board.remove(created.publicID)
        #expect(board.card(created.publicID) == nil && board.count == 0)
        #expect(board.cardForPoll(created.publicID, at: Uptime(nanoseconds: 0)) == nil)
    }

    @Test func `many writers at once leave the newest version`() async {
        await withTaskGroup(of: Void.self) { group in
            for seq in Int64(1)...200 {
                group.addTask { [board] in
                    board.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: seq))
                    board.bind(OperationSample.operation(1).publicID)
                }
            }
        }
        #expect(board.card(created.publicID)?.operation.seq == 200)
        #expect(board.card(created.publicID)?.operation.isBound == true)
    }
}
