import Kernel

/// The answers that `vestibule init` needs.
struct SetupAnswers: Equatable, Sendable {
    /// An absolute path, like all paths here.
    var configFile: String
    var dataFolder: String
    /// `nil`: the SQLite file in the data folder.
    var database: Database?
    var publicURL: String
    var port: Int
    var transport: Transport
    /// `nil`: mail is written to files.
    var mail: Mail?
    var provider: Provider

    /// Where TLS ends.
    enum Transport: Equatable, Sendable {
        /// A proxy that connects from these addresses.
        case proxies([String])
        case certificate(file: String, key: String)
    }

    /// A PostgreSQL database.
    struct Database: Equatable, Sendable {
        var url: String
        var password: SecretSource?
    }

    struct Mail: Equatable, Sendable {
        var server: String
        var from: String
        var user: String?
        var password: SecretSource?
    }

    enum Provider: Equatable, Sendable {
        case authID(keyID: SecretSource, keyValue: SecretSource)
        /// A provider of this name, described in a file of its own.
        case file(name: String, path: String)

        var name: String {
            switch self {
            case .authID: "authid"
            case .file(let name, _): name
            }
        }
    }
}

/// The origin of a secret, which the config never contains itself.
enum SecretSource: Equatable, Sendable {
    /// An existing file of the operator's, which stays in place.
    case file(String)
    /// A secret that a person typed. It is written to a new file.
    case typed(Secret)
}
