import Foundation
import Testing

extension EndToEnd {
    /// The pages in a real browser, Debian's Chromium, whose virtual authenticators make passkeys and sign in with them.
    ///
    /// `scripts/browser` drives it; each case has a daemon and a profile of its own. Where `VESTIBULE_SCREENSHOTS` names a
    /// folder, the cases about looks write pictures there.
    struct Browsers {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        static let python = root + "/.build/browser/bin/python"
        static let driver = root + "/scripts/browser/drive.py"
        /// Whether `scripts/browser.sh` came to its end with these versions: an interpreter alone may lack Selenium.
        static let isInstalled =
            FileManager.default.contentsEqual(
                atPath: root + "/scripts/browser.txt",
                andPath: root + "/.build/browser/installed.txt"
            ) && ["chromium", "chromedriver"].allSatisfy(Programs.isInstalled)
        /// Where all has to be shown, as in CI, nothing is skipped for want of a browser.
        static let isRequired = ProcessInfo.processInfo.environment["VESTIBULE_FOREIGN_REQUIRED"] == "1"
        static let missing: Comment = """
            Chromium, its driver or .build/browser is missing, so that no browser drives the pages; scripts/browser.sh \
            makes them ready, or says what to install
            """

        /// The scenario, by the program's name for it.
        enum Case: String, CaseIterable, CustomTestStringConvertible {
            case create, button, discoverable, autofill, removal, cancel, taken, leftovers, looks, languages, face
            case confirm, console, account
            case accountCentre = "account_centre"
            case accountAgain = "account_again"
            case accountChanges = "account_changes"
            case accountEnds = "account_ends"
            case approvalPage = "approval_page"
            /// Played with a bank.
            case bankQuestion = "bank_question"
            case everySetting = "every_setting"
            case secondDevice = "second_device"
            case byKeyboard = "by_keyboard"
            case wrongRelyingParty = "wrong_relying_party"
            case clonedCounter = "cloned_counter"
            case unverifiedUser = "unverified_user"
            case faceLooks = "face_looks"
            case smallLooks = "small_looks"
            case mailCode = "mail_code"
            case scanPage = "scan_page"
            case oauthPasskey = "oauth_passkey"
            case oauthFace = "oauth_face"
            case oauthPhone = "oauth_phone"
            case oauthMail = "oauth_mail"
            case oauthConsent = "oauth_consent"
            case oauthCancel = "oauth_cancel"
            case oauthRefused = "oauth_refused"
            case oauthPost = "oauth_post"
            case oauthPlain = "oauth_plain"
            case plainHTTP = "plain_http"
            case mailPages = "mail_pages"
            case devicePages = "device_pages"
            case endPages = "end_pages"
            case mockPages = "mock_pages"
            case oneLogin = "one_login"
            case walkMailbox = "walk_mailbox"
            case walkLostPhone = "walk_lost_phone"
            case walkNotMe = "walk_not_me"
            case walkNewLaptop = "walk_new_laptop"
            case walkProviderDown = "walk_provider_down"

            var testDescription: String { rawValue }

            /// Further settings of this case's daemon.
            var settings: [String] {
                switch self {
                case .confirm: ["faceLogin.landing=confirm", "clients.bbms.confirmWith=passkey-if-any"]
                case .oauthPasskey, .oauthFace, .oauthPhone, .oauthMail, .oauthConsent, .oauthCancel, .oauthPlain,
                    .oauthRefused, .oauthPost, .devicePages:
                    Self.ownClient
                default: []
                }
            }

            /// An OAuth client of the config, whose port is its own to choose (RFC 8252 §7.3).
            private static let ownClient = [
                "clients.web.name=Our App", "clients.web.audience=web", "clients.web.oauth.authentication=none",
                "clients.web.oauth.redirectURIs=http://127.0.0.1/callback",
                "clients.web.oauth.grants=authorization_code,refresh_token,device_code",
                "clients.web.oauth.scopes=openid,profile,email,offline_access",
            ]
        }

