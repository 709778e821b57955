import Foundation

/// The cookies during one sign-in. They are in memory for every request, and stored as soon as the server sets one.
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

    /// Adds the answer's cookies to the jar and to the store.
    ///
    /// - Throws: ``FaceLoginError/storeFailed(_:)``, because without its cookie the server would not recognise the
    ///   device again.
    func accept(_ response: ClientResponse, from url: URL) async throws(FaceLoginError) {
        guard let field = response.headers["set-cookie"] else { return }
        let moment = now()
        jar.accept(setCookie: field, from: url, now: moment)
        try await store.change { $0.cookies.accept(setCookie: field, from: url, now: moment) }
    }
}

extension TokenStore {
    /// Returns the stored credentials; throws ``FaceLoginError/storeFailed(_:)``.
    func read() async throws(FaceLoginError) -> StoredCredentials {
        do {
            return try await load()
        } catch {
            throw .storeFailed(error.localizedDescription)
        }
    }

    /// Changes the stored credentials; throws ``FaceLoginError/storeFailed(_:)``.
    func change(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws(FaceLoginError) {
        do {
            try await update(change)
        } catch {
            throw .storeFailed(error.localizedDescription)
        }
    }
}
