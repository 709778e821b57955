package import Kernel
package import OAuth
import Testing

/// The contract of every queue of notices about its pages, one case a promise.
package enum NoticePagingContract: String, StorePromise {
    case all = "of notices that are due in one millisecond each comes once, whatever the size of a page"
    case ofAClient = "of one client's notices that are due in one millisecond each comes once, and no other client's"

    /// Checks this promise over an empty queue of logout tokens.
    package func check(over store: some LogoutNoticeStore, _ unitOfWork: some UnitOfWork) async throws {
        let notices = Self.ids.enumerated().map { place, bits in
            LogoutNotice(
                session: SessionID(bits),
                account: OperationSample.account,
                client: Self.client(of: place),
                endpoint: "https://example.com/logout",
                algorithm: nil,
                createdAt: Self.due(place)
            )
        }
        try await unitOfWork.run { try store.insert(notices, in: $0) }
        try await PagesUnderTest(store: store, unitOfWork: unitOfWork).check(client)
    }

    /// Checks this promise over an empty queue of notices about backchannel requests.
    package func check(over store: some BackchannelStore, _ unitOfWork: some UnitOfWork) async throws {
        let records = Self.ids.enumerated().map { place, bits in
            BackchannelRecord(
                id: OperationSample.digest("paged request", UInt64(place)),
                operation: OperationRowID(bits),
                access: RequestedAccess(clientID: Self.client(of: place), scopes: ScopeSet(["openid"]), resources: []),
                delivery: .ping,
                interval: .seconds(5),
                callback: .init(endpoint: "https://example.com/ping", encryptionKey: "key", encrypted: [1]),
                createdAt: Self.now,
                keptUntil: Self.now + .seconds(600)
            )
        }
        try await unitOfWork.run { transaction in
            for (place, record) in records.enumerated() {
                try store.insert(record, in: transaction)
                let end = Self.now + .seconds(300)
                try store.enqueue(record.id, at: Self.due(place), expiresAt: end, in: transaction)
            }
        }
        try await PagesUnderTest(store: store, unitOfWork: unitOfWork).check(client)
    }

    private var client: String? { self == .all ? nil : Self.client(of: 0) }

    static var now: Instant { OperationSample.start }

    /// Ids of version 8 with their buckets in front, in no order of bucket or time, and two of version 7, as a move
    /// from a file brings them.
    static let ids: [UUIDBits] =
        [1023, 0, 512, 7, 300, 7, 901].enumerated().map { place, bucket in
            UUIDBits(
                version8: now - .seconds(Int64(place * 37 % 11)),
                bucket: Bucket(firstBitsOf: UInt64(bucket) << 54),
                random: OperationSample.digest("paged id", UInt64(place)).bytes.prefix(16).map(\.self)
            )
        }
        + (0...1).map { place in
            let random = OperationSample.digest("moved id", UInt64(place)).bytes.prefix(16).map(\.self)
            return UUIDBits(version7: now, random: random)
        }

    /// Two clients have the notices in turn.
    static func client(of place: Int) -> String { place.isMultiple(of: 2) ? "bank" : "shop" }

    /// All but the first and the last notice are due in one millisecond.
    static func due(_ place: Int) -> Instant {
        switch place {
        case 0: now - .milliseconds(1)
        case ids.count - 1: now + .milliseconds(1)
        default: now
        }
    }
}

private struct PagesUnderTest<Store: WaitingNoticeStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work

    func check(_ client: String?) async throws {
        let expected = NoticePagingContract.ids.enumerated()
            .filter { place, _ in client.map { $0 == NoticePagingContract.client(of: place) } ?? true }
            .map { $1.description }
        let whole = try await page(client, after: nil, limit: 99)
        #expect(whole.map(\.subject).sorted() == expected.sorted())
        #expect(whole.map(\.dueAt) == whole.map(\.dueAt).sorted())
        for size in 1...3 {
            var found: [WaitingNotice] = []
            // One page more than is needed, so that a queue that begins again does not end the test by its length.
            for _ in 0...(expected.count / size + 1) {
                let position = found.last.map { NoticePosition(dueAt: $0.dueAt, subject: $0.subject) }
                let next = try await page(client, after: position, limit: size)
                #expect(next.count <= size)
                found += next
            }
            #expect(found == whole, "pages of \(size)")
        }
    }

    private func page(_ client: String?, after position: NoticePosition?, limit: Int) async throws -> [WaitingNotice] {
        try await run { [store] in try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }
}
