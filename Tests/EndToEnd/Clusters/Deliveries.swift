import Foundation
import Fuzzing
import MailServer
import Outbound
import ScriptedServer
import Testing

extension EndToEnd.Clusters {
    /// Mails, and notices to a client, that any of the daemons may deliver.
    enum Deliveries {
        static let secret = "0123456789abcdef0123456789abcdef0123456789a"
        /// The person at whose code others guess.
        static let guessed = "guessed@example.com"
        static let people = [guessed] + mailed + asked
        private static let count = TestSize.isLong ? 200 : 8
        private static let mailed = (0..<count).map { "mailed-\($0)@example.com" }
        private static let asked = (0..<count).map { "accept+50ms+asked\($0)@example.com" }

        static func play(_ cluster: Cluster, _ folder: MailFolder, _ notices: ScriptedServer) async throws {
            for email in mailed { try await askForCode(email, cluster) }
            var requests: [String] = []
            for email in asked { requests.append(try await ask(email, cluster)) }
            try await eventually("all mails and notices", within: .seconds(120)) {
                try recipients(folder).count >= count && notices.requests.count >= count
            }
            // A second copy would come by then.
            try await Task.sleep(for: .seconds(1))
            #expect(try recipients(folder).sorted() == mailed.sorted(), "each mail once")
            #expect(try notices.requests.map { try id(in: $0) }.sorted() == requests.sorted(), "each notice once")
        }

        private static func recipients(_ folder: MailFolder) throws -> [String] {
            try folder.taken.flatMap(\.to).filter { mailed.contains($0) }
        }

        private static func askForCode(_ email: String, _ cluster: Cluster) async throws {
            let reply = try await cluster.web.send(
                .post,
                "\(cluster.app.base)/api/mobile/auth/login",
                json: #"{"email":"\#(email)","deviceId":"5f0c3a52-4d1e-4f43-9f0b-7a6f0c1d2e3f"}"#
            )
            #expect(reply.status == 200, "\(reply)")
        }

        /// Has a person asked by the backchannel, and opens the scan; returns the request's id.
        private static func ask(_ email: String, _ cluster: Cluster) async throws -> String {
            let hint = email.replacing("+", with: "%2B").replacing("@", with: "%40")
            let form =
                "client_id=ring&client_secret=\(secret)&scope=openid&login_hint=\(hint)"
                + "&client_notification_token=8d67dc78-7faa-4d41-aabd-67707b374255"
            let reply = try await cluster.web.send(.post, "\(cluster.app.base)/oauth/bc-authorize", form: form)
            let begun = try reply.json(Begun.self)
            let path = try #require(begun.link.flatMap { URL(string: $0)?.path() })
            let browser = ["User-Agent": "ExampleBrowser/1.0"]
            let opened = try await cluster.web.send(.post, cluster.app.base + path, browser)
            #expect(opened.status == 303, "\(opened)")
            return begun.id
        }

        private static func id(in request: ScriptedRequest) throws -> String {
            try JSONDecoder().decode(Begun.self, from: Data(request.body)).id
        }

        /// A request of the backchannel, in the answer to it and in its notice, which has no link.
        private struct Begun: Decodable {
            let id: String
            let link: String?

            enum CodingKeys: String, CodingKey {
                case id = "auth_req_id"
                case link = "authorization_link"
            }
        }
    }
}
