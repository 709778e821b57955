import ArgumentParser
import Foundation
import Kernel
import VestibuleClient

/// `vestibule login`: a login with the SDK, as an app would do it.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in with a face scan, and show the claims of the tokens.",
        discussion: """
            Starts a login at the server, shows the link of the scan, waits for the verdict and prints the claims of \
            the tokens. The tokens, the address and the device's cookie are kept in a file for this user alone, so \
            that the next login needs no --email.

            --scripted presses the landing page's button itself instead of a person: for demos and tests with a mock \
            provider that decides on its own.

            Exit codes: 0 signed in, 1 not signed in (with the reason), 64 wrong usage, 69 the server cannot be reached.

            EXAMPLES
              vestibule login --email person@example.com
              vestibule login
              vestibule login --email person@example.com \\
                --server https://login.example.com --json
              vestibule login --email accept+3s@example.com --scripted
            """
    )

    @Option(help: "The person to sign in. Default: the last person who signed in.") var email: String?
    @Option(help: ArgumentHelp("The server's address.", valueName: "url")) var server = "http://localhost:8080"
    @Option(help: ArgumentHelp("The client to sign in to. Default: the server's default client.", valueName: "id"))
    var client: String?
    @Option(
        help: ArgumentHelp(
            "The file that tokens are kept in.",
            discussion: "Default: ~/.vestibule/login.json",
            valueName: "file"
        )
    )
    var store: String?
    @Flag(help: "Press the landing page's button without a browser.") var scripted = false
    @Flag(help: "Print JSON, with the tokens, and no progress.") var json = false

    func run() async throws {
        try await ExitError.guarding {
            guard let url = URL(string: server) else { throw Self.wrongServer(server) }
            let tokens = FileTokenStore(file: try Self.storeFile(store))
            do throws(FaceLoginError) {
                let login = try FaceLogin(server: url, store: tokens, options: .init(clientID: client))
                let report = LoginReport(isQuiet: json, isScripted: scripted)
                let open: FaceLogin.OpenPage = { [scripted] page in scripted ? await ScriptedScan.open(page) : true }
                let signedIn = try await login.signIn(email: email, open: open) { report.show($0) }
                LoginReport.finish(signedIn, json: json)
            } catch {
                throw Self.exit(for: error, server)
            }
        }
    }

    private static func storeFile(_ given: String?) throws -> URL {
        if let given { return URL(filePath: given) }
        let folder = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".vestibule")
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw ExitError.storage("\(folder.path()) cannot be created: \(error.localizedDescription)") }
        return folder.appending(path: "login.json")
    }

    private static func exit(for error: FaceLoginError, _ server: String) -> ExitError {
        let message = [error.errorDescription, error.recoverySuggestion].compactMap(\.self).joined(separator: " ")
        switch error {
        case .networkError:
            return .unavailable("\(message) Is the server running at \(server)?")
        // The SDK's messages are for apps. A person gives options instead.
        case .userNotFound:
            return .usage("Name the person with --email ADDRESS, because this file of tokens has no sign-in yet.")
        case .invalidURL(.server): return wrongServer(server)
        case .storeFailed(let cause): return .storage("\(message) (\(cause))")
        case .authenticationFailed, .invalidURL, .cannotOpenPage, .expired, .cancelled,
            .alreadyCollected, .serverRefused, .deviceProofFailed:
            return .refused(message)
        }
    }

    private static func wrongServer(_ server: String) -> ExitError {
        .usage(
            "--server \(server) is not valid. Write the server's address as https://…, or http://… only on this machine, "
                + "without a user, query or fragment."
        )
    }
}