        private struct RunRequest: Encodable {
            let site: String
            let address: String
            let provider: String
            let folder: String
            let face: String
            let slowFace: String
            let refusedFace: String
            /// An address whose account has no face.
            let mailbox = "mailbox@example.com"
            let outbox: String
            let shots: String
            let program: String
            let data: String
            /// The page that the case is about, if it needs one.
            var link = ""
            let ownClient = "web"
            let ownName = "Our App"
            let otherClient = "their-app"
        }

        private struct Row: Decodable {
            let fact: String
        }

        @Test(
            .enabled(if: isInstalled || isRequired, missing),
            arguments: Case.allCases.filter { $0 != .bankQuestion }
        )
        func `the pages work in Chromium, without a message on its console or a request to others`(
            _ played: Case
        ) async throws {
            try #require(Self.isInstalled, Self.missing)
            let settings = ["passkeys.listUsers=true"] + played.settings
            try await Fixture.run(settings, people: Self.people, within: .seconds(240)) { fixture in
                if [.oauthConsent, .accountEnds].contains(played) { try await Self.addClient(fixture) }
                _ = try await fixture.daemon.order(
                    ["accounts", "add", "--email", "mailbox@example.com", "--name", "Mailbox"]
                )
                try await Self.play(played, try Self.order(fixture))
                guard played == .clonedCounter else { return }
                let rows = try await fixture.daemon.order(["audit", "list", "--json"]).json([Row].self)
                #expect(rows.filter { $0.fact == "passkey.clone-suspected" }.count == 1)
            }
        }

        @Test(.enabled(if: isInstalled || isRequired, missing))
        func `a bank's question works in Chromium`() async throws {
            try #require(Self.isInstalled, Self.missing)
            try await WalletScene.run(["wallet.confirmEnrollment=true"]) { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                var order = try Self.order(scene.fixture)
                order.link = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                try await Self.play(.bankQuestion, order)
            }
        }

        @Test(.enabled(if: isInstalled || isRequired, missing))
        func `the browser driver's cases and this suite's list are the same`() async throws {
            try #require(Self.isInstalled, Self.missing)
            let run = try await CommandRun.run("env", [Self.python, Self.driver, "--list"], within: .seconds(60))
            #expect(run.code == 0, "\(run)")
            let names = run.output.split(separator: "\n").map(String.init)
            // The example has a server of its own (DocExampleTests).
            #expect(Set(names) == Set(Case.allCases.map(\.rawValue) + ["example"]))
        }

        /// Somebody else's client, added while the daemon runs: its people are asked.
        private static func addClient(_ fixture: Fixture) async throws {
            let address = ["--redirect-uri", "http://127.0.0.1/callback"]
            _ = try await fixture.daemon.order(
                ["clients", "add", "--id", "their-app", "--name", "Their App"] + address
            )
        }

        /// Whose scans the provider accepts, waits with, and refuses.
        private static let people = ["accept+2s@example.com", "ada@example.com", "reject_match+1s@example.com"]

        private static func order(_ fixture: Fixture) throws -> RunRequest {
            RunRequest(
                site: "http://localhost:\(fixture.daemon.port)",
                address: fixture.daemon.url,
                provider: fixture.mock.url,
                folder: fixture.folder.path,
                face: people[0],
                slowFace: people[1],
                refusedFace: people[2],
                outbox: Outbox(fixture.daemon).folder,
                shots: ProcessInfo.processInfo.environment["VESTIBULE_SCREENSHOTS"] ?? "",
                program: try Programs.folder.get() + "/" + Programs.daemon,
                data: fixture.daemon.dataFolder
            )
        }

        private static func play(_ played: Case, _ order: RunRequest) async throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let input = String(decoding: try encoder.encode(order), as: UTF8.self)
            let run = try await CommandRun.run(
                "env",
                [python, driver, played.rawValue],
                input: input,
                // The browser keeps more there than its profile.
                environment: ["HOME": order.folder, "PYTHONDONTWRITEBYTECODE": "1"],
                within: .seconds(200)
            )
            #expect(run.code == 0, "\(run.error)")
            // What a walk took.
            if played.rawValue.hasPrefix("walk") { print(run.output, terminator: "") }
        }
    }
}
