import Foundation
import Hummingbird
import Kernel
import Operations
import Testing
import Wire

@testable import HTTPAPI
@testable import SignIn

/// The other handwritten answers equal the encoding of Wire's types.
struct HandWrittenReplyTests {
    @Test func `a start's answer is byte for byte what Wire encodes`() async throws {
        let id = UUIDBits(high: 0x0102_0304_0506_4708, low: 0x890A_0B0C_0D0E_0F10)
        let url = "https://login.example.com/go/abc-_DEF"
        let response = InitiateReply.encode(operationID: id, url: url, expiresIn: 180, interval: 2, seq: 1)
        let expected = InitiateLoginResponse(
            operationId: id.description,
            url: url,
            operationExpiresIn: 180,
            interval: 2,
            seq: 1
        )
        #expect(try await response.bytes() == Array(try Self.encoder.encode(expected)))
    }

    @Test(arguments: ["d.e.f", nil])
    func `a refresh's answer is byte for byte what Wire encodes`(refreshToken: String?) async throws {
        let response = RefreshReply.encode(access: "a.b.c", refreshToken: refreshToken, expiresIn: 900, type: "DPoP")
        let expected = RefreshResponse(
            message: "Token refreshed",
            accessToken: "a.b.c",
            refreshToken: refreshToken,
            expiresIn: 900,
            tokenType: "DPoP"
        )
        #expect(try await response.bytes() == Array(try Self.encoder.encode(expected)))
    }

    @Test(arguments: ["openid profile", nil])
    func `tokens of a grant are byte for byte what the encoder makes`(scope: String?) async throws {
        let issued = IssuedTokens(
            access: Secret("a.b.c"),
            expiresIn: 900,
            type: "Bearer",
            refresh: scope.map { _ in Secret("d.e.f") },
            refreshExpiresAt: Instant(milliseconds: 5),
            scope: scope,
            identity: scope.map { _ in Secret("g.h.i") }
        )
        let members = TokenMembers(issued)
        #expect(try await OAuthReply.tokens(members).bytes() == Array(try Self.encoder.encode(members)))
    }

    @Test(arguments: ["Ada Example", "A \"quoted\" \\ name", "Åsa Ünïcode 名前", "tab\tand\u{1}control"])
    func `a completed answer decodes to what Wire says`(name: String) async throws {
        let person = SignedInPerson(
            account: AccountID(UUIDBits(high: 1, low: 2)),
            name: name,
            email: "ada@example.com",
            department: "",
            role: "user",
            accessLevel: "basic"
        )
        let tokens = LoginTokens(accessToken: "a.b.c", refreshToken: "d.e.f", expiresIn: 3600)
        let bytes = try await PollReply.encode(tokens, person, seq: 5).bytes()
        let expected = PollReply.completed(tokens, person, seq: 5)
        #expect(try JSONDecoder().decode(PollLoginResponse.self, from: Data(bytes)) == expected)
        guard !name.contains("control") else { return }
        #expect(bytes == Array(try Self.encoder.encode(expected)))
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
