import Kernel

/// What `vestibule init` needs to know of an installation.
struct SetupAnswers: Equatable, Sendable {
    /// Absolute, as all paths here are.
    var configFile: String
    var dataFolder: String
    var publicURL: String
    var port: Int
    var transport: Transport
    /// `nil` writes mail to files.
    var mail: Mail?
    var provider: Provider

    /// The end of TLS.
    enum Transport: Equatable, Sendable {
        /// A proxy that connects from these addresses.
        case proxies([String])
        case certificate(file: String, key: String)
    }

    struct Mail: Equatable, Sendable {
        var server: String
        var from: String
        var user: String?
        var password: SecretSource?
    }

    enum Provider: Equatable, Sendable {
        case authID(keyID: SecretSource, keyValue: SecretSource)
        /// The provider of that name, as a file of its own describes it.
        case file(name: String, path: String)

        var name: String {
            switch self {
            case .authID: "authid"
            case .file(let name, _): name
            }
        }
    }
}

/// The origin of a secret, which never stands in the config.
enum SecretSource: Equatable, Sendable {
    /// A file of the operator's, which stays where it is.
    case file(String)
    /// Typed by a person; it gets a file of its own.
    case typed(Secret)
}
