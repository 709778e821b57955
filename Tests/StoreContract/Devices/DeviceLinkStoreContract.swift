package import Devices
package import Kernel
import Testing

/// The contract of every store of device links when it purges, one case a promise.
package enum DeviceLinkStoreContract: String, StorePromise {
    case revokesADevice = "every link of a device of the account is revoked, and no other"
    case revokesAllButOne = "every link of an account is revoked but one device's, and no other account's"
    case purgesWhatEnded = "links that expired or were revoked before an instant are purged"
    case forgetsCookies = "cookies of a device are forgotten, and the device is not unlinked by that"
    case purgesInBatches = "a purge takes no more than it may, and says how many"

    /// Checks this promise over an empty store that has three accounts.
    package func check(
        over store: some DeviceLinkStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = DeviceLinksUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .revokesADevice: try await subject.checkRevoking()
        case .revokesAllButOne: try await subject.checkRevokingAll()
        case .forgetsCookies: try await subject.checkForgetting()
        case .purgesWhatEnded: try await subject.checkWhat()
        case .purgesInBatches: try await subject.checkBatches()
        }
    }
}

private struct DeviceLinksUnderTest<Store: DeviceLinkStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { OperationSample.start }

    func checkRevoking() async throws {
        let links = [
            link(1, expiresIn: .seconds(90)), link(2, expiresIn: .seconds(90)), link(4, expiresIn: .seconds(9)),
        ]
        try await insert(links)
        #expect(try await revoke(links[0].device, of: links[1].account) == 0, "another account's")
        #expect(try await revoke(links[0].device, of: links[0].account) == 1)
        #expect(try await revoke(links[0].device, of: links[0].account) == 0, "there is nothing left to revoke")
        #expect(try await remaining(links).map(\.validity.revokedAt) == [Self.now, nil, nil])
    }

    func checkRevokingAll() async throws {
        let links = [1, 4, 7, 2].map { link($0, expiresIn: .seconds(90)) }
        try await insert(links)
        #expect(try await revokeAll(of: links[0].account, except: links[1].device) == 2)
        #expect(try await remaining(links).map(\.validity.revokedAt) == [Self.now, nil, Self.now, nil])
        #expect(try await revokeAll(of: links[0].account, except: nil) == 1)
        #expect(try await revokeAll(of: links[0].account, except: nil) == 0, "there is nothing left to revoke")
        #expect(try await remaining(links).map(\.validity.revokedAt) == [Self.now, Self.now, Self.now, nil])
    }

    func checkForgetting() async throws {
        let device = DeviceID(UUIDBits(high: 0xD, low: 1))
        let links = [link(1, expiresIn: .seconds(90)), link(4, on: 1, expiresIn: .seconds(90))]
        let others = [link(7, expiresIn: .seconds(90)), link(2, on: 1, expiresIn: .seconds(90))]
        try await insert(links + others)
        let (store, account) = (store, accounts[1])
        try await unitOfWork.run { try store.forget(allBut: [links[1].cookie], on: device, of: account, in: $0) }
        #expect(try await found(links) == [nil, links[1]], "a second account's on the same device")
        let every = (links + others).map(\.cookie)
        try await unitOfWork.run { try store.forget(every, on: device, of: account, in: $0) }
        #expect(try await found(links) == [nil, nil])
        #expect(try await found(others) == others, "of another device, or of another account's")
        let left = try await unitOfWork.run { try store.find(device, account: account, in: $0) }
        #expect(left == nil, "it was not unlinked")
    }

    private func found(_ links: [DeviceLink]) async throws -> [DeviceLink?] {
        let store = store
        return try await unitOfWork.run { transaction in
            var found: [DeviceLink?] = []
            for link in links {
                let (account, client) = (link.account, link.client)
                found.append(try store.find(cookies: [link.cookie], account: account, client: client, in: transaction))
            }
            return found
        }
    }

    func checkWhat() async throws {
        let live = link(1, expiresIn: .seconds(1))
        let endsNow = link(2, expiresIn: .zero)
        let expired = link(3, expiresIn: .milliseconds(-1))
        let revoked = link(4, expiresIn: .seconds(90), revokedAgo: .milliseconds(1))
        let revokedNow = link(5, expiresIn: .seconds(90), revokedAgo: .zero)
        let both = link(6, expiresIn: .seconds(-5), revokedAgo: .seconds(9))
        try await insert([live, endsNow, expired, revoked, revokedNow, both])
        #expect(try await purge(100) == 3)
        #expect(
            try await remaining([live, endsNow, expired, revoked, revokedNow, both]) == [live, endsNow, revokedNow]
        )
        #expect(try await purge(100) == 0)
    }

    func checkBatches() async throws {
        let ended = (1...7).map { number in
            number.isMultiple(of: 2)
                ? link(number, expiresIn: .seconds(50), revokedAgo: .seconds(1))
                : link(number, expiresIn: .seconds(-1))
        }
        try await insert(ended)
        #expect(try await purge(3) == 3)
        #expect(try await remaining(ended).count == 4)
        #expect(try await purge(3) == 3)
        #expect(try await purge(3) == 1)
        #expect(try await remaining(ended).isEmpty)
    }

    private func link(
        _ number: Int,
        on device: Int? = nil,
        expiresIn: Duration,
        revokedAgo: Duration? = nil
    ) -> DeviceLink {
        DeviceLink(
            device: DeviceID(UUIDBits(high: 0xD, low: UInt64(device ?? number))),
            account: accounts[number % accounts.count],
            client: "app",
            cookie: OperationSample.digest("device cookie", UInt64(number)),
            methods: number.isMultiple(of: 2) ? [] : ["face", "otp"],
            lastSeenAt: Self.now - .seconds(50),
            validity: DeviceValidity(
                createdAt: Self.now - .seconds(100),
                expiresAt: Self.now + expiresIn,
                revokedAt: revokedAgo.map { Self.now - $0 }
            )
        )
    }

    private func insert(_ links: [DeviceLink]) async throws {
        let store = store
        try await unitOfWork.run { transaction in for link in links { try store.insert(link, in: transaction) } }
    }

    private func revoke(_ device: DeviceID, of account: AccountID) async throws -> Int {
        let store = store
        return try await unitOfWork.run { try store.revoke(device, of: account, at: Self.now, in: $0) }
    }

    private func revokeAll(of account: AccountID, except kept: DeviceID?) async throws -> Int {
        let store = store
        return try await unitOfWork.run { try store.revokeAll(of: account, except: kept, at: Self.now, in: $0) }
    }

    private func purge(_ limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(Self.now, limit, $0) }
    }

    private func remaining(_ links: [DeviceLink]) async throws -> [DeviceLink] {
        let store = store
        return try await unitOfWork.run { transaction in
            var found: [DeviceLink] = []
            for link in links {
                if let link = try store.find(link.device, account: link.account, in: transaction) { found.append(link) }
            }
            return found
        }
    }
}
