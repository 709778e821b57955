/// The files of the certificate chain and the private key, both in PEM.
package struct TLSSettings: Sendable, Equatable {
    package var certificate = ""
    package var key = ""
}

extension SettingsSchema {
    static let tls = SettingSection<TLSSettings>([
        .value(
            "certificate",
            \.certificate,
            as: .path,
            help: "The certificate chain, PEM.",
            required: true,
            example: "tls/certificate.pem"
        ),
        .value("key", \.key, as: .path, help: "The private key, PEM.", required: true, example: "tls/key.pem"),
    ])
}
