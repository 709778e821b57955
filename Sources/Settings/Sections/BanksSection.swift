import CodeFlow
import Kernel
import Wallet

extension SettingsSchema {
    static let banks = SettingField<Settings>.map(
        "banks",
        \.banks,
        each: bank,
        help: "Banks whose cards people can bring into their wallet, by name; apps know them by it as bsimId.",
        example: "td-bsim",
        blank: { id in
            Bank(
                id: id,
                name: "",
                server: AuthorizationServer(
                    authorizeURL: "",
                    tokenURL: "",
                    client: ClientRegistration(id: "", authentication: .post)
                ),
                cardsURL: ""
            )
        }
    )

    static let bank = SettingSection<Bank>([
        .value(
            "name",
            \.name,
            as: .text,
            help: "What people are shown as the bank's name.",
            required: true,
            example: "TD Bank Simulator"
        ),
        .value(
            "logo",
            \.logoURL,
            as: SettingRule<String>.secureURL.optional,
            help: "A picture for apps to show; by default none.",
            example: "https://bank.example.com/logo.png"
        ),
        .value(
            "authorizeURL",
            \.server.authorizeURL,
            as: .secureURL,
            help: "Where people let the wallet in.",
            required: true,
            example: "https://bank.example.com/authorize"
        ),
        .value(
            "tokenURL",
            \.server.tokenURL,
            as: .secureURL,
            help: "Where the bank trades codes and refresh tokens.",
            required: true,
            example: "https://bank.example.com/token"
        ),
        .value(
            "cardsURL",
            \.cardsURL,
            as: .secureURL,
            help:
                "Where the bank lists the cards, as JSON: each with a token reference, the last four digits and the network.",
            required: true,
            example: "https://bank.example.com/cards"
        ),
        .value(
            "clientID",
            \.server.client.id,
            as: .text,
            help:
                "What the bank calls this server, whose redirect URI there is publicURL with /api/enrollment/callback/ and this name of the bank.",
            required: true,
            example: "vestibule"
        ),
        .value(
            "clientSecret",
            \.server.client.secret,
            as: SettingRule<Secret>.secret.optional,
            help: "The secret that the bank gave this server; goes with post and basic.",
            example: "env:TD_BSIM_CLIENT_SECRET"
        ),
        .value(
            "authentication",
            \.server.client.authentication,
            as: .choice,
            help: "Where that secret goes, if there is one; post is the form."
        ),
        .list("scopes", \.server.scopes, as: .scope, help: "What the bank is asked for."),
        .value(
            "issuer",
            \.server.issuer,
            as: SettingRule<String>.issuer.optional,
            help: "The issuer that the bank names in its answers (RFC 9207); others are refused then.",
            example: "https://bank.example.com"
        ),
        .value(
            "timeout",
            \.timeout,
            as: .duration(.milliseconds(100)...(.seconds(60))),
            help: "How long one request to the bank may take."
        ),
    ])
}
