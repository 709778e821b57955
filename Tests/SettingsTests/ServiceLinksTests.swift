import SettingsFixture
import Testing

@testable import Settings

/// A service named `vestibule` beside the pod: Kubernetes' variables look like keys of ours.
struct ServiceLinksTests {
    static let links = [
        "VESTIBULE_SERVICE_HOST": "10.96.12.7", "VESTIBULE_SERVICE_PORT": "8443",
        "VESTIBULE_SERVICE_PORT_HTTPS": "8443", "VESTIBULE_SERVICE_PORT_WEB_2": "80",
        "VESTIBULE_PORT": "tcp://10.96.12.7:8443", "VESTIBULE_PORT_8443_TCP": "tcp://10.96.12.7:8443",
        "VESTIBULE_PORT_8443_TCP_PROTO": "tcp", "VESTIBULE_PORT_8443_TCP_PORT": "8443",
        "VESTIBULE_PORT_8443_TCP_ADDR": "10.96.12.7", "VESTIBULE_PORT_53_UDP": "udp://[fd00::7]:53",
        "VESTIBULE_PORT_53_UDP_ADDR": "fd00::7",
    ]

    @Test func `service link variables of Kubernetes are ignored with one warning`() throws {
        var fixture = SettingsFixture.minimal()
        let before = try fixture.load()
        fixture.environment.merge(Self.links) { $1 }
        let loaded = try fixture.load()
        #expect(loaded.settings == before.settings)
        let warnings = loaded.warnings.filter { !before.warnings.contains($0) }
        #expect(warnings.count == 1)
        let text = try #require(warnings.first).description
        #expect(text.hasPrefix("VESTIBULE_PORT: ignored, with \(Self.links.count - 1) more"), "\(text)")
        #expect(text.contains("Kubernetes") && text.contains("enableServiceLinks"))
    }

    @Test(arguments: [
        ("VESTIBULE_PORT", "8080", "VESTIBULE_LISTEN__PORT"),
        ("VESTIBULE_PORT", "tcp://10.0.0.1", "VESTIBULE_LISTEN__PORT"),
        ("VESTIBULE_SERVICE_HOST", "login.example.com; rm", nil), ("VESTIBULE_SERVICE_PORT", "https", nil),
        ("VESTIBULE_SERVICE_PORTS", "8443", nil), ("VESTIBULE_SERVICE_HOSTNAME", "10.0.0.1", nil),
        ("VESTIBULE_SERVICE__HOST", "10.0.0.1", nil), ("VESTIBULE_PORT_8443", "tcp://10.0.0.1:8443", nil),
        ("VESTIBULE_PORT_8443_TCP_PORT", "8444", nil), ("VESTIBULE_PORT_8443_ICMP", "tcp://10.0.0.1:1", nil),
        ("VESTIBULE_LISTEN_PORT", "8443", "VESTIBULE_LISTEN__PORT"),
        ("VESTIBULE_SECRETS_SEALINGKEY", "x", "VESTIBULE_SECRETS__SEALINGKEY"),
        ("VESTIBULE_FACELOGIN_LIFETIME", "200s", "VESTIBULE_FACELOGIN__LIFETIME"),
    ])
    func `attack: an unknown VESTIBULE_ variable is refused, and the error names the nearest key`(
        _ name: String,
        _ text: String,
        _ nearest: String?
    ) throws {
        var fixture = SettingsFixture.minimal()
        fixture.environment[name] = text
        let faults = fixture.faults()
        #expect(faults.count == 1, "\(faults)")
        let fault = try #require(faults.first)
        #expect(fault.hasPrefix("\(name): "), "\(fault)")
        #expect(fault.contains("nearest is VESTIBULE_") || fault.contains("Did you mean"), "\(fault)")
        if let nearest { #expect(fault.hasSuffix("The nearest is \(nearest)"), "\(fault)") }
    }

    @Test func `no configuration key's variable looks like a service link`() throws {
        let names = SettingsSchema.root.infos.map { "VESTIBULE_\($0.name.uppercased())" }
        for name in names { #expect(!Self.links.keys.contains(name)) }
        var fixture = SettingsFixture.minimal()
        fixture.environment["VESTIBULE_LISTEN__PORT"] = "8443"
        #expect(try fixture.load().settings.listen.port == 8443)
    }
}
