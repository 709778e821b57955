import Foundation

/// The cookies during one sign-in: at hand for every request, and written to the store as soon as the server sets one.
actor CookieKeeper {
    private var jar: CookieJar
    private let store: any TokenStore
    private let now: @Sendable () -> Date

    init(jar: CookieJar, store: any TokenStore, now: @escaping @Sendable () -> Date) {
        self.jar = jar
        self.store = store
        self.now = now
    }

    func header(for url: URL) -> String? { jar.header(for: url, now: now()) }

    /// Throws ``FaceLoginError/storeFailed(_:)``: a device cookie that is lost would leave the person a stranger.
    func accept(_ response: ClientResponse, from url: URL) async throws(FaceLoginError) {
        guard let field = response.headers["set-cookie"] else { return }
        let moment = now()
        jar.accept(setCookie: field, from: url, now: moment)
        try await store.change { $0.cookies.accept(setCookie: field, from: url, now: moment) }
    }
}

extension TokenStore {
    /// What is stored, or ``FaceLoginError/storeFailed(_:)``.
    func read() async throws(FaceLoginError) -> StoredCredentials {
        do {
            return try await load()
        } catch {
            throw .storeFailed(error.localizedDescription)
        }
    }

    /// A change, or ``FaceLoginError/storeFailed(_:)``.
    func change(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws(FaceLoginError) {
        do {
            try await update(change)
        } catch {
            throw .storeFailed(error.localizedDescription)
        }
    }
}
