import Fuzzing
import MailServer
import Outbound
import ScriptedServer
import Testing

extension EndToEnd.Clusters {
    // T-009, T-019, T-076, T-097, T-159, T-166, T-246
    @Test func `what is presented to three daemons at once counts once, and what one of them decides holds on all`()
        async throws
    {
        // One cluster for all of it: each start costs seconds.
        let folder = try MailFolder()
        let mail = try await MailServer(.starttls, in: folder, signIn: ("vestibule", "open sesame"))
        try await ScriptedServer.run { _ in
            .answer(204)
        } during: { notices in
            let settings = try await EndToEnd.Mail.settings(mail, folder) + Self.clients(notifying: notices)
            let people = Numbers.people + Deliveries.people + OneTimeUses.people + Disabling.people + LostNotices.people
            let limit: Duration = .seconds(TestSize.isLong ? 3000 : 400)
            try await Cluster.run(settings, people: people, places: 2, within: limit) { cluster in
                try await Numbers.play(cluster)
                try await Tries.play(cluster, folder)
                try await OneTimeUses.play(cluster)
                try await Deliveries.play(cluster, folder, notices)
                try await Administration.play(cluster)
                try await Disabling.play(cluster)
                try await LostNotices.play(cluster)
                try await cluster.daemons[1].order(["audit", "verify"])
            }
        }
        withExtendedLifetime(mail) {}
    }

    /// The settings of a client that gets codes, and of one that is pinged when a person has decided.
    private static func clients(notifying server: ScriptedServer) -> [String] {
        let app = [
            "name=App", "audience=app", "oauth.redirectURIs=\(OneTimeUses.callback)", "oauth.authentication=none",
            "oauth.scopes=openid,profile",
        ]
        let ring = [
            "name=Ring", "audience=ring", "oauth.grants=ciba,refresh_token", "oauth.scopes=openid,email",
            "oauth.authentication=secret", "oauth.secret=\(Deliveries.secret)", "oauth.ciba.delivery=ping",
            "oauth.ciba.notificationEndpoint=\(server.url)/notices",
        ]
        return ["oauth.enabled=true", "clients.bbms.refresh=rotation"] + app.map { "clients.app.\($0)" }
            + ring.map { "clients.ring.\($0)" }
    }
}

extension Cluster {
    /// The start of `publicURL`, which tokens and proofs name.
    static let origin = "http://localhost:8080"

    /// Sends a request to every daemon, `copies` times to each, all of them at once.
    func atOnce(
        copies: Int = 1,
        _ send: @escaping @Sendable (WebClient, _ url: String) async throws -> WebClient.Reply
    ) async throws -> [WebClient.Reply] {
        try await withThrowingTaskGroup(of: WebClient.Reply.self) { group in
            for daemon in daemons {
                for _ in 0..<copies { group.addTask { try await send(web, daemon.url) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Asks one daemon who is signed in by that token; returns the status.
    func me(_ token: String, _ index: Int) async throws -> Int {
        try await web.send(.get, "\(daemons[index].url)/auth/me", ["Authorization": "Bearer \(token)"]).status
    }
}
