/// The address at which `/metrics` is served.
package struct MetricsSettings: Sendable, Equatable {
    package var enabled = false
    /// An address or a host name, without brackets.
    package var host = "127.0.0.1"
    /// 0: the system picks a free port.
    package var port = 9464
}

extension SettingsSchema {
    static let metrics = SettingSection<MetricsSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether metrics are collected and served at /metrics."),
        .value(
            "host",
            \.host,
            as: .host,
            help: "The address. It serves plain HTTP without a login, so keep it on loopback."
        ),
        .value("port", \.port, as: .integer(0...65_535), help: "The TCP port. With 0 the system picks a free one."),
    ])
}
