import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import SoftwareAuthenticator
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Somebody with a card, on a phone that has a key.
struct PayerOfTest: Sendable {
    let phone: PhoneOfTest
    let key: P256.Signing.PrivateKey
    let card: CardID
    let account: AccountID

    var bearer: HTTPFields { phone.bearer }
}

extension Harness {
    static let initiatePayment = "/api/merchant/payment/initiate"
    static let confirmPayment = "/api/merchant/payment/confirm"
    static let redeemToken = "/api/merchant/payment/redeem"
    static let shop = "Möbel & Söhne"

    /// Puts a card into the account's wallet, as a bank's callback does; the first is the default one.
    @discardableResult
    func giveCard(_ account: AccountID, lastFour: String = "4242") async throws -> CardID {
        let environment = composition.environment
        let (store, now, id) = (
            composition.stores.wallet.cards, environment.now(), environment.newID(CardID.self)
        )
        try await composition.unitOfWork.run { transaction in
            let isFirst = try store.link("eb", of: account, in: transaction) == nil
            if isFirst {
                let link = BankLink(
                    account: account,
                    bankID: "eb",
                    name: "Example Bank",
                    logoURL: nil,
                    tokens: BankLink.EncryptedTokens(access: "sealed", refresh: nil, expiresAt: nil),
                    enrolledAt: now
                )
                _ = try store.put(link, over: nil, in: transaction)
            }
            try store.put(
                HeldCard(
                    id: id,
                    account: account,
                    bankID: "eb",
                    bankCard: BankCard(reference: "reference of \(id)", lastFour: lastFour, network: "VISA"),
                    isDefault: isFirst,
                    addedAt: now
                ),
                in: transaction
            )
        }
        return id
    }

    /// Signs in on a phone, gives it a key, and its owner a card.
    func payer(_ email: String = "ada@example.com", _ deviceID: String = phone) async throws -> PayerOfTest {
        let phone = try await phone(email, deviceID)
        let key = P256.Signing.PrivateKey()
        let set = try await setUp(Self.spki(key.publicKey), phone)
        try #require(set.status == .ok, "\(set.text)")
        let account = try #require(AccountID(parsing: phone.tokens.user.id))
        return PayerOfTest(phone: phone, key: key, card: try await giveCard(account), account: account)
    }

    static func order(_ amount: String = "12.50", _ currency: String = "EUR", more: String = "") -> String {
        #"{"amount":"\#(amount)","currency":"\#(currency)","merchant":{"name":"\#(shop)","id":"shop-1"}\#(more)}"#
    }

    func askPayment(
        _ payer: PayerOfTest,
        _ body: String = order(),
        _ headers: HTTPFields? = nil
    ) async throws -> PaymentView {
        let response = try await post(Self.initiatePayment, body, headers ?? payer.bearer)
        try #require(response.status == .created, "\(response.text)")
        return try response.decode(PaymentView.self)
    }

    /// A body with that proof for the payment.
    static func proving(_ payment: PaymentView, _ members: String, more: String = "") -> String {
        #"{"paymentId":"\#(payment.paymentId)",\#(members)\#(more)}"#
    }

    static func signed(_ payment: PaymentView, by key: P256.Signing.PrivateKey) throws -> String {
        let (text, challenge) = (try #require(payment.textToSign), try #require(payment.challenge))
        return #""signature":"\#(try key.signed(text))","challenge":"\#(challenge)""#
    }

    /// Confirms with the key of the payer's phone.
    func confirm(_ payment: PaymentView, _ payer: PayerOfTest, more: String = "") async throws -> TestResponse {
        let body = Self.proving(payment, try Self.signed(payment, by: payer.key), more: more)
        return try await post(Self.confirmPayment, body, payer.bearer)
    }

    /// The same, where it has to go well.
    func confirmed(_ payment: PaymentView, _ payer: PayerOfTest) async throws -> ConfirmPaymentResponse {
        let response = try await confirm(payment, payer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(ConfirmPaymentResponse.self)
    }

    func show(_ payment: PaymentView, _ headers: HTTPFields) async throws -> PaymentView {
        let response = try await send(.get, "/api/mobile/payment/\(payment.paymentId)", headers)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(PaymentView.self)
    }

    func approve(_ payment: PaymentView, _ body: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await post("/api/mobile/payment/\(payment.paymentId)/approve", body, headers)
    }

    func redeem(_ token: String) async throws -> TestResponse {
        try await post(Self.redeemToken, #"{"cardToken":"\#(token)"}"#)
    }
}

// With a face, or with a passkey.
extension Harness {
    /// Asks for a scan for the payment.
    func askScan(_ payment: PaymentView, _ headers: HTTPFields) async throws -> StartedApproval {
        let response = try await approve(payment, #"{"method":"face"}"#, headers)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        let ticket = try #require(answer.authIdUrl.split(separator: "/").last)
        return StartedApproval(response: response, answer: answer, ticket: String(ticket))
    }

    /// The token of a scan for the payment that was accepted.
    func scanned(_ payment: PaymentView, _ headers: HTTPFields) async throws -> String {
        let started = try await askScan(payment, headers)
        try await grantApproval(started)
        let poll = try await send(.get, started.path("poll"), headers)
        return try #require(try poll.decode(PollLoginResponse.self).approval?.token, "\(poll.text)")
    }

    /// Adds a passkey in that session.
    func addPasskey(by headers: HTTPFields) async throws -> SoftwareAuthenticator.Credential {
        let options = try await send(.post, "/api/auth/add-device/generate-options", headers)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, made) = try browser.create(options.text)
        let added = try await post("/api/auth/add-device/verify", made, headers)
        try #require(added.status == .ok, "\(added.text)")
        return credential
    }

    /// The options for the payment, as the browser is called with them.
    func passkeyOptions(_ payment: PaymentView, _ headers: HTTPFields) async throws -> String {
        let response = try await approve(payment, #"{"method":"passkey"}"#, headers)
        try #require(response.status == .ok, "\(response.text)")
        let options = try #require(try response.json()["options"] as? [String: Any])
        return String(decoding: try JSONSerialization.data(withJSONObject: options), as: UTF8.self)
    }

    func confirm(_ payment: PaymentView, passkey answer: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await post(Self.confirmPayment, Self.proving(payment, #""passkey":\#(answer)"#), headers)
    }

    func confirm(_ payment: PaymentView, approval token: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await post(Self.confirmPayment, Self.proving(payment, #""approvalToken":"\#(token)""#), headers)
    }
}
