import CodeFlow
import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Tests the data of an access token's person, by each branch.
@Suite(.timeLimit(.minutes(10)))
struct BrokeredDataTests {
    private static let token = Secret("access-token")

    // T-200
    @Test func `the person is looked up with the token, and the data by the person alone`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let data = try await fixture.service.data(accessToken: Self.token, at: upstream)
        #expect(String(decoding: data, as: UTF8.self) == #"{"balance":42}"#)
        #expect(fixture.gateway.asked.tokens == ["access-token"])
        #expect(fixture.gateway.asked.people == ["4711"])
    }

    @Test(arguments: [
        (401, "", BrokeredDataError.signInNeeded), (400, "", .signInNeeded), (403, "", .signInNeeded),
        (404, "", .signInNeeded),
        (500, "", .unavailable), (503, "", .unavailable), (429, "", .unavailable), (302, "", .unusable),
        (204, "", .unusable),
        (200, "", .unusable), (200, "<html>moved</html>", .unusable), (200, "<PersonalInformation>", .unusable),
        (200, "<PersonalInformation/>", .unusable), (200, #"{"BPId":"4711"}"#, .unusable),
        (200, "<PersonalInformation><BPId/><Status>ACTIVE</Status></PersonalInformation>", .signInNeeded),
        (200, "<PersonalInformation><BPId>1</BPId><Status>CLOSED</Status></PersonalInformation>", .signInNeeded),
        (200, "<PersonalInformation><BPId>1</BPId></PersonalInformation>", .unusable),
        (200, "<PersonalInformation><BPId>..</BPId><Status>ACTIVE</Status></PersonalInformation>", .unusable),
        (200, "<PersonalInformation><BPId>1 2</BPId><Status>ACTIVE</Status></PersonalInformation>", .unusable),
        (
            200, "<!DOCTYPE a><PersonalInformation><BPId>1</BPId><Status>ACTIVE</Status></PersonalInformation>",
            .unusable
        ),
        (
            200, "<PersonalInformation><BPId>1</BPId><BPId>2</BPId><Status>ACTIVE</Status></PersonalInformation>",
            .unusable
        ),
    ])
    func `each error answer of the user lookup has its error, and no person is cached`(
        status: Int,
        body: String,
        refusal: BrokeredDataError
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(status: "/PersonalInformation/Status")
        fixture.gateway.answerPerson(ScriptedGateway.ok(body, status), ScriptedGateway.ok(ScriptedGateway.person))
        await #expect(throws: refusal) { try await fixture.service.data(accessToken: Self.token, at: upstream) }
        #expect(fixture.gateway.asked.people.isEmpty)
        // A no is asked again.
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
    }

    @Test(arguments: [
        (403, "", BrokeredDataError.notAllowed), (401, "", .unusable), (404, "", .unusable), (500, "", .unavailable),
        (503, "", .unavailable), (429, "", .unavailable), (302, "", .unusable), (200, "<html>", .unusable),
        (200, "", .unusable),
    ])
    func `each error answer of the data request has its error`(
        status: Int,
        body: String,
        refusal: BrokeredDataError
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerData(ScriptedGateway.ok(body, status))
        await #expect(throws: refusal) { try await fixture.service.data(accessToken: Self.token, at: upstream) }
    }

    // T-201
    /// RFC 9700 §2.3: a token that the upstream gave to another of its clients.
    @Test(arguments: [
        ("<ClientId>ates-client</ClientId>", nil), ("<ClientId>another</ClientId>", BrokeredDataError.signInNeeded),
        ("<ClientId>ATES-CLIENT</ClientId>", .signInNeeded), ("<ClientId/>", .signInNeeded), ("", .unusable),
        ("<ClientId>ates-client</ClientId><ClientId>another</ClientId>", .unusable),
    ])
    func `attack: a token that the upstream's lookup attributes to another client gets no data`(
        client: String,
        refusal: BrokeredDataError?
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(audience: "/PersonalInformation/ClientId")
        fixture.gateway.answerPerson(
            ScriptedGateway.ok("<PersonalInformation><BPId>1</BPId>\(client)</PersonalInformation>")
        )
        do {
            _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
            #expect(refusal == nil)
        } catch { #expect(error == refusal) }
        #expect(fixture.gateway.asked.people.isEmpty == (refusal != nil))
    }

    @Test func `a lookup or data out of reach is unavailable, one that can't be read unusable`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerPerson(
            .failure(.unavailable(cause: "x")),
            .failure(.unusable(cause: "x")),
            ScriptedGateway.ok(ScriptedGateway.person)
        )
        fixture.gateway.answerData(.failure(.unavailable(cause: "x")), .failure(.unusable(cause: "x")))
        for refusal in [BrokeredDataError.unavailable, .unusable, .unavailable, .unusable] {
            await #expect(throws: refusal) { try await fixture.service.data(accessToken: Self.token, at: upstream) }
        }
    }

    // T-199
    @Test(arguments: ["", "a b", "a\nb", "é", String(repeating: "a", count: 8193)])
    func `a text that can't be a token is looked up nowhere`(token: String) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        await #expect(throws: BrokeredDataError.signInNeeded) {
            try await fixture.service.data(accessToken: Secret(token), at: upstream)
        }
        #expect(fixture.gateway.asked.tokens.isEmpty)
    }

    @Test func `a lookup in JSON is read by its pointer`() async throws {
        let fixture = try BrokerFixture()
        let lookup = PersonLookup(
            url: "https://id.example.com/me",
            person: .json(try #require(JSONPointer("/person/number"))),
            status: .json(try #require(JSONPointer("/active"))),
            activeWords: ["true"]
        )
        let resource = Upstream.Resource(lookup: lookup, dataURL: "https://esb.example.com/{person}")
        let upstream = Upstream(
            name: "json",
            server: AuthorizationServer(
                authorizeURL: "https://id.example.com/authorize",
                tokenURL: "https://id.example.com/token",
                client: ClientRegistration(id: "c", secret: Secret("s"), authentication: .post)
            ),
            resource: resource
        )
        fixture.gateway.answerPerson(ScriptedGateway.ok(#"{"person":{"number":4711},"active":true}"#))
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
        #expect(fixture.gateway.asked.people == ["4711"])
        fixture.gateway.answerPerson(ScriptedGateway.ok(#"{"person":{"number":47.5},"active":true}"#))
        await #expect(throws: BrokeredDataError.unusable) {
            try await fixture.service.data(accessToken: Secret("other"), at: upstream)
        }
    }

    // MARK: - What is kept

    // T-201
    @Test func `a person is looked up once for as long as the token is good`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let tokens = try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        for _ in 0..<3 { _ = try await fixture.service.data(accessToken: tokens.accessToken, at: upstream) }
        fixture.time.advance(by: .milliseconds(599_999))
        _ = try await fixture.service.data(accessToken: tokens.accessToken, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 1)
        fixture.time.advance(by: .milliseconds(1))
        fixture.gateway.answerPerson(ScriptedGateway.ok("", 401))
        await #expect(throws: BrokeredDataError.signInNeeded) {
            try await fixture.service.data(accessToken: tokens.accessToken, at: upstream)
        }
    }

    // T-201
    @Test func `tokens and people are cached no longer than the config's keepFor`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(keepsFor: .seconds(30))
        let tokens = try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        _ = try await fixture.service.data(accessToken: tokens.accessToken, at: upstream)
        fixture.time.advance(by: .milliseconds(29_999))
        _ = try await fixture.service.data(accessToken: tokens.accessToken, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 1)
        fixture.time.advance(by: .milliseconds(1))
        _ = try await fixture.service.data(accessToken: tokens.accessToken, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 2)
    }

    // T-201
    @Test func `the person behind a token from elsewhere is kept for a minute`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
        fixture.time.advance(by: .milliseconds(59_999))
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 1)
        fixture.time.advance(by: .milliseconds(1))
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 2)
    }

    @Test func `the same text at another upstream is another token`() async throws {
        let fixture = try BrokerFixture()
        _ = try await fixture.service.data(accessToken: Self.token, at: try BrokerFixture.upstream("one"))
        _ = try await fixture.service.data(accessToken: Self.token, at: try BrokerFixture.upstream("two"))
        #expect(fixture.gateway.asked.tokens.count == 2)
    }

    @Test func `the oldest entries are dropped when the cache is full`() async throws {
        var limits = UserInfoCache.Limits()
        limits.entries = 3
        let fixture = try BrokerFixture(limits: limits)
        let upstream = try BrokerFixture.upstream()
        for token in ["a", "b", "c", "d", "b", "c", "d", "a", "c", "d"] {
            _ = try await fixture.service.data(accessToken: Secret(token), at: upstream)
        }
        #expect(fixture.gateway.asked.tokens == ["a", "b", "c", "d", "a"])
    }

    // MARK: - Many at one time

    // T-199
    @Test func `two hundred that ask with one token share one lookup`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.hold()
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { [service = fixture.service] in
                    (try? await service.data(accessToken: Self.token, at: upstream)) != nil
                }
            }
            await wait { fixture.people.waitingCount == 200 }
            fixture.gateway.release()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 200)
        #expect(fixture.gateway.asked.tokens.count == 1)
        #expect(fixture.people.waitingCount == 0)
    }

    @Test func `all waiting callers get a failure, and the next asks again`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerPerson(.failure(.unavailable(cause: "x")), ScriptedGateway.ok(ScriptedGateway.person))
        fixture.gateway.hold()
        let refusals = await withTaskGroup(of: BrokeredDataError?.self) { group in
            for _ in 0..<20 {
                group.addTask { [service = fixture.service] in
                    do throws(BrokeredDataError) {
                        _ = try await service.data(accessToken: Self.token, at: upstream)
                        return nil
                    } catch { return error }
                }
            }
            await wait { fixture.people.waitingCount == 20 }
            fixture.gateway.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals == Array(repeating: .unavailable, count: 20))
        _ = try await fixture.service.data(accessToken: Self.token, at: upstream)
        #expect(fixture.gateway.asked.tokens.count == 2)
    }

    @Test func `a caller that disconnects spoils nothing for the others`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.hold()
        let first = Task { [service = fixture.service] in try await service.data(accessToken: Self.token, at: upstream)
        }
        await wait { fixture.people.waitingCount == 1 }
        let second = Task { [service = fixture.service] in try await service.data(accessToken: Self.token, at: upstream)
        }
        await wait { fixture.people.waitingCount == 2 }
        first.cancel()
        let gone = await first.result
        #expect(throws: BrokeredDataError.unavailable) { try gone.get() }
        fixture.gateway.release()
        #expect(try await second.value.isEmpty == false)
        #expect(fixture.gateway.asked.tokens.count == 1)
    }

    // T-199
    @Test func `lookups beyond the limit are refused, and waiting for a running one is bounded too`() async throws {
        var limits = UserInfoCache.Limits()
        (limits.lookups, limits.waiting) = (1, 2)
        let fixture = try BrokerFixture(limits: limits)
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.hold()
        let both = (0..<2).map { _ in
            Task { [service = fixture.service] in try await service.data(accessToken: Self.token, at: upstream) }
        }
        await wait { fixture.people.waitingCount == 2 }
        for token in [Secret("another"), Self.token] {
            await #expect(throws: BrokeredDataError.unavailable) {
                try await fixture.service.data(accessToken: token, at: upstream)
            }
        }
        fixture.gateway.release()
        for task in both { _ = try await task.value }
        _ = try await fixture.service.data(accessToken: Secret("another"), at: upstream)
    }
}
