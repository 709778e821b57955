import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What the wallet app shows first.
struct WalletTests {
    @Test func `a new wallet is empty, and says whose it is`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let response = try await harness.send(.get, "/api/mobile/wallet/summary", ada.bearer)
            #expect(response.status == .ok)
            #expect(Set(try response.json().keys) == ["user", "cards", "enrolledBanks", "biometricEnabled"])
            let summary = try response.decode(WalletSummaryResponse.self)
            #expect(summary.user.email == "ada@example.com" && summary.user.name == "Ada")
            #expect(summary.cards.isEmpty && summary.enrolledBanks.isEmpty && !summary.biometricEnabled)
            let profile = try await harness.send(.get, "/api/mobile/profile", ada.bearer).decode(ProfileResponse.self)
            #expect(profile.user == summary.user && !profile.biometricEnabled)
        }
    }

    // T-150
    @Test func `attack: the wallet summary holds the cards and banks of the token's account alone`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            try await harness.enroll(ada)
            let response = try await harness.send(.get, "/api/mobile/wallet/summary", ada.bearer)
            let summary = try response.decode(WalletSummaryResponse.self)
            #expect(summary.cards.map(\.isDefault) == [true, false], "the default one first")
            #expect(summary.cards.map(\.lastFour).sorted() == ["1111", "4242"])
            #expect(summary.cards.first?.bankName == "Example Bank" && summary.cards.first?.bsimId == "eb")
            #expect(summary.cards.first?.addedAt == harness.time.wall.internetDate)
            #expect(summary.enrolledBanks.map { "\($0.bsimId) \($0.name) \($0.cardCount)" } == ["eb Example Bank 2"])
            let others = try await harness.send(.get, "/api/mobile/wallet/summary", bob.bearer)
            #expect(try others.decode(WalletSummaryResponse.self).cards.isEmpty)
            #expect(!others.text.contains("Example Bank"))
        }
    }
}
