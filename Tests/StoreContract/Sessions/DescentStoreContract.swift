package import Accounts
package import Devices
package import Kernel
package import Sessions
package import SignIn
import Testing

/// The stores of what descends from sign-ins.
package struct DescentStores: Sendable {
    let descents: any DescentStore
    let sessions: any SessionStore
    let accounts: any AccountStore
    let devices: any OwnedDeviceStore
    let enrolments: any EnrolmentStore

    package init(
        descents: any DescentStore,
        sessions: any SessionStore,
        accounts: any AccountStore,
        devices: any OwnedDeviceStore,
        enrolments: any EnrolmentStore
    ) {
        self.descents = descents
        self.sessions = sessions
        self.accounts = accounts
        self.devices = devices
        self.enrolments = enrolments
    }
}

/// The contract of every store of descents, one case a promise.
package enum DescentStoreContract: String, StorePromise {
    case children = "a session descends from all that its origin descends from, out of it or by means"
    case means = "a session by a password or a key descends from the session in which that was set up"
    case devices = "the devices of a session are those that it linked or registered, of that account"
    case face = "a face leads to the sessions that it opens, and is the password's after a password"
    case parts = "what a session set up on a device ends with it, and nothing else"
    case password = "a password ends with the session that it was set in"
    case counts = "what would end is counted by the conditions of its ending, without what is over"
    case clients = "a client's open sessions end in parts, and those that are opened later stay"

    /// Checks this promise over empty stores.
    package func check(over stores: DescentStores, _ unitOfWork: some UnitOfWork) async throws {
        let subject = DescentsUnderTest(stores: stores, unitOfWork: unitOfWork)
        for number in [1, 2] as [UInt64] {
            let record = try AccountSample.record(
                number,
                enrolments: [Enrolment(provider: "mock", reference: "face \(number)", isActive: true)],
                passwordHash: Secret("hash")
            )
            try await subject.run { try stores.accounts.insert(record, in: $0) }
        }
        switch self {
        case .children: try await subject.checkChildren()
        case .means: try await subject.checkMeans()
        case .devices: try await subject.checkDevices()
        case .face: try await subject.checkFace()
        case .parts: try await subject.checkParts()
        case .password: try await subject.checkPassword()
        case .counts: try await subject.checkCounts()
        case .clients: try await subject.checkClients()
        }
    }
}

