import Kernel
package import Outbound

/// Where mail is delivered, and its sender.
package struct MailSettings: Sendable, Equatable {
    /// A folder for `.eml` files, used without a mail server.
    package var outbox: String
    /// `nil`: mail is written to the outbox.
    package var smtp: SMTPConfiguration?
    package var from = MailSettings.nobody
    package var replyTo: MailAddress?
    /// The number of mails that may wait at one time.
    package var maxQueued = 10_000

    /// The sender of mail that is only written to files.
    package static let nobody = MailAddress(parsing: "Vestibule <vestibule@localhost>") ?? .nobody

    package init(dataFolder: String) {
        outbox = dataFolder + "/outbox"
    }
}

extension SettingsSchema {
    static let mail = SettingSection<MailSettings>([
        .value(
            "from",
            \.from,
            as: .mailAddress,
            help: "The sender of mail, like Example <no-reply@example.com>. It must be written with smtp."
        ),
        .value(
            "replyTo",
            \.replyTo,
            as: SettingRule<MailAddress>.mailAddress.optional,
            help: "The address that answers go to, by default from.",
            example: "help@example.com"
        ),
        .value(
            "outbox",
            \.outbox,
            as: .path,
            help: "The folder of .eml files that mail is written to without smtp."
        ),
        .optionalGroup(
            "smtp",
            \.smtp,
            keys: smtp,
            blank: SMTPConfiguration(
                host: "",
                port: 0,
                security: .starttls,
                credentials: nil,
                caFile: nil,
                connectTimeout: .seconds(10),
                timeout: .seconds(30),
                sender: MailSettings.nobody
            ),
            help: "The mail server that takes the mail."
        ),
        .value(
            "maxQueued",
            \.maxQueued,
            as: .integer(1...1_000_000),
            help: "Mails that may wait to be delivered at one time."
        ),
    ]) { mail in
        mail.smtp?.sender = mail.from
    }

    static let smtp = SettingSection<SMTPConfiguration>([
        .value(
            "host",
            \.host,
            as: .otherHost,
            help: "Its name, which its certificate has to have.",
            required: true,
            example: "smtp.example.com"
        ),
        .value(
            "port",
            \.port,
            as: .integer(0...65_535),
            help: "Its port. With 0 it is 587 for starttls and 465 for implicit."
        ),
        .value(
            "tls",
            \.security,
            as: .choice,
            help:
                "How the connection is encrypted: from the first byte, or by the command STARTTLS, without which nothing is sent."
        ),
        .value(
            "username",
            \.username,
            as: SettingRule<String>.text.optional,
            help: "The user to sign in as, by default none.",
            example: "vestibule"
        ),
        .value(
            "password",
            \.password,
            as: SettingRule<Secret>.secret.optional,
            help: "The password of username.",
            example: "env:SMTP_PASSWORD"
        ),
        .value(
            "caFile",
            \.caFile,
            as: SettingRule<String>.path.optional,
            help: "The certificates (PEM) that are trusted instead of this machine's.",
            example: "tls/mail-ca.pem"
        ),
        .value(
            "connectTimeout",
            \.connectTimeout,
            as: .duration(.milliseconds(100)...(.seconds(60))),
            help: "How long it may take to connect."
        ),
        .value(
            "timeout",
            \.timeout,
            as: .duration(.seconds(1)...(.seconds(300))),
            help: "How long one delivery may take as a whole."
        ),
    ])
}

extension SettingRule where Value == MailAddress {
    /// An address that mail can be sent from, with an optional name.
    static var mailAddress: Self {
        parsing(
            { MailAddress(parsing: $0) },
            expected: "an address, like Example <no-reply@example.com>",
            otherwise: "is not an address, like no-reply@example.com or Example <no-reply@example.com>",
            text: \.text
        )
    }
}

extension MailAddress {
    /// The text as the config writes it.
    var text: String { name.map { "\($0) <\(address)>" } ?? address }
}

extension SMTPConfiguration {
    /// The two keys of the credentials, of which the checks require both or none.
    fileprivate var username: String? {
        get { credentials?.user }
        set {
            guard let newValue else { return }
            credentials = Credentials(user: newValue, password: credentials?.password ?? Secret(""))
        }
    }

    fileprivate var password: Secret? {
        get { credentials?.password }
        set {
            guard let newValue else { return }
            credentials = Credentials(user: credentials?.user ?? "", password: newValue)
        }
    }
}
