package import Kernel
package import OAuth
import Testing

/// The contract of every store of devices' requests, one case a promise.
package enum DeviceAuthorizationStoreContract: String, StorePromise {
    case comesBackAsWritten = "a request comes back as it was written, by either of its codes"
    case userCodesAreUnique = "a user code is one request's, and a second changes nothing"
    case changesOnce = "of many changes over one state one counts"
    case keepsApproval = "who said yes is kept until the tokens are given out, and then forgotten"
    case boundedPerSource = "a source has so many, of which the newest stay, and no other loses any"
    case boundedInAll = "there are so many in all, of which the newest stay"
    case purges = "requests are purged that have expired, in batches, the oldest first"
    case undoes = "what a failing unit changed is as it was"

    /// Checks this promise over an empty store that has that account.
    package func check(
        over store: some DeviceAuthorizationStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        account: AccountID
    ) async throws {
        let subject = DeviceRequestsUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, account: account)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .userCodesAreUnique: try await subject.checkUserCodes()
        case .changesOnce: try await subject.checkRace()
        case .keepsApproval: try await subject.checkApproval()
        case .boundedPerSource: try await subject.checkSources()
        case .boundedInAll: try await subject.checkBound()
        case .purges: try await subject.checkPurging()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct DeviceRequestsUnderTest<Store: DeviceAuthorizationStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let account: AccountID

    private static var now: Instant { Instant(milliseconds: 1_800_000_000_123) }

    func checkWriting() async throws {
        let bare = request(2, scopes: [], resources: [], origin: .init(address: "", agent: ""))
        let written = [request(1), bare]
        for request in written { #expect(try await insert(request)) }
        for request in written {
            #expect(try await find(deviceCode: request.deviceCode) == request)
            #expect(try await find(userCode: request.userCode) == request)
            let inside = try await unitOfWork.run { [store] transaction in
                try [
                    store.find(deviceCode: request.deviceCode, in: transaction),
                    store.find(userCode: request.userCode, in: transaction),
                ]
            }
            #expect(inside == [request, request])
        }
        #expect(try await find(deviceCode: written[0].userCode) == nil)
        #expect(try await find(userCode: written[0].deviceCode) == nil)
    }

    func checkUserCodes() async throws {
        let (first, second) = (request(1), request(2, userCode: 1))
        #expect(try await insert(first))
        #expect(try await !insert(second))
        #expect(try await find(deviceCode: second.deviceCode) == nil)
        #expect(try await find(userCode: first.userCode) == first)
        await #expect(throws: (any Error).self) { _ = try await insert(request(1, userCode: 9)) }
    }

    func checkRace() async throws {
        let pending = request(1)
        #expect(try await insert(pending))
        let words = [pending.like(.denied), pending.like(.approved(approval)), pending.like(.redeemed)]
        let written = try await withThrowingTaskGroup(of: DeviceAuthorization?.self) { group in
            for word in words + words { group.addTask { try await update(word, over: .pending) ? word : nil } }
            return try await group.reduce(into: [DeviceAuthorization]()) { if let word = $1 { $0.append(word) } }
        }
        try #require(written.count == 1)
        #expect(try await find(deviceCode: pending.deviceCode) == written[0])
        #expect(try await !update(pending, over: .pending), "it is no longer in that state")
        #expect(try await !update(request(9).like(.denied), over: .pending), "there is none")
    }

    func checkApproval() async throws {
        let (approved, other) = (request(1).like(.approved(approval)), request(2))
        #expect(try await insert(request(1)))
        #expect(try await insert(other))
        #expect(try await update(approved, over: .pending))
        #expect(try await find(userCode: approved.userCode) == approved)
        #expect(try await update(approved.like(.redeemed), over: .approved))
        #expect(try await find(deviceCode: approved.deviceCode)?.state == .redeemed)
        #expect(try await !update(approved.like(.redeemed), over: .approved), "once")
        #expect(try await find(deviceCode: other.deviceCode) == other, "no other is touched")
    }

    func checkSources() async throws {
        #expect(try await insert(request(1, source: 1)))
        #expect(try await insert(request(2, source: 2)))
        for number in 3...6 as ClosedRange<UInt8> {
            #expect(try await insert(request(number, source: 1), perSource: 3))
        }
        #expect(try await there(1...6) == [2, 4, 5, 6])
    }

    func checkBound() async throws {
        for number in 1...6 as ClosedRange<UInt8> {
            #expect(try await insert(request(number, source: number), perSource: 9, inAll: 4))
        }
        #expect(try await there(1...6) == [3, 4, 5, 6])
    }

    func checkPurging() async throws {
        for number in [4, 2, 5, 1, 3] as [UInt8] {
            #expect(try await insert(request(number, lasting: Int64(number))))
        }
        func purge(_ limit: Int) async throws -> Int {
            try await unitOfWork.run { [purging] in try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await there(1...5) == [3, 4, 5], "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
    }

    func checkUndoing() async throws {
        let (pending, late) = (request(1), request(2))
        #expect(try await insert(pending))
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { [store] transaction in
                _ = try store.update(pending.like(.denied), over: .pending, in: transaction)
                _ = try store.insert(late, keepingPerSource: 9, inAll: 9, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await find(deviceCode: pending.deviceCode) == pending)
        #expect(try await find(deviceCode: late.deviceCode) == nil)
    }

    private func find(deviceCode: Digest256) async throws -> DeviceAuthorization? {
        try await unitOfWork.read { [store] in try store.find(deviceCode: deviceCode, in: $0) }
    }

    private func find(userCode: Digest256) async throws -> DeviceAuthorization? {
        try await unitOfWork.read { [store] in try store.find(userCode: userCode, in: $0) }
    }

    private func insert(_ request: DeviceAuthorization, perSource: Int = 99, inAll: Int = 99) async throws -> Bool {
        try await unitOfWork.run { [store] transaction in
            try store.insert(request, keepingPerSource: perSource, inAll: inAll, in: transaction)
        }
    }

    private func update(_ request: DeviceAuthorization, over stage: DeviceAuthorization.Stage) async throws -> Bool {
        try await unitOfWork.run { [store] transaction in try store.update(request, over: stage, in: transaction) }
    }

    /// Returns which of these are there.
    private func there(_ numbers: ClosedRange<UInt8>) async throws -> [UInt8] {
        var found: [UInt8] = []
        for number in numbers where try await find(deviceCode: request(number).deviceCode) != nil {
            found.append(number)
        }
        return found
    }

    private var approval: DeviceAuthorization.Approval {
        DeviceAuthorization.Approval(
            account: account,
            authentication: AuthenticationContext(methods: ["face", "mfa"], at: Self.now + .seconds(7))
        )
    }

    private func request(
        _ number: UInt8,
        userCode: UInt8? = nil,
        source: UInt8 = 1,
        scopes: Set<String> = ["openid", "email"],
        resources: [String] = ["https://api.example.com/b", "https://api.example.com/a"],
        origin: DeviceAuthorization.Origin = .init(address: "2001:db8::7", agent: "Firefox, Linux"),
        lasting seconds: Int64 = 600
    ) -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: Self.digest(1, number),
            userCode: Self.digest(2, userCode ?? number),
            access: RequestedAccess(clientID: "tv-\(number)", scopes: ScopeSet(scopes), resources: resources),
            source: Self.digest(3, source),
            origin: origin,
            createdAt: Self.now,
            expiresAt: Self.now + .seconds(seconds)
        )
    }

    private static func digest(_ label: UInt8, _ number: UInt8) -> Digest256 {
        Digest256([label, number] + [UInt8](repeating: 0x5A, count: 30)) ?? .zero
    }
}

extension DeviceAuthorization {
    /// Returns the same in that state.
    fileprivate func like(_ state: State) -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: deviceCode,
            userCode: userCode,
            access: access,
            source: source,
            origin: origin,
            state: state,
            createdAt: createdAt,
            expiresAt: expiresAt
        )
    }
}
