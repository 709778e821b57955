// VestibuleClient: the SDK for apps.
// Owns the start, the polls and the tokens of a login, cookies, and the stores of tokens.
// Imports Foundation and Crypto, so that it also builds on Apple's systems.
// Survives lost answers, restarts of app and server, and wrong clocks.
// Tokens and verifiers are never logged.

public import Foundation

/// Signs a person in with a face scan.
///
/// It starts the login at a Vestibule server and lets the app open the page of the scan. Then it polls until the login
/// ends, and stores the tokens.
///
/// ```swift
/// let login = try FaceLogin(server: URL(string: "https://login.example.com")!, store: store)
/// for try await progress in login.signIn(email: "ada@example.com", open: { await UIApplication.shared.open($0) }) {
///     …
/// }
/// ```
///
/// It continues to poll after network errors and 5xx. It stops when the server answers `failed`, at cancellation, and
/// at the login's deadline.
public struct FaceLogin: Sendable {
    /// Shows the page of the scan to the person, and returns whether that worked.
    ///
    /// Return as soon as the page is opening. Polling begins after that, and the login's deadline is already running.
    public typealias OpenPage = @Sendable (URL) async -> Bool

    private let server: ServerAddress
    private let store: any TokenStore
    private let options: Options
    private let transport: any HTTPTransport
    private let environment: ClientEnvironment
    private let device: DeviceProof?
    private let returns = ReturnInbox()

    /// Creates a value that signs people in at that server.
    ///
    /// - Parameters:
    ///   - server: The base URL, with or without `/api`: https, or http to this machine.
    ///   - store: Stores the tokens, the last e-mail address and the server's cookies.
    ///   - options: The options of sign-ins.
    ///   - device: The proof of this device, for a server that requires more than the cookie of an earlier sign-in.
    ///   - transport: Sends the requests.
    ///   - environment: The clocks and the randomness.
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

    /// Signs in and reports the progress.
    ///
    /// The last element is ``Progress/completed(_:)``. A failure is thrown as ``FaceLoginError``. The sign-in runs even
    /// if nobody reads the stream. Cancelling the task that reads the stream, or releasing the stream, cancels the
    /// login at the server.
    ///
    /// - Parameters:
    ///   - email: The person's e-mail address; with `nil`, that of the last sign-in on this device is used.
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

    /// Signs in, and returns once the server has been told that the tokens arrived.
    ///
    /// - Parameters:
    ///   - email: The person's e-mail address; with `nil`, that of the last sign-in on this device is used.
    ///   - open: Shows the page of the scan to the person.
    ///   - progress: Receives the progress, in order.
    /// - Returns: The tokens, which are already stored, and the person.
    /// - Throws: The reason why the sign-in failed.
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

    /// Accepts the address with which the browser opened the app, for the sign-in in progress.
    ///
    /// - Returns: Whether it is ``Options/returnURL`` with a code. The app must handle every other address itself.
    @discardableResult
    public func handleReturn(_ url: URL) async -> Bool { await returns.accept(url, at: options.returnURL) }

    /// Returns the tokens of the last sign-in; `nil` if nobody is signed in.
    ///
    /// They may have expired.
    public func tokens() async throws(FaceLoginError) -> StoredTokens? { try await store.read().tokens }

    /// Returns the e-mail address that a sign-in without an address uses.
    public func rememberedEmail() async throws(FaceLoginError) -> String? { try await store.read().email }

    /// Deletes the tokens on this device.
    ///
    /// The e-mail address and the device's cookie stay, so that the person need not type the address next time. The
    /// server is not told: end the session there first.
    public func signOut() async throws(FaceLoginError) {
        try await store.change { $0.signOut() }
    }
}
