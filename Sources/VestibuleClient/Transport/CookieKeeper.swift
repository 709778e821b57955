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

    /// Stores the answer's cookies.
    ///
    /// - Throws: ``FaceLoginError/storeFailed(_:)``: with a lost device cookie the server would no longer recognise the
    ///   device.
    func accept(_ response: ClientResponse, from url: URL) async throws(FaceLoginError) {
        guard let field = response.headers["set-cookie"] else { return }
        let moment = now()
        jar.accept(setCookie: field, from: url, now: moment)
        try await store.change { $0.cookies.accept(setCookie: field, from: url, now: moment) }
    }
}

extension TokenStore {
    /// Returns the stored credentials, or throws ``FaceLoginError/storeFailed(_:)``.
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
