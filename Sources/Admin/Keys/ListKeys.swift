import ArgumentParser
import Kernel
import TokenReading
import Tokens

/// `vestibule keys list`: the keys that tokens are signed with.
struct ListKeys: CommandLineCommand {
    static let name = "listKeys"
    static let replyName = "keys"
    static let effect = CommandEffect.reads

    func handle(_ services: AdminServices) async throws -> [KeyView] { services.keys.ring.keys.map(KeyView.init) }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List the keys: active, next, retiring and retired.",
            examples: ["vestibule keys list", "vestibule keys list --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<[KeyView]> { ListKeys() }
    }
}

/// A signing key.
package struct KeyView: Codable, Sendable, TableRow {
    let kid: String
    let algorithm: String
    /// `next`, `active`, `retiring` or `retired`.
    let state: String
    /// Milliseconds since 1970.
    let createdAt: Int64
    /// The time at which the state began.
    let since: Int64
    /// The time from which its signatures are not accepted; `nil` for the active key and the next one.
    let verifiesUntil: Int64?
    /// `tokens`, or `identity` for a key that only signs id tokens with RS256.
    let use: String

    init(_ key: KeySummary) {
        kid = key.id.text
        algorithm = key.algorithm.rawValue
        state = key.state.rawValue
        createdAt = key.createdAt.milliseconds
        since = key.since.milliseconds
        verifiesUntil = key.verifiesUntil?.milliseconds
        use = key.use.rawValue
    }

    package static let titles = ["KID", "ALGORITHM", "USE", "STATE", "SINCE", "CREATED", "VERIFIES UNTIL"]

    package var cells: [String] {
        [kid, algorithm, use, state, Rendering.time(since), Rendering.time(createdAt), Rendering.time(verifiesUntil)]
    }
}
