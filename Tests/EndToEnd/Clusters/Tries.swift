import Foundation
import MailServer
import Outbound
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Guesses at a password and at a mailed code, which are counted over all daemons.
    enum Tries {
        private static let person = "eve@example.com"
        private static let phone = "5f0c3a52-4d1e-4f43-9f0b-7a6f0c1d2e3f"
        /// The figure of one daemon alone, for either.
        private static let limit = 5

        static func play(_ cluster: Cluster, _ folder: MailFolder) async throws {
            let account = #"{"email":"\#(person)","name":"Eve","password":"correct horse battery"}"#
            let url = cluster.daemons[0].url
            let opened = try await cluster.web.send(
                .post,
                "\(url)/api/auth/register",
                json: account,
                within: .seconds(90)
            )
            #expect(opened.status == 201, "\(opened)")
            try await guessCode(cluster, folder)
            try await guessPassword(cluster)
        }

        private static func guessPassword(_ cluster: Cluster) async throws {
            let body = #"{"email":"\#(person)","password":"wrong horse battery"}"#
            let replies = try await cluster.atOnce(copies: 3) { web, url in
                try await web.send(.post, "\(url)/auth/login", json: body, within: .seconds(90))
            }
            let expected = Array(repeating: 401, count: limit) + Array(repeating: 429, count: 9 - limit)
            #expect(replies.map(\.status).sorted() == expected)
            // Those of the code are counted as well.
            #expect(try await cluster.column("SELECT tries FROM lockouts") == ["\(limit)", "\(limit)"])
        }

        private static func guessCode(_ cluster: Cluster, _ folder: MailFolder) async throws {
            let asked = try await cluster.web.send(
                .post,
                "\(cluster.daemons[1].url)/api/mobile/auth/login",
                json: #"{"email":"\#(Deliveries.guessed)","deviceId":"\#(phone)"}"#
            )
            let challenge = try asked.json(MailLoginResponse.self).challenge
            let code = try await eventually("the code") {
                try folder.taken.last { $0.to == [Deliveries.guessed] }.map { try Outbox.Mail($0.text).code }
            }
            func type(_ code: String, copies: Int) async throws -> [Int] {
                let body = #"{"challenge":"\#(challenge)","deviceId":"\#(phone)","code":"\#(code)"}"#
                return try await cluster.atOnce(copies: copies) { web, url in
                    try await web.send(.post, "\(url)/api/mobile/auth/login/verify", json: body)
                }
                .map(\.status)
            }
            let wrong = try await type(code == "111111" ? "222222" : "111111", copies: 4)
            #expect(wrong == Array(repeating: 401, count: 12))
            let counted = "SELECT wrong_tries FROM email_codes ORDER BY created_at DESC LIMIT 1"
            #expect(try await cluster.column(counted) == ["\(limit)"])
            #expect(try await type(code, copies: 1) == [401, 401, 401])
        }
    }
}
