import CodeFlow
import Kernel
import Wallet

extension SettingsSchema {
    static let banks = SettingField<Settings>.map(
        "banks",
        \.banks,
        each: bank,
        help: "Banks whose cards people can add to their wallet, by name. Apps know that name as bsimId.",
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
            help: "The bank's name as people see it.",
            required: true,
            example: "TD Bank Simulator"
        ),
        .value(
            "logo",
            \.logoURL,
            as: SettingRule<String>.secureURL.optional,
            help: "A picture for apps to show, by default none.",
            example: "https://bank.example.com/logo.png"
        ),
        .value(
            "authorizeURL",
            \.server.authorizeURL,
            as: .secureURL,
            help: "The page where people let the wallet in.",
            required: true,
            example: "https://bank.example.com/authorize"
        ),
        .value(
            "tokenURL",
            \.server.tokenURL,
            as: .secureURL,
            help: "The address where the bank exchanges codes and refresh tokens.",
            required: true,
            example: "https://bank.example.com/token"
        ),
        .value(
            "cardsURL",
            \.cardsURL,
            as: .secureURL,
            help:
                "The address where the bank lists the cards as JSON, each with a token reference, the last four digits and the network.",
            required: true,
            example: "https://bank.example.com/cards"
        ),
        .value(
            "clientID",
            \.server.client.id,
            as: .text,
            help:
                "The bank's client id for this server. Its redirect URI is publicURL with /api/enrollment/callback/ and this name of the bank.",
            required: true,
            example: "vestibule"
        ),
        .value(
            "clientSecret",
            \.server.client.secret,
            as: SettingRule<Secret>.secret.optional,
            help: "The secret that the bank gave this server, for post and basic.",
            example: "env:TD_BSIM_CLIENT_SECRET"
        ),
        .value(
            "authentication",
            \.server.client.authentication,
            as: .choice,
            help: "How that secret is sent, if there is one. With post it goes into the form."
        ),
        .list("scopes", \.server.scopes, as: .scope, help: "The scopes that the bank is asked for."),
        .value(
            "issuer",
            \.server.issuer,
            as: SettingRule<String>.issuer.optional,
            help: "The issuer that the bank names in its answers (RFC 9207). Answers with another issuer are refused.",
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
