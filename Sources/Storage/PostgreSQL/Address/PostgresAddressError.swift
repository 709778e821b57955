/// The reason why a connection string is refused, with the remedy.
package enum PostgresAddressError: Error, Equatable, Sendable {
    /// It begins with neither `postgres://` nor `postgresql://`.
    case scheme
    case password
    case noDatabase
    case noHost
    /// A port that is no number from 1 to 65535, or a list of them for other hosts.
    ///
    /// Its text is not kept: a password of which a part was written as it is may end there.
    case port
    /// A parameter that the program sets itself, that no connection of it can have, or that is given twice.
    ///
    /// `nil` for a text that is no name, which may be a part of a password.
    case parameter(String?)
    case value(parameter: String, allowed: [String])
    /// A path that depends on the folder in which the program is started.
    case relativePath(parameter: String)
    /// A zero byte or another control character.
    case controlCharacter

    /// The message, which names no part of the connection string that could be secret.
    package var message: String {
        switch self {
        case .scheme:
            "The connection string must begin with postgres:// or postgresql://, as in "
                + "postgres://vestibule@db.example.com/vestibule."
        case .password:
            "The connection string holds a password, which would be printed with the settings. Remove it there, and "
                + "set storage.postgres.password from the environment or a file. An @ in another part is written as %40."
        case .noDatabase:
            "The connection string names no database. Add it after the host, as in "
                + "postgres://vestibule@db.example.com/vestibule."
        case .noHost:
            "The connection string names no host. Add one, or host=/run/postgresql after a question mark for the "
                + "server's Unix socket."
        case .port:
            "The connection string has a port that is not a number from 1 to 65535, or not one port for each host. "
                + "Correct what follows the host's colon, or the parameter port."
        case .parameter(let name):
            "\(name.map { "The parameter \($0)" } ?? "A parameter") is not known in this connection string, or given "
                + "twice. Remove it. Known are \(PostgresAddress.known.joined(separator: ", "))."
        case .value(let parameter, let allowed):
            "The parameter \(parameter) in the connection string must be one of \(allowed.joined(separator: ", "))."
        case .relativePath(let parameter):
            "The parameter \(parameter) in the connection string must be an absolute path, which begins with a slash."
        case .controlCharacter:
            "The connection string holds a control character. Write it again without line ends and other invisible "
                + "characters."
        }
    }
}
