import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite struct OperationCacheTests {
    private let cache = OperationCache()
    private let created = OperationSample.operation(1)
    private let pending = OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: 3)
    private let failed = OperationSample.operation(1, state: .failed(.expired, at: OperationSample.start), seq: 4)

    @Test func `the cache replaces an operation by a newer version alone`() {
        cache.put(pending)
        cache.put(created)
        cache.put(OperationSample.operation(1, state: .failed(.canceled, at: OperationSample.start), seq: 3))
        #expect(cache.card(created.credentials.publicID)?.operation == pending)
        cache.put(failed)
        cache.put(pending)
        #expect(cache.card(created.credentials.publicID)?.operation == failed, "a terminal state stays")
        #expect(cache.count == 1)
    }

    @Test func `a ticket leads to its operation until that is taken down`() {
        cache.put(created)
        cache.put(pending)
        cache.put(OperationSample.operation(2))
        #expect(cache.card(ticket: created.credentials.ticket)?.operation == pending)
        #expect(cache.card(ticket: created.credentials.publicID) == nil, "a public id is no ticket")
        cache.remove(created.credentials.publicID)
        #expect(cache.card(ticket: created.credentials.ticket) == nil)
        #expect(cache.card(created.credentials.publicID) == nil)
        #expect(cache.count == 1)
    }

    // T-244
    @Test func `the cache lists an account's live operations and no others`() {
        for number in UInt64(1)...3 { cache.put(OperationSample.operation(number)) }
        var outsiders = OperationSample.draft(4)
        // The halves of ids may be the same by chance: the index alone would mistake them.
        outsiders.account = AccountID(UUIDBits(high: 0xB, low: OperationSample.account.bits.low))
        cache.put(outsiders.operation)
        var decoy = OperationSample.draft(5)
        decoy.account = nil
        cache.put(decoy.operation)
        #expect(found() == [1, 2, 3])
        #expect(cache.live(of: AccountID(UUIDBits(high: 0xB, low: 1))).map(\.id) == [outsiders.id])
        #expect(cache.live(of: AccountID(UUIDBits(high: 0xB, low: 2))).isEmpty)
        #expect(cache.accountIndexCount == 4, "a decoy is nobody's")

        cache.put(pending)
        #expect(found() == [1, 2, 3] && cache.accountIndexCount == 4, "a newer version has no further place")
        cache.put(failed)
        cache.put(failed)
        #expect(found() == [2, 3] && cache.accountIndexCount == 3)
        cache.remove(created.credentials.publicID)
        cache.remove(OperationSample.operation(3).credentials.publicID)
        #expect(found() == [2] && cache.accountIndexCount == 2)
        cache.put(OperationSample.operation(6))
        cache.remove(OperationSample.operation(2).credentials.publicID)
        #expect(found() == [6] && cache.accountIndexCount == 2)
    }

    // T-244
    @Test func `attack: the cache's index by account is empty after two thousand logins of one account have ended`() {
        for number in UInt64(1)...2000 { cache.put(OperationSample.operation(number)) }
        #expect(found().count == 2000)
        for number in UInt64(1)...2000 {
            let ended = OperationState.failed(.expired, at: OperationSample.start)
            cache.put(OperationSample.operation(number, state: ended, seq: 2))
        }
        #expect(found().isEmpty && cache.accountIndexCount == 0)
    }

    /// The numbers of the account's live operations.
    private func found() -> [UInt64] { cache.live(of: OperationSample.account).map(\.id.bits.low).sorted() }

    @Test func `a binding in the cache is kept when a newer version without it is put`() {
        cache.put(created)
        cache.bind(created.credentials.publicID)
        #expect(cache.card(created.credentials.publicID)?.operation.credentials.isBound == true)
        #expect(cache.card(created.credentials.publicID)?.operation.seq == 1, "binding is no new version")
        cache.put(pending)
        #expect(cache.card(created.credentials.publicID)?.operation.credentials.isBound == true)
        #expect(cache.card(created.credentials.publicID)?.operation.state == pending.state)
    }

    @Test func `the provider's last contact is kept beside the cached operation when it changes`() {
        cache.put(pending)
        cache.note(.failed, about: created.credentials.publicID)
        #expect(cache.card(created.credentials.publicID)?.lastContact == .failed)
        cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan(progress: .processing)), seq: 4))
        #expect(cache.card(created.credentials.publicID)?.lastContact == .failed)
        cache.note(.refused, about: created.credentials.publicID)
        #expect(cache.card(created.credentials.publicID)?.lastContact == .refused)
    }

    @Test func `a poll is noted as the last poll, and a plain look-up is not`() {
        cache.put(created)
        let now = Uptime(nanoseconds: 7)
        #expect(cache.lastPoll(created.credentials.publicID, now: now) == nil)
        _ = cache.card(created.credentials.publicID)
        #expect(cache.lastPoll(created.credentials.publicID, now: now) == nil)
        #expect(cache.cardForPoll(created.credentials.publicID, at: now)?.lastPoll == nil)
        #expect(cache.cardForPoll(created.credentials.publicID, at: now + .seconds(1))?.lastPoll == now)
        cache.put(pending)
        #expect(cache.lastPoll(created.credentials.publicID, now: now + .seconds(9)) == now + .seconds(1))
    }

    @Test func `binding, noting or removing an unknown operation does nothing`() {
        cache.bind(created.credentials.publicID)
        cache.note(.failed, about: created.credentials.publicID)
        cache.remove(created.credentials.publicID)
        #expect(cache.card(created.credentials.publicID) == nil && cache.count == 0)
        #expect(cache.cardForPoll(created.credentials.publicID, at: Uptime(nanoseconds: 0)) == nil)
    }

    @Test func `many writers at once leave the newest version`() async {
        await withTaskGroup(of: Void.self) { group in
            for seq in Int64(1)...200 {
                group.addTask { [cache] in
                    cache.put(OperationSample.operation(1, state: .pending(OperationSample.scan()), seq: seq))
                    cache.bind(OperationSample.operation(1).credentials.publicID)
                }
            }
        }
        #expect(cache.card(created.credentials.publicID)?.operation.seq == 200)
        #expect(cache.card(created.credentials.publicID)?.operation.credentials.isBound == true)
    }
}
