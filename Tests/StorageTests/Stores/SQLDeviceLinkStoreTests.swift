import Devices
import Kernel
import StoreContract
import Testing

@testable import Storage

/// Devices' links on every engine.
struct SQLDeviceLinkStoreTests {
    @Test(arguments: StorageEngine.allCases)
    func `a link comes back as it was written, by cookie and by device`(_ engine: StorageEngine) async throws {
        try await engine.run(accounts: 3) { stores in
            let link = Sample.link(revokedAt: Sample.now + .seconds(5))
            try await stores.insert(link)
            #expect(try await stores.find(link) == link)
            #expect(try await stores.find(link.device, of: 1) == link)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a link is found with its own cookie, account and client alone`(_ engine: StorageEngine) async throws {
        try await engine.run(accounts: 3) { stores in
            try await stores.insert(Sample.link())
            for other in [Sample.link(2), Sample.link(account: 2), Sample.link(client: "other")] {
                #expect(try await stores.find(other) == nil)
            }
            #expect(try await stores.find(Sample.deviceID(1), of: 2) == nil)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `of several cookies the one that lasts longest counts, and a revoked one only where there is no other`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 3) { stores in
            let links = [
                Sample.link(1, device: 1, expiresAt: Sample.now + .seconds(10)),
                Sample.link(2, device: 2, expiresAt: Sample.now + .seconds(20)),
                Sample.link(3, device: 3, expiresAt: Sample.now + .seconds(30), revokedAt: Sample.now),
            ]
            for link in links { try await stores.insert(link) }
            #expect(try await stores.find(links) == links[1])
            #expect(try await stores.find([links[0], links[2], Sample.link(9)]) == links[0])
            #expect(try await stores.find([links[2]]) == links[2])
            #expect(try await stores.find([]) == nil)
        }
    }

    @Test(arguments: DeviceLinkStoreContract.allCases, StorageEngine.allCases)
    func `links keep the contract`(_ promise: DeviceLinkStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 3) { stores in
            try await promise.check(
                over: SQLDeviceLinkStore(),
                purge: SQLExpiringRows.deviceLinks.purge,
                stores.unitOfWork,
                accounts: [1, 2, 3].map(Sample.accountID)
            )
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `prolonging moves the end of that link alone`(_ engine: StorageEngine) async throws {
        try await engine.run(accounts: 3) { stores in
            try await stores.insert(Sample.link(account: 1))
            try await stores.insert(Sample.link(account: 2))
            let longer = Sample.link(account: 1, expiresAt: Sample.now + .seconds(9000))
            try await stores.unitOfWork.run { try SQLDeviceLinkStore().prolong(longer, in: $0) }
            #expect(try await stores.find(longer) == longer)
            #expect(try await stores.find(Sample.link(account: 2)) == Sample.link(account: 2))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: a revoked device link is not prolonged`(_ engine: StorageEngine) async throws {
        try await engine.run(accounts: 3) { stores in
            let revoked = Sample.link(revokedAt: Sample.now)
            try await stores.insert(revoked)
            try await stores.unitOfWork.run {
                try SQLDeviceLinkStore().prolong(Sample.link(expiresAt: Sample.now + .seconds(9000)), in: $0)
            }
            #expect(try await stores.find(revoked) == revoked)
        }
    }
}

extension StoreFixture {
    fileprivate func insert(_ link: DeviceLink) async throws {
        try await unitOfWork.run { try SQLDeviceLinkStore().insert(link, in: $0) }
    }

    fileprivate func find(_ link: DeviceLink) async throws -> DeviceLink? {
        try await unitOfWork.run {
            try SQLDeviceLinkStore()
                .find(cookies: [link.cookie], account: link.account, client: link.client, in: $0)
        }
    }

    fileprivate func find(_ links: [DeviceLink]) async throws -> DeviceLink? {
        try await unitOfWork.run {
            try SQLDeviceLinkStore()
                .find(cookies: links.map(\.cookie), account: Sample.accountID(1), client: "app", in: $0)
        }
    }

    fileprivate func find(_ device: DeviceID, of account: UInt64) async throws -> DeviceLink? {
        try await unitOfWork.run { try SQLDeviceLinkStore().find(device, account: Sample.accountID(account), in: $0) }
    }
}
