import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    private static let mobile = "/api/mobile"

    /// The ways to a bank and back: the start by a signed-in person, the way back by its state, the answer by its
    /// token.
    static let banks: [MatrixCase] = [
        MatrixCase("GET \(mobile)/enrollment/banks", .access) { _ in
            MatrixRequest("\(mobile)/enrollment/banks")
        }.ofWallet,
        MatrixCase("POST \(mobile)/enrollment/start/{bsimId}", .access) { _ in
            MatrixRequest("\(mobile)/enrollment/start/eb")
        }.ofWallet,
        MatrixCase("GET \(Harness.enrollment)/start/{bsimId}", .access) { _ in
            MatrixRequest("\(Harness.enrollment)/start/eb?mobile=true")
        }.ofWallet.answered(303),
        MatrixCase("GET \(Harness.enrollment)/callback/{bsimId}", .inRequest(ofAccount: true)) { context in
            let state = context.isProved ? try await begun(context).state : MatrixContext.guess
            var request = MatrixRequest("\(Harness.enrollment)/callback/eb?code=c&state=\(state)")
            // The app shows it to a wallet whose owner can't sign in any more.
            request.isGranted = { $0.questionToken != nil }
            return request
        }.ofWallet,
        MatrixCase("POST \(Harness.enrollment)/confirm", .inRequest(ofAccount: true)) { context in
            let token = context.isProved ? try await asked(context) : MatrixContext.guess
            var request = MatrixRequest("\(Harness.enrollment)/confirm", form: "token=\(token)&decision=add")
            request.isGranted = { $0.appOutcome?["success"] == "true" }
            return request
        }.ofWallet.answered(303),
    ]

    /// Cards and banks belong to their account, whichever of its sessions asks.
    static let cards: [MatrixCase] = [
        MatrixCase("GET \(mobile)/wallet/cards", .access) { _ in MatrixRequest("\(mobile)/wallet/cards") }.ofWallet,
        MatrixCase("POST \(mobile)/wallet/cards/{cardId}/default", .access) { context in
            MatrixRequest("\(mobile)/wallet/cards/\(try await card(context))/default")
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/wallet/cards/{cardId}", .access) { context in
            MatrixRequest("\(mobile)/wallet/cards/\(try await card(context))")
        }.ofWallet.about(.account),
        MatrixCase("POST \(mobile)/wallet/banks/{bsimId}/sync", .access) { context in
            try await enroll(context)
            return MatrixRequest("\(mobile)/wallet/banks/eb/sync")
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/wallet/banks/{bsimId}", .access) { context in
            try await enroll(context)
            return MatrixRequest("\(mobile)/wallet/banks/eb")
        }.ofWallet.about(.account),
    ]

    private static func begun(_ context: MatrixContext) async throws -> StartedBankLink {
        let response = try await context.harness.post("\(mobile)/enrollment/start/eb", "", context.bearer)
        try #require(response.status == .ok, "\(response.text)")
        let url = try response.decode(StartEnrollmentResponse.self).authUrl
        return StartedBankLink(response: response, authURL: url, cookie: nil)
    }

    /// The token of the question to the wallet's owner: the matrix has a config that asks.
    private static func asked(_ context: MatrixContext) async throws -> String {
        let page = try await context.harness.comeBack(try await begun(context))
        return try #require(page.questionToken, "\(page.text)")
    }

    private static func enroll(_ context: MatrixContext) async throws {
        let back = try await context.harness.press(try await asked(context))
        try #require(back.appOutcome?["success"] == "true", "\(back.text)")
    }

    private static func card(_ context: MatrixContext) async throws -> String {
        try await enroll(context)
        let response = try await context.harness.send(.get, "\(mobile)/wallet/cards", context.bearer)
        return try #require(try response.decode(WalletCardsResponse.self).cards.last).id
    }
}
