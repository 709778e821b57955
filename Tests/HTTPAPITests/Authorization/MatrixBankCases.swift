import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

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
        MatrixCase("GET \(Bench.enrollment)/start/{bsimId}", .access) { _ in
            MatrixRequest("\(Bench.enrollment)/start/eb?mobile=true")
        }.ofWallet.answered(303),
        MatrixCase("GET \(Bench.enrollment)/callback/{bsimId}", .inRequest(ofAccount: true)) { visit in
            let state = visit.isProved ? try await begun(visit).state : MatrixVisit.guess
            var request = MatrixRequest("\(Bench.enrollment)/callback/eb?code=c&state=\(state)")
            // The app shows it to a wallet whose owner can't sign in any more.
            request.isGranted = { $0.questionToken != nil }
            return request
        }.ofWallet,
        MatrixCase("POST \(Bench.enrollment)/confirm", .inRequest(ofAccount: true)) { visit in
            let token = visit.isProved ? try await asked(visit) : MatrixVisit.guess
            var request = MatrixRequest("\(Bench.enrollment)/confirm", form: "token=\(token)&decision=add")
            request.isGranted = { $0.appOutcome?["success"] == "true" }
            return request
        }.ofWallet.answered(303),
    ]

    /// Cards and banks belong to their account, whichever of its sessions asks.
    static let cards: [MatrixCase] = [
        MatrixCase("GET \(mobile)/wallet/cards", .access) { _ in MatrixRequest("\(mobile)/wallet/cards") }.ofWallet,
        MatrixCase("POST \(mobile)/wallet/cards/{cardId}/default", .access) { visit in
            MatrixRequest("\(mobile)/wallet/cards/\(try await card(visit))/default")
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/wallet/cards/{cardId}", .access) { visit in
            MatrixRequest("\(mobile)/wallet/cards/\(try await card(visit))")
        }.ofWallet.about(.account),
        MatrixCase("POST \(mobile)/wallet/banks/{bsimId}/sync", .access) { visit in
            try await enroll(visit)
            return MatrixRequest("\(mobile)/wallet/banks/eb/sync")
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/wallet/banks/{bsimId}", .access) { visit in
            try await enroll(visit)
            return MatrixRequest("\(mobile)/wallet/banks/eb")
        }.ofWallet.about(.account),
    ]

    private static func begun(_ visit: MatrixVisit) async throws -> BankVisit {
        let response = try await visit.bench.post("\(mobile)/enrollment/start/eb", "", visit.bearer)
        try #require(response.status == .ok, "\(response.text)")
        let url = try response.decode(StartEnrollmentResponse.self).authUrl
        return BankVisit(response: response, authURL: url, cookie: nil)
    }

    /// The token of the question to the wallet's owner: the matrix has a config that asks.
    private static func asked(_ visit: MatrixVisit) async throws -> String {
        let page = try await visit.bench.comeBack(try await begun(visit))
        return try #require(page.questionToken, "\(page.text)")
    }

    private static func enroll(_ visit: MatrixVisit) async throws {
        let back = try await visit.bench.press(try await asked(visit))
        try #require(back.appOutcome?["success"] == "true", "\(back.text)")
    }

    private static func card(_ visit: MatrixVisit) async throws -> String {
        try await enroll(visit)
        let response = try await visit.bench.send(.get, "\(mobile)/wallet/cards", visit.bearer)
        return try #require(try response.decode(WalletCardsResponse.self).cards.last).id
    }
}
