import Crypto
import Foundation
import Outbound
import Wire

/// The wallet app on somebody's phone, signed in by the phone's key.
struct Phone: Sendable {
    let scene: WalletScene
    let email: String
    let device = UUID().uuidString.lowercased()
    let key = P256.Signing.PrivateKey()
    private(set) var token = ""

    private var fixture: Fixture { scene.fixture }

    /// A new phone of that person.
    ///
    /// `scanned`: runs once the first sign-in's scan has begun. It is not needed where the provider accepts all scans
    /// of the address.
    init(of email: String, _ scene: WalletScene, scanned: () async throws -> Void = {}) async throws {
        self.scene = scene
        self.email = email
        var app = scene.fixture.cookielessApp
        app.headers["X-Client-Id"] = "mwsim"
        let login = try await app.begin(email, withVerifier: true)
        try await scanned()
        guard let token = try await app.follow(login).accessToken else {
            throw ExpectationError("\(email) has no token")
        }
        self.token = token
        let spki = key.publicKey.derRepresentation.base64EncodedString()
        try await order("device/register", #"{"deviceId":"\#(device)","platform":"ios","deviceName":"Test phone"}"#)
        try await order(
            "auth/biometric/setup",
            #"{"deviceId":"\#(device)","publicKey":"\#(spki)","biometricType":"face"}"#
        )
        try await signIn()
    }

    /// Opens a session of its own, by the phone's key.
    mutating func signIn() async throws {
        let asked = try await order("auth/biometric/challenge", #"{"deviceId":"\#(device)"}"#)
        let challenge = try asked.json(BiometricChallengeResponse.self).challenge
        let proof = try signature(of: challenge)
        let body = #"{"deviceId":"\#(device)","signature":"\#(proof)","challenge":"\#(challenge)"}"#
        token = try await order("auth/biometric/verify", body).json(SignInResponse.self).accessToken
    }

    /// The key's, over exactly these bytes.
    func signature(of text: String) throws -> String {
        try key.signature(for: Data(text.utf8)).derRepresentation.base64EncodedString()
    }

    // MARK: Requests

    /// A request of the app's to `/api/…`.
    func send(_ method: OutboundMethod, _ path: String, _ json: String? = nil) async throws -> WebClient.Reply {
        let headers = ["Authorization": "Bearer \(token)"]
        return try await fixture.web.send(method, "\(fixture.daemon.url)/api/\(path)", headers, json: json)
    }

    /// One to `/api/mobile/…` that has to succeed.
    @discardableResult
    private func order(_ path: String, _ json: String) async throws -> WebClient.Reply {
        let reply = try await send(.post, "mobile/\(path)", json)
        guard reply.status == 200 else { throw ExpectationError("\(path): \(reply)") }
        return reply
    }

    // MARK: Cards

    struct Card: Decodable, Equatable, Sendable {
        let id, lastFour, cardType, bankName, bsimId: String
        let isDefault: Bool
    }

    func cards() async throws -> [Card] {
        struct Answer: Decodable { let cards: [Card] }
        return try await send(.get, "mobile/wallet/cards").json(Answer.self).cards
    }

    /// The bank's page, where the person is to let the wallet in.
    func startEnrolment(at bank: String = BankProgram.id) async throws -> String {
        struct Answer: Decodable { let authUrl: String }
        return try await order("enrollment/start/\(bank)", "{}").json(Answer.self).authUrl
    }

    /// The link that the app gets in the end.
    @discardableResult
    func enrol(as customer: String = "alice") async throws -> String {
        let back = try scene.bank.letIn(customer, at: try await startEnrolment())
        let arrived = try scene.arrive(at: back)
        guard let link = arrived.location else { throw ExpectationError("the callback led nowhere: \(arrived)") }
        return link
    }

    // MARK: Payments

    struct Payment: Decodable, Sendable {
        let paymentId, status: String
        let amount, currency, challenge, textToSign, cardToken, receipt: String?
    }

    /// A new payment with the default card.
    func initiate(_ amount: String = "12.50", merchant: String = "Example Books") async throws -> Payment {
        let body = #"{"amount":"\#(amount)","currency":"EUR","merchant":{"name":"\#(merchant)"}}"#
        let reply = try await send(.post, "merchant/payment/initiate", body)
        guard reply.status == 201 else { throw ExpectationError("initiate: \(reply)") }
        return try reply.json()
    }

    /// The confirmation by this phone's key; `more` are further members.
    func confirmation(of payment: Payment, _ more: String = "") throws -> String {
        guard let text = payment.textToSign, let challenge = payment.challenge else {
            throw ExpectationError("there is nothing to sign in \(payment)")
        }
        return try confirmation(of: payment, signing: text, challenge, more)
    }

    /// The same over another text than the server's.
    func confirmation(
        of payment: Payment,
        signing text: String,
        _ challenge: String,
        _ more: String = ""
    ) throws -> String {
        let proof = try signature(of: text)
        return #"{"paymentId":"\#(payment.paymentId)","challenge":"\#(challenge)","signature":"\#(proof)"\#(more)}"#
    }

    func confirm(_ body: String) async throws -> WebClient.Reply {
        try await send(.post, "merchant/payment/confirm", body)
    }

    func payment(_ id: String) async throws -> Payment { try await send(.get, "mobile/payment/\(id)").json() }

    func payments() async throws -> [Payment] {
        struct Answer: Decodable { let payments: [Payment] }
        return try await send(.get, "mobile/payments").json(Answer.self).payments
    }
}
