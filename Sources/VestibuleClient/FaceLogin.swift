// VestibuleClient: the SDK for apps.
// Owns starting, following and collecting a login, cookies, and where tokens are kept.
// Imports Foundation and Crypto, so that it builds on Apple's systems too.
// Survives lost answers, restarts of app and server, and clocks that are wrong.
// Tokens and verifiers are never logged.

public import Foundation

/// Signs a person in with a face scan.
///
/// It starts the login at a Vestibule server, has the page of the scan opened, follows the login to its end and keeps
/// the tokens.
///
/// ```swift
/// let login = try FaceLogin(server: URL(string: "https://login.example.com")!, store: store)
/// for try await progress in login.signIn(email: "ada@example.com", open: { await UIApplication.shared.open($0) }) {
///     …
/// }
/// ```
///
/// It keeps asking through network errors and 5xx, and it stops at the server's `failed`, at cancellation and at the
/// login's deadline.
public struct FaceLogin: Sendable {
    /// Shows the page of the scan to the person, and returns whether that worked.
    ///
    /// Return as soon as the page is opening: polling begins after that, and the time counts.
    public typealias OpenPage = @Sendable (URL) async -> Bool

    private let server: ServerAddress
    private let store: any TokenStore
    private let options: Options
    private let transport: any HTTPTransport
    private let environment: ClientEnvironment
    private let device: DeviceProof?
    private let returns = ReturnInbox()

    /// Creates face logins at that server.
    ///
    /// - Parameters:
    ///   - server: The base URL, with or without `/api`: https, or http to this machine.
    ///   - store: Keeps tokens, the last e-mail address and the server's cookies.
    ///   - options: The options of sign-ins.
    ///   - device: The proof of this device, for a server that requires more than the cookie of an earlier sign-in.
    ///   - transport: Carries the requests.
    ///   - environment: Clocks and randomness.
    /// - Throws: ``FaceLoginError/invalidURL(_:)``.
    public init(
        server: URL,
        store: any TokenStore,
        options: Options = Options(),
        device: DeviceProof? = nil,
        transport: any HTTPTransport = URLSessionTransport(),
        environment: ClientEnvironment = .system
    ) throws(FaceLoginError) {
        self.server = try ServerAddress(server)
        self.store = store
        self.options = options
        self.device = device
        self.transport = transport
        self.environment = environment
    }

    /// Signs in and reports the progress; the last element is ``Progress/completed(_:)``, a failure is thrown as
    /// ``FaceLoginError``.
    ///
    /// The sign-in runs whether or not the stream is read. Cancelling the task that reads it, or dropping the stream,
    /// cancels the login at the server.
    ///
    /// - Parameters:
    ///   - email: The user's e-mail address; `nil` takes that of the last sign-in on this device.
    ///   - open: Shows the page of the scan to the person.
    /// - Returns: The progress, in order.
    public func signIn(email: String? = nil, open: @escaping OpenPage) -> AsyncThrowingStream<Progress, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do throws(FaceLoginError) {
                    _ = try await signIn(email: email, open: open) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Signs in and returns at the end, once the server knows that the tokens arrived.
    ///
    /// - Parameters:
    ///   - email: The user's e-mail address; `nil` takes that of the last sign-in on this device.
    ///   - open: Shows the page of the scan to the person.
    ///   - progress: Receives the progress, in order.
    /// - Returns: The tokens, which are already in the store, and the user.
    /// - Throws: The reason of the failure.
    public func signIn(
        email: String? = nil,
        open: @escaping OpenPage,
        progress: @escaping @Sendable (Progress) -> Void
    ) async throws(FaceLoginError) -> SignedIn {
        let stored = try await store.read()
        let given = email?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard let email = given.isEmpty ? stored.email : given else { throw .userNotFound }
        let cookies = CookieKeeper(jar: stored.cookies, store: store, now: environment.now)
        await returns.empty()
        let prover = DeviceProver(proof: device, clientID: options.clientID, store: store, now: environment.now)
        let exchange = LoginExchange(
            server: server,
            transport: transport,
            cookies: cookies,
            credential: prover.credential,
            returns: returns,
            now: environment.now
        )
        let run = LoginRun(
            exchange: exchange,
            options: options,
            prover: prover,
            store: store,
            environment: environment,
            report: progress
        )
        return try await run.signIn(email: email, open: open)
    }

    /// Takes the address that the browser opened the app with, for the sign-in in progress.
    ///
    /// - Returns: Whether it is ``Options/returnURL`` with a code; the app handles every other address itself.
    @discardableResult
    public func handleReturn(_ url: URL) async -> Bool { await returns.accept(url, at: options.returnURL) }

    /// The tokens of the last sign-in; `nil` when signed out.
    ///
    /// They may have expired.
    public func tokens() async throws(FaceLoginError) -> StoredTokens? { try await store.read().tokens }

    /// The e-mail address that a sign-in without one takes.
    public func rememberedEmail() async throws(FaceLoginError) -> String? { try await store.read().email }

    /// Forgets the tokens on this device.
    ///
    /// The e-mail address and the proof of this device stay, so that the next sign-in needs no typing. It doesn't tell
    /// the server: end the session there first.
    public func signOut() async throws(FaceLoginError) {
        try await store.change { $0.signOut() }
    }
}
