import Kernel
import MemoryStore
import Operations
import Testing

/// An operator's pause of a provider.
struct PausedProviderTests {
    @Test func `while a provider is paused, scans begin at the next one`() async throws {
        let standbyName = ProviderName("standby")
        var person = Harness.person
        person.elsewhere[standbyName] = "robin-at-standby"
        let harness = Harness(
            disk: MemoryDisk(people: [person]),
            standby: ScriptedFaceProvider(name: standbyName)
        )
        _ = harness.service.pause(harness.provider.name, for: .seconds(600))
        let login = try await harness.begin()
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("browser"))
        #expect(try harness.stored(login).provider == standbyName)
        #expect(harness.provider.calls.isEmpty, "nothing is asked of a paused provider")
    }

    @Test func `who takes over is the next provider of the failover that is not paused`() {
        let standby = ProviderName("standby")
        let harness = Harness(standby: ScriptedFaceProvider(name: standby))
        let (service, own) = (harness.service, harness.provider.name)
        let (ofOwn, ofStandby) = (service.takeover(from: own), service.takeover(from: standby))
        #expect(ofOwn?.isStandby == false && ofOwn?.providers == [standby])
        #expect(ofStandby?.isStandby == true && ofStandby?.providers == [])
        #expect(service.takeover(from: ProviderName("unknown")) == nil)
        _ = service.pause(standby, for: .seconds(60))
        #expect(service.takeover(from: own)?.providers == [])
    }

    @Test func `a pause is told to other daemons, and ends by itself`() async throws {
        let harness = Harness()
        let name = harness.provider.name
        #expect(harness.service.pause(name, for: .seconds(60)))
        #expect(harness.service.pausedProviders == [name: .seconds(60)])
        #expect(harness.feed.take().contains(.paused(provider: name.text, milliseconds: 60_000)))
        harness.time.advance(by: .seconds(59))
        #expect(harness.service.pausedProviders == [name: .seconds(1)])
        harness.time.advance(by: .seconds(1))
        #expect(harness.service.pausedProviders.isEmpty)
    }

    @Test func `a pause of another daemon is taken, and its end too`() async throws {
        let harness = Harness()
        let name = harness.provider.name
        await harness.service.take(.message(.paused(provider: name.text, milliseconds: 5000)))
        #expect(harness.service.pausedProviders == [name: .seconds(5)])
        await harness.service.take(.message(.missed))
        #expect(harness.feed.take().contains(.paused(provider: name.text, milliseconds: 5000)), "told again")
        await harness.service.take(.message(.paused(provider: name.text, milliseconds: 0)))
        #expect(harness.service.pausedProviders.isEmpty)
    }

    @Test func `attack: a pause is bounded, and an unknown provider has none`() async throws {
        let harness = Harness()
        #expect(!harness.service.pause(ProviderName("nobody"), for: .seconds(60)))
        let name = harness.provider.name
        await harness.service.take(.message(.paused(provider: name.text, milliseconds: .max / 2_000_000)))
        #expect(harness.service.pausedProviders == [name: OperationService.longestPause])
        #expect(harness.service.pause(name, for: .seconds(-5)))
        #expect(harness.service.pausedProviders.isEmpty)
    }

    @Test(arguments: [
        FeedMessage.paused(provider: "mock", milliseconds: 0), .paused(provider: "a b.c-ä", milliseconds: 86_400_000),
    ])
    func `a pause is one word between daemons`(_ message: FeedMessage) {
        #expect(!message.text.contains(" ") && FeedMessage(message.text) == message)
    }
}
