import ArgumentParser
import FoundationEssentials
import Kernel
import Settings

/// The answers that were given to `vestibule init` on the command line.
struct SetupOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address that browsers and apps see.", valueName: "url")) var publicURL: String?
    @Option(
        help: ArgumentHelp(
            "The config to write. Secrets go into the folder secrets beside it.",
            discussion: "Default: /etc/vestibule/vestibule.yaml.",
            valueName: "file"
        )
    )
    var config: String?
    @Option(
        help: ArgumentHelp(
            "The folder of the database, keys and sockets.",
            discussion: "Default: /var/lib/vestibule.",
            valueName: "folder"
        )
    )
    var data: String?
    @Option(
        help: ArgumentHelp(
            "The connection string of a PostgreSQL database, without a password.",
            discussion: "Default: a SQLite file in the data folder.",
            valueName: "url"
        )
    )
    var databaseURL: String?
    @Option(help: ArgumentHelp("The file of the password for --database-url.", valueName: "file"))
    var databasePasswordFile: String?
    @Option(
        help: ArgumentHelp(
            "The port to listen at: 8080 behind a proxy, 8443 with --tls-certificate.",
            valueName: "port"
        )
    )
    var port: Int?
    @Option(
        help: ArgumentHelp(
            "The address that the proxy that ends TLS connects from. Can be given several times.",
            discussion: "Default: one on this machine.",
            valueName: "address"
        )
    )
    var proxy: [String] = []
    @Option(help: ArgumentHelp("The certificate chain (PEM), where no proxy ends TLS.", valueName: "file"))
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("Its private key (PEM).", valueName: "file")) var tlsKey: String?
    @Option(help: ArgumentHelp("The mail server.", valueName: "host")) var mailServer: String?
    @Option(help: ArgumentHelp("The sender of mail.", valueName: "address")) var mailFrom: String?
    @Option(help: ArgumentHelp("The user to sign in to it as.", valueName: "name")) var mailUser: String?
    @Option(help: ArgumentHelp("The file of that user's password.", valueName: "file")) var mailPasswordFile: String?
    @Flag(help: "Write mail to files, until a server is named.") var noMail = false
    @Option(
        help: ArgumentHelp(
            "The face provider: authid, or the file that describes another.",
            discussion: "Default: authid.",
            valueName: "name or file"
        )
    )
    var provider: String?
    @Option(help: ArgumentHelp("authid: the file of the API key's id.", valueName: "file")) var providerIDFile: String?
    @Option(help: ArgumentHelp("authid: the file of the API key.", valueName: "file")) var providerKeyFile: String?

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key need each other. Give both or neither.")
        }
        guard proxy.isEmpty || tlsCertificate == nil else {
            throw ValidationError("--proxy is for a proxy that ends TLS. Remove it or --tls-certificate.")
        }
        guard !noMail || [mailServer, mailFrom, mailUser, mailPasswordFile].allSatisfy({ $0 == nil }) else {
            throw ValidationError("--no-mail cannot be used with the other options for mail.")
        }
        guard mailPasswordFile == nil || mailUser != nil else {
            throw ValidationError("--mail-password-file needs --mail-user. Give both.")
        }
        guard databasePasswordFile == nil || databaseURL != nil else {
            throw ValidationError("--database-password-file needs --database-url. Give both.")
        }
        guard isAuthID || (providerIDFile == nil && providerKeyFile == nil) else {
            throw ValidationError(
                "--provider-id-file and --provider-key-file are only for authid. Name other providers' keys in their file."
            )
        }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port takes 1 to 65535.") }
    }

    private var isAuthID: Bool { provider == nil || provider == "authid" }

    /// The required options that were not given and have no default.
    var missing: [String] {
        var missing = publicURL == nil ? ["--public-url"] : []
        if !noMail {
            if mailServer == nil { missing.append("--mail-server (or --no-mail)") }
            if mailFrom == nil { missing.append("--mail-from") }
            if mailUser != nil, mailPasswordFile == nil { missing.append("--mail-password-file") }
        }
        if isAuthID {
            if providerIDFile == nil { missing.append("--provider-id-file") }
            if providerKeyFile == nil { missing.append("--provider-key-file") }
        }
        return missing
    }

    /// Returns the answers if no option is ``missing``.
    func answers(workingFolder: String) throws -> SetupAnswers {
        guard missing.isEmpty else {
            throw ExitError.usage(
                "These options are missing: \(missing.joined(separator: ", ")). Give them, or run this in a terminal, "
                    + "without --yes, to be asked."
            )
        }
        return try answers(workingFolder: workingFolder, asking: Terminal(line: { _ in "" }, secret: { _ in nil }))
    }

    /// Returns the answers, after asking for those that were not given.
    func answers(workingFolder: String, asking terminal: Terminal) throws -> SetupAnswers {
        let questions = Questions(terminal: terminal)
        let absolute = { (path: String) in SettingsFiles.resolve(path, against: workingFolder) }
        let url = try questions.answer(publicURL, "Public URL, like https://login.example.com:")
        let config = try questions.answer(config, "Config to write", default: "/etc/vestibule/vestibule.yaml")
        let data = try questions.answer(data, "Data folder", default: "/var/lib/vestibule")
        let transport: SetupAnswers.Transport =
            if let tlsCertificate, let tlsKey {
                .certificate(file: absolute(tlsCertificate), key: absolute(tlsKey))
            } else {
                .proxies(proxy.isEmpty ? try proxies(questions) : proxy)
            }
        let isDirect = if case .certificate = transport { true } else { false }
        return SetupAnswers(
            configFile: absolute(config),
            dataFolder: absolute(data),
            database: databaseURL.map { url in
                SetupAnswers.Database(url: url, password: databasePasswordFile.map { .file(absolute($0)) })
            },
            publicURL: url,
            port: port ?? (isDirect ? 8443 : 8080),
            transport: transport,
            mail: noMail ? nil : try mail(questions, absolute),
            provider: try provider(questions, absolute)
        )
    }

    private func proxies(_ questions: Questions) throws -> [String] {
        let text = try questions.answer(nil, "Address of the proxy that ends TLS", default: "127.0.0.1 ::1")
        return text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    }

    private func mail(_ questions: Questions, _ absolute: (String) -> String) throws -> SetupAnswers.Mail? {
        let server = try questions.answer(mailServer, "Mail server (empty for none yet):", default: "", isShown: false)
        guard !server.isEmpty else { return nil }
        let from = try questions.answer(mailFrom, "Mail comes from, like Example <no-reply@example.com>:")
        let user =
            try mailFrom != nil && mailUser == nil
            ? "" : questions.answer(mailUser, "User at the mail server (empty for none):", default: "", isShown: false)
        guard !user.isEmpty else { return SetupAnswers.Mail(server: server, from: from) }
        let password = try questions.secret(mailPasswordFile.map(absolute), "Password of \(user):")
        return SetupAnswers.Mail(server: server, from: from, user: user, password: password)
    }

    private func provider(_ questions: Questions, _ absolute: (String) -> String) throws -> SetupAnswers.Provider {
        let chosen = try questions.answer(provider, "Face provider: authid, or the file of another", default: "authid")
        guard chosen == "authid" else {
            let path = absolute(chosen)
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            return .file(name: name, path: path)
        }
        return .authID(
            keyID: try questions.secret(providerIDFile.map(absolute), "Id of authID's API key:"),
            keyValue: try questions.secret(providerKeyFile.map(absolute), "authID's API key:")
        )
    }
}

