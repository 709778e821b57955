import Foundation
import Kernel
import Synchronization
import VestibuleClient

/// Reports a login's progress on a terminal.
final class LoginReport: Sendable {
    private let isQuiet: Bool
    private let isScripted: Bool
    private let start = Environment.system.clock.now
    private let last = Mutex("")

    init(isQuiet: Bool, isScripted: Bool) {
        self.isQuiet = isQuiet
        self.isScripted = isScripted
    }

    func show(_ progress: FaceLogin.Progress) {
        guard !isQuiet else { return }
        switch progress {
        case .started(let started):
            let seconds = started.lifetime.secondsRoundedUp
            say(
                isScripted
                    ? "started, with a scripted scan" : "started. Open this page for the face scan (\(seconds) s):"
            )
            if !isScripted { StandardOutput.print("  \(started.page.absoluteString)") }
            if let number = started.number { say("type this number on the page: \(number)") }
        case .waiting(let hint): say(Self.words(for: hint))
        case .degraded(.provider): say("the provider does not answer at the moment, still waiting")
        case .degraded(.network): say("the server does not answer at the moment, still trying")
        case .completed: say("approved")
        }
    }

    /// Prints the claims for people, and the tokens themselves only in JSON, for scripts.
    static func finish(_ signedIn: SignedIn, json: Bool) {
        let access = claims(signedIn.tokens.accessToken)
        let refresh = claims(signedIn.tokens.refreshToken)
        if json {
            let answer: [String: Any] = [
                "accessToken": signedIn.tokens.accessToken, "refreshToken": signedIn.tokens.refreshToken,
                "accessClaims": access, "refreshClaims": refresh,
            ]
            StandardOutput.print(text(answer))
            return
        }
        if let user = signedIn.user { StandardOutput.print("Signed in as \(user.name) <\(user.email)>.") }
        StandardOutput.print("Access token claims: \(text(access))")
        StandardOutput.print("Refresh token claims: \(text(refresh))")
    }

    private func say(_ words: String) {
        let isNew = last.withLock { last in
            defer { last = words }
            return last != words
        }
        guard isNew else { return }
        let seconds = (Environment.system.clock.now - start).wholeMilliseconds / 100
        let mark = String(seconds / 10) + "." + String(seconds % 10)
        StandardOutput.print(String(repeating: " ", count: max(0, 6 - mark.count)) + mark + " s  " + words)
    }

    private static func words(for hint: FaceLogin.Hint) -> String {
        switch hint {
        case .created: "waiting for the link to be opened"
        case .linkOpened: "the link was opened"
        case .userInProvider: "the face scan is in progress"
        case .processing: "the scan is being judged"
        case .unknown(let text): text
        }
    }

    /// Returns a token's claims without verifying the token: they are only displayed.
    private static func claims(_ token: String) -> [String: Any] {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        else { return [:] }
        return object
    }

    private static func text(_ object: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
