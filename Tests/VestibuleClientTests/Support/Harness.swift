import Foundation
import Testing

@testable import VestibuleClient

/// A client against a scripted server in virtual time, with what it reported.
struct Harness: Sendable {
    let time = VirtualTime()
    let transport: ScriptedTransport
    let store: any TokenStore
    let login: FaceLogin
    let reported = Recorder<FaceLogin.Progress>()
    let opened = Recorder<URL>()

    init(
        initiate: [ScriptedTransport.Step] = [.answer(200, Answers.initiate())],
        poll: [ScriptedTransport.Step],
        ack: [ScriptedTransport.Step] = [.answer(200, Answers.receipt)],
        cancel: [ScriptedTransport.Step] = [.answer(200, Answers.receipt)],
        options: FaceLogin.Options = FaceLogin.Options(),
        device: FaceLogin.DeviceProof? = nil,
        store: any TokenStore = MemoryTokenStore(),
        server: String = "https://login.example.com/api",
        onCall: @escaping @Sendable (ScriptedTransport.Call) async -> Void = { _ in }
    ) throws {
        transport = ScriptedTransport(time, initiate: initiate, poll: poll, ack: ack, cancel: cancel, onCall: onCall)
        self.store = store
        login = try FaceLogin(
            server: #require(URL(string: server)),
            store: store,
            options: options,
            device: device,
            transport: transport,
            environment: time.environment
        )
    }

    func signIn(email: String? = "ada@example.com", opens: Bool = true) async throws(FaceLoginError) -> SignedIn {
        try await login.signIn(
            email: email,
            open: {
                opened.append($0)
                return opens
            },
            progress: { reported.append($0) }
        )
    }

    /// The error that signing in ends with; a sign-in that succeeds is an issue.
    func failure(email: String? = "ada@example.com", opens: Bool = true) async -> FaceLoginError? {
        do {
            _ = try await signIn(email: email, opens: opens)
            Issue.record("signed in")
            return nil
        } catch {
            return error
        }
    }
}

/// A list that several tasks may append to.
final class Recorder<Element: Sendable>: @unchecked Sendable {
    // Guarded by the lock.
    private var elements: [Element] = []
    private let lock = NSLock()

    func append(_ element: Element) { lock.withLock { elements.append(element) } }
    var all: [Element] { lock.withLock { elements } }
}