private struct DescentsUnderTest<Work: UnitOfWork>: CheckingInUnits {
    let stores: DescentStores
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }
    private static var ada: AccountID { AccountSample.id(1) }

    private static func id(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 5, low: number)) }

    private func open(
        _ number: UInt64,
        of account: AccountID = ada,
        client: String = "app",
        device: DeviceID? = nil,
        methods: [String] = ["face"],
        binding: Session.Binding = .none,
        face: FaceInForce? = nil,
        at instant: Instant = now
    ) async throws {
        let session = Session(
            id: Self.id(number),
            account: account,
            client: client,
            linkedDevice: device.map { .init(id: $0) },
            createdAt: instant,
            authentication: .init(at: instant, methods: methods),
            tokenBinding: .init(proof: binding)
        )
        let token = RefreshToken(
            key: OperationSample.digest("refresh", number),
            session: session.id,
            lineage: .init(family: OperationSample.digest("family", number), parent: nil, child: nil),
            issuedAt: instant,
            expiresAt: instant + .seconds(1000),
            firstUsedAt: nil
        )
        try await run { [stores] in try stores.sessions.insert(session, token, face: face, in: $0) }
    }

    private func note(_ descendant: Descendant, from number: UInt64) async throws {
        let session = Self.id(number)
        try await run { [stores] in try stores.descents.note(descendant, of: Self.ada, from: session, in: $0) }
    }

    private func children(of number: UInt64, byMeans: Bool) async throws -> Set<SessionID> {
        let session = Self.id(number)
        return try await run { [stores] in
            Set(try stores.descents.children(of: [session], Self.ada, byMeans: byMeans, in: $0))
        }
    }

    func checkChildren() async throws {
        for number in 1...2 as ClosedRange<UInt64> { try await open(number) }
        try await note(.session(Self.id(2)), from: 1)
        try await open(3, face: FaceInForce(mark: "mock face 0", origin: Self.id(2)))
        try await open(4)
        try await open(5, of: AccountSample.id(2))
        try await note(.session(Self.id(4)), from: 3)
        try await note(.session(Self.id(5)), from: 1)
        #expect(try await children(of: 1, byMeans: false) == [Self.id(2)])
        #expect(try await children(of: 1, byMeans: true) == [Self.id(2), Self.id(3), Self.id(4)])
        #expect(try await children(of: 3, byMeans: false) == [Self.id(4)])
        try await note(.session(Self.id(3)), from: 2)
        #expect(try await children(of: 2, byMeans: false) == [Self.id(3)], "also out of it")
        try await note(.session(Self.id(1)), from: 1)
        #expect(try await !children(of: 1, byMeans: true).contains(Self.id(1)))
    }

    func checkMeans() async throws {
        try await open(1)
        try await note(.password, from: 1)
        let device = DeviceSample.device(1, of: Self.ada, key: DeviceSample.keys[0])
        try await run { [stores] in try stores.devices.insert(device, in: $0) }
        try await note(.deviceKey(device.id), from: 1)
        try await open(2, methods: ["pwd"])
        try await open(3, device: device.id, methods: ["hwk"], binding: .deviceKey)
        try await open(4)
        #expect(try await children(of: 1, byMeans: true) == [Self.id(2), Self.id(3)])
        #expect(try await children(of: 1, byMeans: false) == [])
    }

    func checkDevices() async throws {
        let (linked, registered) = (DeviceSample.device(1, of: Self.ada), DeviceSample.device(2, of: Self.ada))
        try await open(1, device: linked.id)
        try await open(2)
        try await run { [stores] in try stores.devices.insert(registered, in: $0) }
        try await note(.device(registered.id), from: 2)
        func devices(_ numbers: [UInt64], of account: AccountID = Self.ada) async throws -> Set<DeviceID> {
            try await run { [stores] in
                Set(try stores.descents.devices(of: numbers.map(Self.id), account, in: $0))
            }
        }
        #expect(try await devices([1]) == [linked.id])
        #expect(try await devices([1, 2]) == [linked.id, registered.id])
        #expect(try await devices([1, 2], of: AccountSample.id(2)) == [])
        let session = Self.id(2)
        let is2 = try await run { [stores] in
            try stores.descents.isRegistered(registered.id, of: Self.ada, in: session, in: $0)
        }
        #expect(is2)
        let on = try await run { [stores] in try stores.descents.sessions(on: [linked.id], Self.ada, in: $0) }
        #expect(on == [Self.id(1)])
    }

    func checkFace() async throws {
        try await open(1)
        try await open(2, methods: ["pwd"])
        try await note(.face("mock"), from: 1)
        let face = try await run { [stores] in try stores.enrolments.face(of: Self.ada, at: "mock", in: $0) }
        #expect(face?.origin == Self.id(1))
        try await open(3, face: face)
        try await open(4)
        #expect(try await children(of: 1, byMeans: true) == [Self.id(3)])
        #expect(try await end(.face, .notBegunWith(Self.ada, Self.id(3))).isEmpty)
        #expect(try await end(.face, .byPassword(Self.ada, except: nil)).isEmpty, "no password's")
        try await note(.face("mock"), from: 2)
        #expect(try await end(.face, .byPassword(Self.ada, except: Self.id(2))).isEmpty, "that session's own")
        #expect(try await end(.face, .byPassword(Self.ada, except: nil)) == [Self.ada.bits])
        let kept = try await stores.accounts.find(Self.ada)?.enrolments.first
        #expect(kept?.isActive == false && kept?.reference == "face 1", "its name is not used again")
        #expect(try await stores.accounts.find(AccountSample.id(2))?.enrolments.first?.isActive == true)
        #expect(try await end(.face, .notBegunWith(AccountSample.id(2), Self.id(3))) == [AccountSample.id(2).bits])
    }

    func checkParts() async throws {
        for number in 1...3 as ClosedRange<UInt64> { try await open(number) }
        let device = DeviceSample.device(1, of: Self.ada, key: DeviceSample.keys[0])
        let token = String(repeating: "t", count: 60)
        try await run { [stores] in
            try stores.devices.insert(device, in: $0)
            try stores.devices.put(pushToken: token, of: device.id, at: Self.now, in: $0)
        }
        try await note(.deviceKey(device.id), from: 1)
        try await note(.deviceCredential(device.id), from: 2)
        try await run { [stores] in try stores.descents.notePushTokenByCredential(of: device.id, in: $0) }
        #expect(try await end(.pushToken, .descent(Self.ada, [Self.id(1)])).isEmpty)
        #expect(try await end(.pushToken, .descent(Self.ada, [Self.id(2)])) == [device.id.bits])
        #expect(try await end(.deviceKey, .account(Self.ada, except: Self.id(1))).isEmpty)
        #expect(try await end(.deviceKey, .descent(Self.ada, [Self.id(3)])).isEmpty)
        #expect(try await end(.deviceKey, .descent(Self.ada, [Self.id(1), Self.id(3)])) == [device.id.bits])
        #expect(try await end(.deviceCredential, .bySignIn(Self.ada)) == [device.id.bits])
        let left = try await run { [stores] in try stores.devices.find(device.id, in: $0) }
        #expect(left?.credential == nil && left?.key == nil && left?.account == Self.ada)
    }

    func checkPassword() async throws {
        try await open(1)
        try await open(2)
        try await note(.password, from: 1)
        #expect(try await end(.password, .descent(Self.ada, [Self.id(2)])).isEmpty)
        #expect(try await end(.password, .descent(Self.ada, [Self.id(1)])) == [Self.ada.bits])
        #expect(try await end(.password, .account(Self.ada, except: nil)).isEmpty, "it is gone")
        #expect(try await stores.accounts.find(AccountSample.id(2))?.passwordHash != nil)
    }

    func checkCounts() async throws {
        for number in 1...4 as ClosedRange<UInt64> { try await open(number) }
        try await open(5, of: AccountSample.id(2))
        let devices = [1, 2].map { DeviceSample.device($0, of: Self.ada) }
        let gone = Set([Self.id(4)])
        try await run { [stores] in
            for device in devices { try stores.devices.insert(device, in: $0) }
            _ = try stores.devices.revoke(devices[1].id, at: Self.now, in: $0)
            _ = try stores.sessions.revoke(gone, of: Self.ada, because: .notMe, at: Self.now, in: $0)
        }
        try await note(.face("mock"), from: 1)
        let all = Selection.account(Self.ada, except: nil)
        #expect(try await count(.session, all) == 3)
        #expect(try await count(.session, .descent(Self.ada, [Self.id(1), Self.id(4), Self.id(5)])) == 1)
        #expect(try await count(.session, .descent(Self.ada, [])) == 0)
        #expect(try await count(.session, all, at: Self.now + .seconds(1000)) == 0, "their tokens are over")
        #expect(try await count(.deviceKey, all) == 1)
        #expect(try await count(.face, all) == 1)
        #expect(try await count(.face, .bySignIn(Self.ada)) == 1)
        #expect(try await count(.face, .byPassword(Self.ada, except: nil)) == 0)
        #expect(try await count(.face, .bySignIn(AccountSample.id(2))) == 0)
        #expect(try await count(.password, all) == 1)
        for outcome in [Outcome.passkey, .consent, .card] { #expect(try await count(outcome, all) == 0) }
        #expect(try await end(.face, all) == [Self.ada.bits], "counting ends nothing")
    }

    private func count(
        _ outcome: Outcome,
        _ selection: Selection,
        at instant: Instant = now
    ) async throws -> Int {
        try await run { [stores] in try stores.descents.count(outcome, selection, at: instant, in: $0) }
    }

    func checkClients() async throws {
        for number in 1...3 as ClosedRange<UInt64> { try await open(number) }
        try await open(4, client: "other")
        let count = try await run { [stores] in try stores.descents.noteEnding(of: "app", at: nil, in: $0) }
        #expect(count == 3)
        try await open(5, at: Self.now + .seconds(1))
        let first = try await run { [stores] in
            try stores.descents.sessions(ofEnding: "app", after: nil, limit: 2, in: $0).map(\.session)
        }
        #expect(first == [Self.id(1), Self.id(2)])
        let rest = try await run { [stores] in
            try stores.descents.sessions(ofEnding: "app", after: Self.id(2), limit: 9, in: $0).map(\.session)
        }
        #expect(rest == [Self.id(3)])
        func isOver() async throws -> Bool {
            try await run { [stores] in try stores.descents.noteEnd(of: "app", in: $0) }
        }
        #expect(try await !isOver())
        let ended = Set((1...3).map { Self.id($0) })
        _ = try await run { [stores] in
            try stores.sessions.revoke(ended, of: Self.ada, because: .revokedByOperator, at: Self.now, in: $0)
        }
        #expect(try await isOver())
        let clients = try await run { [stores] in try stores.descents.endingClients(in: $0) }
        #expect(clients == [])
        // Without sessions, what else ends is noted by its time.
        let (now, later) = (Self.now, Self.now + .seconds(9))
        let limits = try await run { [stores] transaction in
            _ = try stores.descents.noteEnding(of: "gone", at: nil, in: transaction)
            let none = try stores.descents.endingLimit(of: "gone", in: transaction)
            _ = try stores.descents.noteEnding(of: "gone", at: later, in: transaction)
            _ = try stores.descents.noteEnding(of: "gone", at: now, in: transaction)
            return [none, try stores.descents.endingLimit(of: "gone", in: transaction)]
        }
        #expect(limits == [nil, later])
        let isGone = try await run { [stores] in try stores.descents.noteEnd(of: "gone", in: $0) }
        #expect(isGone)
    }

    private func end(_ outcome: Outcome, _ selection: Selection) async throws -> [UUIDBits] {
        try await run { [stores] in try stores.descents.end(outcome, selection, in: $0) }
    }
}
