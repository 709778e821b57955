import ArgumentParser
import Kernel
import Tokens

/// `vestibule keys retire`: stops accepting the signatures of a key.
struct RetireKey: CommandLineCommand {
    static let name = "retireKey"
    static let replyName = "keys"
    static let effect = CommandEffect.writes

    var kid: String

    var target: String? { kid }

    // A key that has leaked is retired whether or not the database can be used. The key's own row is retried.
    var mayGoUnrecorded: Bool { true }

    func handle(_ services: AdminServices) async throws -> [KeyView] {
        let now = services.environment.now()
        try await services.keys.ring.apart { [kid] in try $0.retire(kid, now: now) }
        await services.keys.record()
        return services.keys.ring.keys.map(KeyView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "retire",
            "Refuse everything that a leaked key signed, from now on.",
            about: """
                Apps whose access token it signed refresh it and continue. Backends that verify offline accept such tokens \
                until they fetch the key set again. The active key cannot be retired: rotate first. If the whole \
                folder leaked, retire the next key before that.
                """,
            examples: [
                "vestibule keys rotate --now",
                "vestibule keys retire nEz8xVk4mR1bq0cJt7dYwPfLs2hAu6gXoZi3vBeKTQM",
            ]
        )

        @Argument(help: "The key's id, as `keys list` shows it.") var kid: String

        func command(_ input: CommandInput) -> any AdminCommand<[KeyView]> { RetireKey(kid: kid) }
    }
}
