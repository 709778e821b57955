import Foundation
import Synchronization
import Testing

@testable import Admin

/// An admin socket in memory: replies by the command's name, in the form that the socket has.
final class ScriptedSocket: CommandExecutor {
    private struct State {
        var replies: [String: String] = [:]
        var refusals: [String: AdminError] = [:]
        var sent: [(name: String, json: String)] = []
    }

    private let state: Mutex<State>

    init(_ replies: [String: String] = [:]) { state = Mutex(State(replies: replies)) }

    /// The commands that were sent, each by its name and its JSON.
    var sent: [(name: String, json: String)] { state.withLock { $0.sent } }

    /// The commands among them that change something.
    var writes: [String] {
        let names = Set(AdminTable.all.filter { $0.effect == .writes }.map { $0.name })
        return sent.map(\.name).filter { names.contains($0) }
    }

    func refuse(_ name: String, _ error: AdminError) { state.withLock { $0.refusals[name] = error } }

    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(command), as: UTF8.self)
        let (reply, refusal) = state.withLock { state in
            state.sent.append((Command.name, json))
            return (state.replies[Command.name], state.refusals[Command.name])
        }
        if let refusal { throw refusal }
        guard let reply else { throw AdminError(code: "unscripted", message: "No reply to \(Command.name).") }
        return try JSONDecoder().decode(Command.Reply.self, from: Data(reply.utf8))
    }
}

/// Replies of a small daemon.
enum Replies {
    static let row = "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"
    static let account = "1c54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a12"
    static let hostile = #"<img src=x onerror=alert(1)>\"'&"#

    static func operation(_ row: String = row, client: String = "app") -> String {
        """
        {"row":"\(row)","account":"\(account)","client":"\(client)","provider":"mock","state":"pending","seq":3,\
        "createdAt":1800000000000,"deadline":1800000200000}
        """
    }

    static func account(name: String = "A Person") -> String {
        """
        {"id":"\(account)","name":"\(name)","state":"active","emails":["person@example.com"],"verifiedEmails":[],\
        "attributes":{},"enrolments":["mock:1"],"hasPassword":false,"createdAt":1800000000000}
        """
    }

    static let consent = """
        {"client":"shop","scopes":["email","openid"],"resources":[],"grantedAt":1800000000000,"expiresAt":1900000000000}
        """

    static let status = """
        {"version":"1","startedAt":1800000000000,"now":1800000060000,"operations":{"pending":2,"closed":1},"waiting":3,\
        "queues":[{"name":"mail","count":2,"oldestSeconds":61},{"name":"checks","count":9,"oldestSeconds":3}],\
        "refusals":{"unknown_device":4},\
        "providers":[{"name":"mock","isHealthy":false,"circuit":"open","pausedSeconds":30}],\
        "minutes":[{"at":1800000060000,"begun":5,"approved":4,"failed":1,"live":2,"waiting":3,"refused":0,\
        "providers":[{"name":"mock","calls":10,"failures":1,"milliseconds":2500}],"errors":{"login provider_error":7}}]}
        """

    static let all: [String: String] = [
        "showStatus": status, "listOperations": "[\(operation())]", "showOperation": operation(),
        "listOperationEvents": """
        [{"chain":"local","number":7,"at":1800000000000,"fact":"operation.opened","subject":"\(row)"}]
        """,
        "listExchanges": """
        [{"provider":"mock","outcome":"started","detail":"the scan began","at":1800000000000},\
        {"provider":"mock","outcome":"silent","detail":"timeout","at":1800000005000}]
        """,
        "listAccounts": "[\(account())]", "showAccount": account(), "listDevices": "[]", "listPasskeys": "[]",
        "listConsents": "[\(consent)]",
        "listSessions": "[]", "listClients": "[]", "listMail": "[]", "listKeys": "[]", "listAudit": "[]",
        "listNodes": "[]", "listNotices": "[]", "auditKey": "\"{}\"",
        "listSettings": #"[{"key":"listen.port","value":"8080","source":"built in"}]"#,
        "previewRemedy": """
        {"sessions":3,"passkeys":2,"devices":1,"consents":0,"faces":0,"passwords":0,"banks":0}
        """,
        "withdrawConsent": "\"shop\"", "disableAccount": account(), "revokedSessions": "1", "revokeSessions": "2",
        "cancelOperation": operation(),
        "previewPause": #"{"provider":"mock","isStandby":false,"takesOver":["standby"]}"#,
        "pauseProvider": #"[{"provider":"mock","secondsLeft":60}]"#,
    ]
}
