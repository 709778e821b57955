import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// The wallet of somebody whose session is on a phone with a key.
struct SeededWallet: Sendable {
    private let device: SeededDevice
    /// The access token of the session on the device.
    private let token: String

    /// Gives the owner of that token a phone, and signs in by its key.
    static func setUp(_ token: String, _ server: SeedServer, _ client: HTTPClient) async throws -> SeededWallet {
        let device = SeededDevice()
        try await device.setUp(token, server, client)
        return SeededWallet(device: device, token: try await device.signIn(server, client))
    }

    /// The request for all that is in it, as a line.
    var summary: String { "/api/mobile/wallet/summary \(token)" }

    private struct Started: Decodable {
        let authUrl: String
    }

    /// Lets the wallet in at the bank, whose page that customer is picked on.
    func enrol(at bank: String, as customer: String, _ server: SeedServer, _ client: HTTPClient) async throws {
        let start = "/api/mobile/enrollment/start/\(bank)"
        let (body, _) = try await server.post(start, Data("{}".utf8), token: token, client)
        let page = try Self.address(try JSONDecoder().decode(Started.self, from: body).authUrl)
        let bankServer = SeedServer(url: page.origin, connections: server.connections)
        let back = try await bankServer.redirect(of: "customer=\(customer)", sentTo: page.target, client)
        // The address is the public one; only path and query are needed here.
        let link = try await server.redirect(of: try Self.address(back).target, headers: [:], client)
        guard link.contains("success=true") else { throw SeedError(text: "an enrolment ended with \(link)") }
    }

    private struct Begun: Decodable {
        let paymentId: String
        let challenge: String
        let textToSign: String
    }

    /// Begins a payment; its confirmation, signed, as a line.
    ///
    /// Nothing of what is sent needs escaping.
    func confirmation(_ server: SeedServer, _ client: HTTPClient) async throws -> String {
        let order = #"{"amount":"12.50","currency":"EUR","merchantName":"Example Books"}"#
        let (body, _) = try await server.post(
            "/api/merchant/payment/initiate",
            Data(order.utf8),
            token: token,
            expecting: .created,
            client
        )
        let begun = try JSONDecoder().decode(Begun.self, from: body)
        let signature = try device.signature(of: begun.textToSign)
        let (payment, challenge) = (begun.paymentId, begun.challenge)
        let proof = #"{"paymentId":"\#(payment)","challenge":"\#(challenge)","signature":"\#(signature)"}"#
        return "/api/merchant/payment/confirm \(token) \(proof)"
    }

    /// An address in its two parts, as it is written.
    private static func address(_ text: String) throws -> (origin: String, target: String) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { throw SeedError(text: "\(text) is not an address with a path") }
        return (parts.prefix(3).joined(separator: "/"), "/\(parts[3])")
    }
}
