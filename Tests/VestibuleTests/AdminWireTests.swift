import ArgumentParser
import Foundation
import Testing

@testable import Admin

/// The admin socket's messages, which an older program on the other side reads too.
struct AdminWireTests {
    private static let account = AddAccount.Details(email: "a@b.c", name: "A", attributes: ["role=admin"])

    private static let accountJSON = #"{"attributes":["role=admin"],"email":"a@b.c","name":"A"}"#

    private static let client = #"""
        {"authentication":"none","grants":[],"idTokenClaims":[],"postLogoutRedirectURIs":[],"redirectURIs":[],\#
        "requiresDPoP":false,"requiresPushedRequests":false,"resources":[]}
        """#

    private static let requests: [(any AdminCommand, String)] = [
        (AddAccount(details: account), #"{"addAccount":{"_0":\#(accountJSON)}}"#),
        (
            ImportAccounts(lines: [.init(number: 2, account: account)]),
            #"{"importAccounts":{"_0":[{"number":2,"order":\#(accountJSON)}]}}"#
        ),
        (ListAccounts(limit: 5), #"{"listAccounts":{"limit":5}}"#),
        (ShowAccount(name: "a"), #"{"showAccount":{"name":"a"}}"#),
        (DisableAccount(name: "a"), #"{"disableAccount":{"name":"a"}}"#),
        (EnableAccount(name: "a"), #"{"enableAccount":{"name":"a"}}"#),
        (
            ChangeAccount(name: "a", changes: .init(email: "a@b.c")),
            #"{"changeAccount":{"_1":{"attributes":[],"email":"a@b.c"},"name":"a"}}"#
        ),
        (EnrollAccount(name: "a", provider: "mock"), #"{"enrollAccount":{"name":"a","provider":"mock"}}"#),
        (
            ListOperations(account: "a", states: ["pending"], limit: 5),
            #"{"listOperations":{"account":"a","limit":5,"states":["pending"]}}"#
        ),
        (ShowOperation(row: "r"), #"{"showOperation":{"row":"r"}}"#),
        (ListOperationEvents(row: "r"), #"{"listOperationEvents":{"row":"r"}}"#),
        (ListExchanges(row: "r"), #"{"listExchanges":{"row":"r"}}"#),
        (CancelOperation(row: "r"), #"{"cancelOperation":{"row":"r"}}"#),
        (ListDevices(account: "a"), #"{"listDevices":{"account":"a"}}"#),
        (RevokeDevice(id: "d"), #"{"revokeDevice":{"id":"d"}}"#),
        (ListPasskeys(account: "a"), #"{"listPasskeys":{"account":"a"}}"#),
        (RemovePasskey(id: "p"), #"{"removePasskey":{"id":"p"}}"#),
        (ListConsents(account: "a"), #"{"listConsents":{"account":"a"}}"#),
        (WithdrawConsent(client: "c", account: "a"), #"{"withdrawConsent":{"account":"a","client":"c"}}"#),
        (ListProviders(), #"{"listProviders":{}}"#),
        (PingProvider(provider: "p"), #"{"pingProvider":{"provider":"p"}}"#),
        (PauseProvider(provider: "p", seconds: 5), #"{"pauseProvider":{"provider":"p","seconds":5}}"#),
        (PreviewPause(provider: "p"), #"{"previewPause":{"provider":"p"}}"#),
        (ResumeProvider(provider: "p"), #"{"resumeProvider":{"provider":"p"}}"#),
        (ShowStatus(), #"{"showStatus":{}}"#),
        (ListSettings(), #"{"listSettings":{}}"#),
        (ListSessions(account: "a", limit: 5), #"{"listSessions":{"account":"a","limit":5}}"#),
        (RevokeSession(id: "s"), #"{"revokeSession":{"id":"s"}}"#),
        (RevokeSessions(account: "a"), #"{"revokeSessions":{"account":"a"}}"#),
        (
            PreviewRemedy(.disableAccount, of: "a"),
            #"{"previewRemedy":{"kind":"disableAccount","subject":"a"}}"#
        ),
        (ListKeys(), #"{"listKeys":{}}"#),
        (RotateKeys(unannounced: true), #"{"rotateKeys":{"unannounced":true}}"#),
        (RetireKey(kid: "k"), #"{"retireKey":{"kid":"k"}}"#),
        (VerifyAudit(checkpoints: nil), #"{"verifyAudit":{}}"#),
        (ListAudit(limit: 5), #"{"listAudit":{"limit":5}}"#),
        (CheckpointAudit(isAnew: false), #"{"checkpointAudit":{"isAnew":false}}"#),
        (ShowAuditKey(), #"{"auditKey":{}}"#),
        (ListMail(states: [], limit: 5), #"{"listMail":{"limit":5,"states":[]}}"#),
        (FlushMail(), #"{"flushMail":{}}"#),
        (TestMail(to: "a@b.c", language: "fr"), #"{"testMail":{"language":"fr","to":"a@b.c"}}"#),
        (ListNotices(limit: 5), #"{"listNotices":{"limit":5}}"#),
        (FlushNotices(), #"{"flushNotices":{}}"#),
        (ListNodes(), #"{"listNodes":{}}"#),
        (
            DrainNode(node: "node-1", isUndone: false, isLastAllowed: true),
            #"{"drainNode":{"isLastAllowed":true,"isUndone":false,"node":"node-1"}}"#
        ),
        (AddClient(metadata: .init()), #"{"addClient":{"_0":\#(client)}}"#),
        (ListClients(), #"{"listClients":{}}"#),
        (ShowClient(id: "c"), #"{"showClient":{"id":"c"}}"#),
        (RotateClientSecret(id: "c", overlapSeconds: 5), #"{"rotateClientSecret":{"id":"c","overlapSeconds":5}}"#),
        (DisableClient(id: "c"), #"{"disableClient":{"id":"c"}}"#),
        (EnableClient(id: "c"), #"{"enableClient":{"id":"c"}}"#),
        (
            SetClient(id: "c", change: SetClient.Change()),
            #"{"setClient":{"change":{"demands":{},"logout":{},"uris":{}},"id":"c"}}"#
        ),
        (RemoveClient(id: "c"), #"{"removeClient":{"id":"c"}}"#),
        (EndClientSessions(id: "c"), #"{"signOutClient":{"id":"c"}}"#),
        (OpenClientRegistration(uses: 1, seconds: 5), #"{"openClientRegistration":{"seconds":5,"uses":1}}"#),
    ]

    @Test func `every command has its message, which is read as the same command`() throws {
        for (command, message) in Self.requests {
            #expect(try Self.message(command) == message)
            let read = try JSONDecoder().decode(AdminCall.self, from: Data(message.utf8)).command
            #expect(try Self.message(read) == message)
            #expect(type(of: read) == type(of: command))
        }
        #expect(Self.requests.map { type(of: $0.0).name }.sorted() == AdminTable.all.map { $0.name }.sorted())
    }

    @Test func `each command that changes one thing names it for the audit, unless that is a person`() {
        let writing = Self.requests.map { $0.0 }.filter { type(of: $0).effect == .writes }
        // The rows of people have the account, and an address is in no row. The others are about all of a kind, or make
        // something; a new client is named once it has an id.
        let unnamed: Set = [
            "addAccount", "importAccounts", "disableAccount", "enableAccount", "changeAccount", "enrollAccount",
            "revokeSessions", "rotateKeys", "checkpointAudit", "flushMail", "testMail", "flushNotices", "addClient",
            "openClientRegistration",
        ]
        #expect(Set(writing.filter { $0.target == nil }.map { type(of: $0).name }) == unnamed)
        // Its own row would be one more to sign.
        #expect(writing.filter { !$0.isRecorded }.map { type(of: $0).name } == ["checkpointAudit"])
    }

    @Test func `what is new in a list is left out of the message of an older program`() throws {
        let accounts = ListAccounts(search: "a", after: "b", limit: 5)
        #expect(try Self.message(accounts) == #"{"listAccounts":{"after":"b","limit":5,"search":"a"}}"#)
        let audit = ListAudit(limit: 5, event: "operator.", subject: "s", account: "a", until: 7)
        let members = #""account":"a","event":"operator.","limit":5,"subject":"s","until":7"#
        #expect(try Self.message(audit) == #"{"listAudit":{\#(members)}}"#)
    }

    @Test func `each option of clients add is a member of its message`() throws {
        let words = """
            --id app --name App --redirect-uri a:b --post-logout-redirect-uri a:c --grant ciba --auth private-key-jwt \
            --keys k.json --scope openid --resource r --require-pushed-requests --require-dpop --requires face \
            --way face --delivery ping --notification-endpoint n --id-token-alg RS256 --id-token-claim name \
            --backchannel-logout-uri l --backchannel-logout-session-required
            """
        let input = CommandInput(text: { "text of \($0)" }, duration: { _ in nil })
        let arguments = try AddClient.Arguments.parse(words.split(separator: " ").map(String.init))
        let members = #"""
            {"authentication":"private-key-jwt","delivery":"ping","grants":["ciba"],"id":"app",\#
            "idTokenAlgorithm":"RS256","idTokenClaims":["name"],"keys":"text of k.json","logoutURI":"l","name":"App",\#
            "notificationEndpoint":"n","postLogoutRedirectURIs":["a:c"],"redirectURIs":["a:b"],"requires":"face",\#
            "requiresDPoP":true,"requiresLogoutSession":true,"requiresPushedRequests":true,"resources":["r"],\#
            "scopes":["openid"],"ways":["face"]}
            """#
        #expect(try Self.message(try arguments.command(input)) == #"{"addClient":{"_0":\#(members)}}"#)
    }

    @Test func `each option of clients set is a member of its message, and what is not given is none`() throws {
        let words = """
            app --name App --redirect-uri a:b --post-logout-redirect-uri none --grant ciba --scope openid --resource r \
            --require-pushed-requests --no-require-dpop --requires face --way face --backchannel-logout-uri l \
            --no-backchannel-logout-session-required
            """
        let input = CommandInput(text: { "text of \($0)" }, duration: { _ in nil })
        let arguments = try SetClient.Arguments.parse(words.split(separator: " ").map(String.init))
        let change = #"""
            {"demands":{"dpop":false,"proof":"face","pushedRequests":true,"ways":["face"]},"grants":["ciba"],\#
            "logout":{"isSessionRequired":false,"uri":"l"},"name":"App","resources":["r"],"scopes":["openid"],\#
            "uris":{"postLogout":[],"redirect":["a:b"]}}
            """#
        #expect(
            try Self.message(arguments.command(input)) == #"{"setClient":{"change":\#(change),"id":"app"}}"#
        )
    }

    @Test func `clients remove asks for a yes`() throws {
        let input = CommandInput(text: { $0 }, duration: { _ in nil })
        #expect(throws: (any Error).self) { try RemoveClient.Arguments.parse(["app"]).validate(with: input) }
        try RemoveClient.Arguments.parse(["app", "--yes"]).validate(with: input)
    }

    @Test(arguments: ["{}", #"{"listEverything":{}}"#, #"{"listKeys":{},"listClients":{}}"#, "[]"])
    func `a message that does not name one command is refused`(_ message: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AdminCall.self, from: Data(message.utf8)) }
    }

    @Test func `a reply is under its name, and a refusal under fault`() throws {
        let refused = #"{"fault":{"code":"session_over","message":"It is over."}}"#
        #expect(try Self.answer(#"{"revokedSessions":{"_0":3}}"#).result.get() == 3)
        let error = AdminError(code: "session_over", message: "It is over.")
        #expect(throws: error) { try Self.answer(refused).result.get() }
        #expect(try Self.json(error.answer) == refused)
        #expect(throws: DecodingError.self) { try Self.answer(#"{"text":{"_0":"3"}}"#) }
    }

    private static func answer(_ message: String) throws -> AdminAnswer<RevokeSession> {
        try JSONDecoder().decode(AdminAnswer<RevokeSession>.self, from: Data(message.utf8))
    }

    private static func message<Command: AdminCommand>(_ command: Command) throws -> String {
        try json(command.message)
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
