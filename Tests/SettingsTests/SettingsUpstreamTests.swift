import CodeFlow
import Kernel
import OAuth
import SettingsFixture
import Testing

@testable import Settings

/// The broker's upstreams in the config.
struct SettingsUpstreamTests {
    private static let whole = """
        clients:
          myvoo:
            upstream: ates
            oauth: {redirectURIs: ["https://app.example.com/callback"]}
        sampleData: {client: myvoo}
        upstreams:
          ates:
            authorizeURL: https://ates.example.com/authorize
            tokenURL: https://ates.example.com/token
            clientID: vestibule
            clientSecret: env:ATES_SECRET
            scopes: [profile, offline]
            lookup:
              url: https://scif.example.com/GetPersonalInformation
              answer: xml
              person: /PersonalInformation/BPId
              status: /PersonalInformation/Status
              active: [ACTIVE]
              audience: /PersonalInformation/ClientId
            data: {url: "https://esb.example.com/people/{person}?full=1"}

        """

    private func fixture(_ text: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal(text)
        fixture.environment["ATES_SECRET"] = "hush"
        return fixture
    }

    /// The whole with one text in the place of another.
    private func changed(_ old: String, _ new: String) -> SettingsFixture {
        fixture(Self.whole.replacing(old, with: new))
    }

    @Test func `without an upstreams section there are none`() throws {
        let settings = try SettingsFixture.minimal().load().settings
        #expect(settings.upstreams.isEmpty)
        #expect(settings.sampleData.client == nil)
    }

    @Test func `an upstream is read with its secret, and with its defaults`() throws {
        let settings = try fixture(Self.whole).load().settings
        var expected = UpstreamSettings(name: "ates")
        expected.server.authorizeURL = "https://ates.example.com/authorize"
        expected.server.tokenURL = "https://ates.example.com/token"
        expected.server.client.id = "vestibule"
        expected.server.client.secret = Secret("hush")
        expected.server.scopes = ["profile", "offline"]
        var lookup = LookupSettings()
        lookup.url = "https://scif.example.com/GetPersonalInformation"
        lookup.answer = .xml
        lookup.person = "/PersonalInformation/BPId"
        lookup.status = "/PersonalInformation/Status"
        lookup.audience = "/PersonalInformation/ClientId"
        lookup.active = ["ACTIVE"]
        expected.lookup = lookup
        expected.data = UpstreamDataSettings(url: "https://esb.example.com/people/{person}?full=1")
        #expect(settings.upstreams == ["ates": expected])
        #expect(expected.timeout == .seconds(5))
        #expect(settings.clients.map(\.upstream) == ["ates"])
    }

    @Test func `a broker may only sign in`() throws {
        let start = try #require(Self.whole.firstRange(of: "    lookup:")).lowerBound
        let text = String(Self.whole[..<start]).replacing("sampleData: {client: myvoo}\n", with: "")
        #expect(fixture(text).faults() == [])
    }

    @Test(arguments: [
        (
            "    oauth: {redirectURIs: [\"https://app.example.com/callback\"]}\n", "",
            "clients.myvoo.upstream: needs oauth beside it"
        ),
        ("upstream: ates", "upstream: atos", #"clients.myvoo.upstream: "atos" is not one of the upstreams (ates)"#),
        (
            "sampleData: {client: myvoo}", "sampleData: {client: you}",
            #"sampleData.client: "you" is not one of the clients (myvoo)"#
        ),
        (
            "person: /PersonalInformation/BPId", "person: BPId",
            #"upstreams.ates.lookup.person: "BPId" is not a path of elements, like /Person/Id or /Person/@id"#
        ),
        (
            "answer: xml\n      person: /PersonalInformation/BPId\n      status: /PersonalInformation/Status",
            "answer: json\n      person: /a/~2\n      status: /b",
            #"upstreams.ates.lookup.person: "/a/~2" is not a JSON pointer, like /person/id"#
        ),
        (
            "      active: [ACTIVE]\n", "",
            "upstreams.ates.lookup.active: is missing beside status. Write the words that mean yes"
        ),
        (
            "      status: /PersonalInformation/Status\n", "",
            "upstreams.ates.lookup.status: is missing beside active. Write the position of the word"
        ),
        ("/people/{person}?", "/people?", #"does not have {person} in it once"#),
        ("/people/{person}?", "/{person}/{person}?", #"does not have {person} in it once"#),
        ("https://esb.example.com/people/{person}", "https://{person}.example.com/", "has {person} in its host"),
        (
            "https://esb.example.com", "http://esb.example.com",
            "is not an https URL. Only https is allowed over a network"
        ),
        (
            "https://ates.example.com/token", "http://ates.example.com/token",
            "is plain http. Only https is allowed over a network"
        ),
        ("env:ATES_SECRET", "env:NO_SECRET", "upstreams.ates.clientSecret: the environment has no variable NO_SECRET"),
        ("[profile, offline]", "[\"profile offline\"]", "is not a scope. Write one word of printable ASCII"),
        ("    clientID: vestibule\n", "", "upstreams.ates.clientID: is missing"),
        ("    clientSecret: env:ATES_SECRET\n", "", "upstreams.ates.clientSecret: is missing"),
        ("    scopes:", "    authentication: none\n    scopes:", #""none" is not one of post, basic"#),
        (
            "    data: {url: \"https://esb.example.com/people/{person}?full=1\"}\n", "",
            "upstreams.ates.data: is missing beside lookup"
        ),
    ])
    func `what does not fit is a fault with its key`(old: String, new: String, message: String) {
        let faults = changed(old, new).faults()
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
    }

    // T-196
    @Test func `an upstream is of one client`() {
        let faults = changed(
            "sampleData: {client: myvoo}",
            """
              other:
                upstream: ates
                oauth: {redirectURIs: ["https://other.example.com/callback"]}
            sampleData: {client: myvoo}
            """
        ).faults()
        #expect(faults.count == 1)
        #expect(
            faults.first?.hasSuffix(
                #"clients.other.upstream: "ates" is already the upstream of myvoo. Give each client its own upstream"#
            ) == true
        )
    }

    // T-193
    @Test func `the secret is shown to nobody`() throws {
        let settings = try fixture(Self.whole).load().settings
        #expect(!String(describing: settings.upstreams).contains("hush"))
    }
}
