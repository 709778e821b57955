package import Kernel
package import OAuth
import Testing

/// The contract of every store of the authorization server's grants, one case a promise.
package enum OAuthGrantStoreContract: String, StorePromise {
    case comesBackAsWritten = "a grant comes back as it was written, by its session, in and out of a unit"
    case isOne = "a session has one grant, which never changes"
    case goesAlong = "it goes with its session"
    case isUndone = "a unit that fails leaves none"

    /// Checks this promise over an empty store that has these two sessions; `remove` takes one of them away.
    package func check(
        over store: some OAuthGrantStore,
        _ unitOfWork: some UnitOfWork,
        sessions: [SessionID],
        remove: @escaping @Sendable (SessionID, borrowing Transaction) throws -> Void
    ) async throws {
        let subject = OAuthGrantsUnderTest(store: store, unitOfWork: unitOfWork, sessions: sessions)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .isOne: try await subject.checkConflict()
        case .goesAlong: try await subject.checkEnding(remove)
        case .isUndone: try await subject.checkUndoing()
        }
    }
}

private struct OAuthGrantsUnderTest<Store: OAuthGrantStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work
    let sessions: [SessionID]

    func checkWriting() async throws {
        let full = SessionGrant(
            session: sessions[0],
            clientID: "web",
            scopes: ScopeSet(["openid", "orders:read"]),
            resources: ["https://api.example.com/orders", "urn:example:cards"],
            nonce: "n-0S6_WzA2Mj",
            backchannelRequest: "1c266114-a1be-4252-8ad1-04986c5b9ac1",
            identityClaims: [.name, .email]
        )
        let bare = SessionGrant(session: sessions[1], clientID: "app", scopes: ScopeSet([]), resources: [], nonce: nil)
        try await insert([full, bare])
        for grant in [full, bare] {
            #expect(try await store.find(grant.session) == grant)
            let inside = try await run { [store] in try store.find(grant.session, in: $0) }
            #expect(inside == grant)
        }
    }

    func checkConflict() async throws {
        try await insert([grant(0)])
        let other = SessionGrant(
            session: sessions[0],
            clientID: "other",
            scopes: ScopeSet(["admin"]),
            resources: [],
            nonce: nil
        )
        await #expect(throws: StoreError.self) { try await insert([other]) }
        #expect(try await store.find(sessions[0]) == grant(0))
    }

    func checkEnding(_ remove: @escaping @Sendable (SessionID, borrowing Transaction) throws -> Void) async throws {
        try await insert([grant(0), grant(1)])
        let session = sessions[0]
        try await run { try remove(session, $0) }
        #expect(try await store.find(session) == nil)
        #expect(try await store.find(sessions[1]) == grant(1))
    }

    func checkUndoing() async throws {
        let written = grant(0)
        await #expect(throws: RolledBackError.self) {
            try await run { [store] transaction in
                try store.insert(written, in: transaction)
                throw RolledBackError()
            }
        }
        #expect(try await store.find(sessions[0]) == nil)
    }

    private struct RolledBackError: Error {}

    private func insert(_ grants: [SessionGrant]) async throws {
        try await run { [store] transaction in for grant in grants { try store.insert(grant, in: transaction) } }
    }

    private func grant(_ index: Int) -> SessionGrant {
        SessionGrant(session: sessions[index], clientID: "app", scopes: ScopeSet(["openid"]), resources: [], nonce: nil)
    }
}
