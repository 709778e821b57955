import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Settings
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The files by which browsers and phones learn whose passkeys these are.
struct RelyingPartyTests {
    private static let fingerprint =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
    private static let paths = ["apple-app-site-association", "assetlinks.json", "webauthn"]

    @Test func `without apps and origins in the config the well-known passkey files are 404`() async throws {
        try await Harness.run { harness in
            for path in Self.paths {
                try harness.expect(try await harness.send(.get, "/.well-known/\(path)"), is: "not_found", 404)
            }
        }
    }

    @Test func `the well-known passkey files are served as JSON without a redirect`() async throws {
        try await Harness.run { settings in
            settings.passkeys.apps.apple = ["A1B2C3D4E5.com.example.app"]
            settings.passkeys.apps.android = [AndroidApp("com.example.app \(Self.fingerprint)")].compactMap { $0 }
            settings.passkeys.relyingParty.relatedOrigins = ["https://example.net"]
        } _: { harness in
            var bodies: [Any] = []
            for path in Self.paths {
                let file = try await harness.send(.get, "/.well-known/\(path)")
                #expect(file.status == .ok && file.headers[.contentType] == "application/json", "\(path)")
                bodies.append(try JSONSerialization.jsonObject(with: Data(file.body.readableBytesView)))
            }
            let apple = try #require(bodies[0] as? [String: [String: [String]]])
            #expect(apple == ["webcredentials": ["apps": ["A1B2C3D4E5.com.example.app"]]])
            let links = try #require(bodies[1] as? [[String: Any]])
            let target = try #require(links.first?["target"] as? [String: Any])
            #expect(links.count == 1 && target["package_name"] as? String == "com.example.app")
            #expect(target["sha256_cert_fingerprints"] as? [String] == [Self.fingerprint])
            #expect(
                links.first?["relation"] as? [String] == [
                    "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
                ]
            )
            #expect(bodies[2] as? [String: [String]] == ["origins": ["https://example.net"]])
        }
    }

    @Test func `an app of Android signs in from the origin that its certificate gives it`() async throws {
        try await Harness.run {
            $0.passkeys.apps.android = [AndroidApp("com.example.app \(Self.fingerprint)")].compactMap { $0 }
        } _: { harness in
            let origin = harness.settings.relyingParty.origins.last
            #expect(origin == "android:apk-key-hash:FG3pg8VzBlDY7rmVLzT8ZBagg0LmHb6oigSWsj_PROU")
            var phone = harness.browser
            phone.origin = try #require(origin)
            let ada = try await harness.signUp("ada")
            #expect(try await harness.signIn(ada.credential, by: phone).status == .ok)
        }
    }
}