/// Asks for answers that were not given.
struct Questions {
    let terminal: Terminal

    /// Returns the given answer, or otherwise what is typed.
    ///
    /// An empty line takes the default.
    ///
    /// - Throws: ``ExitError`` at the end of the input, or for an empty answer without a default.
    func answer(_ given: String?, _ question: String, default: String? = nil, isShown: Bool = true) throws -> String {
        if let given { return given }
        let prompt = isShown ? `default`.map { "\(question) [\($0)]:" } ?? question : question
        guard let line = terminal.line(prompt) else { throw Self.interrupted }
        let text = line.trimming { $0 == " " || $0 == "\t" }
        if !text.isEmpty { return String(text) }
        guard let `default` else { throw ExitError.usage("An answer is needed: \(question)") }
        return `default`
    }

    /// Returns the given file, or otherwise the secret that is typed without echo.
    func secret(_ file: String?, _ question: String) throws -> SecretSource {
        if let file { return .file(file) }
        guard let text = terminal.secret(question) else { throw Self.interrupted }
        guard !text.isEmpty else { throw ExitError.usage("An answer is needed: \(question)") }
        return .typed(Secret(text))
    }

    private static var interrupted: ExitError {
        .usage("The questions were interrupted, and nothing was written. Run the command again.")
    }
}
