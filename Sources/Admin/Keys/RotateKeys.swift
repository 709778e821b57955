import ArgumentParser
import Kernel
import Tokens

/// `vestibule keys rotate`: makes the next key the signing key.
struct RotateKeys: CommandLineCommand {
    static let name = "rotateKeys"
    static let replyName = "keys"
    static let effect = CommandEffect.writes

    /// Whether to rotate even if the next key was not published for long enough.
    var unannounced: Bool

    // The key's own row is retried.
    var mayGoUnrecorded: Bool { true }

    func handle(_ services: AdminServices) async throws -> [KeyView] {
        let now = services.environment.now()
        try await services.keys.ring.apart { [unannounced] in try $0.rotate(now: now, unannounced: unannounced) }
        await services.keys.record()
        return services.keys.ring.keys.map(KeyView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "rotate",
            "Sign with the next key from now on. The old key verifies until its last token has expired.",
            about: """
                Nobody is signed out. It is refused until the next key was published for secrets.publishBeforeSigning, because \
                backends that keep the key set may not have it yet. Works with the daemon stopped too.
                """,
            examples: ["vestibule keys rotate", "vestibule keys rotate --now --json"]
        )

        @Flag(name: .customLong("now"), help: "Rotate also when the next key was not published for long enough.")
        var unannounced = false

        func command(_ input: CommandInput) -> any AdminCommand<[KeyView]> { RotateKeys(unannounced: unannounced) }
    }
}
