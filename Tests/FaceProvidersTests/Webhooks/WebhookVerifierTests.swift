import Foundation
import Kernel
import Operations
import Testing

@testable import FaceProviders

/// Standard Webhooks 1.0.0.
@Suite struct StandardWebhookTests {
    private let verifier = WebhookVerifier.standard(SampleWebhook.secret)

    @Test func `the published example verifies`() throws {
        var sample = SampleWebhook(body: Array(#"{"test": 2432232314}"#.utf8))
        sample.headers = [
            ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"), ("webhook-timestamp", "1614265330"),
            ("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
        ]
        let notice = try #require(verifier.notice(sample, at: Instant(seconds: 1_614_265_330)))
        #expect(notice.sentAt == Instant(seconds: 1_614_265_330))
        #expect(notice.reference == nil, "it names no scan")
    }

    @Test func `the scan is read from where the config says`() throws {
        let notice = try #require(verifier.notice(.standard()))
        #expect(notice.reference == ProviderReference("scan-1"))
        #expect(notice.memorable == .seconds(600))
        let again = try #require(verifier.notice(.standard(at: SampleWebhook.now + .seconds(9))))
        #expect(again.event == notice.event, "a second attempt has another time and the same id")
        #expect(verifier.notice(.standard(id: "msg_2"))?.event != notice.event)
    }

    @Test func `any of several keys may have signed, and any of several signatures may be theirs`() {
        let both = WebhookVerifier.standard(SampleWebhook.other, SampleWebhook.secret)
        #expect(both.notice(.standard()) != nil)
        #expect(both.notice(.standard(secrets: [SampleWebhook.other])) != nil)
        #expect(verifier.notice(.standard(secrets: [SampleWebhook.other, SampleWebhook.secret])) != nil)
        var mixed = SampleWebhook.standard()
        mixed["webhook-signature"] = "v1a,AAAA v2,x " + (mixed["webhook-signature"] ?? "")
        #expect(verifier.notice(mixed) != nil, "versions that we don't know are passed over")
    }

    @Test(arguments: ["v1,", "v1,AAAA", "v1,!!!!", "v1,\(String(repeating: "A", count: 4000))", "v1,é"])
    func `attack: malformed signature entries neither spoil a valid one beside them nor replace it`(
        _ entry: String
    ) {
        let signed = SampleWebhook.standard()["webhook-signature"] ?? ""
        var sample = SampleWebhook.standard()
        for text in ["\(entry) \(signed)", "\(signed) \(entry)", "\(entry) \(signed) \(entry)"] {
            sample["webhook-signature"] = text
            #expect(verifier.notice(sample) != nil, "\(text)")
        }
        let foreign = SampleWebhook.standard(secrets: [SampleWebhook.other])["webhook-signature"] ?? ""
        sample["webhook-signature"] = "\(entry) \(foreign)"
        #expect(verifier.read(sample) == .refused(.forged))
        sample["webhook-signature"] = "\(entry) \(entry)"
        #expect(verifier.read(sample) == .refused(.malformed))
        for (others, reading) in [(7, true), (8, false)] {
            sample["webhook-signature"] = ([signed] + Array(repeating: entry, count: others)).joined(separator: " ")
            #expect((verifier.notice(sample) != nil) == reading, "\(others) beside it")
        }
    }

    // T-057
    @Test func `a webhook that the key's holder did not sign is forged`() {
        var changed = SampleWebhook.standard()
        changed.body[9] ^= 1
        var longer = SampleWebhook.standard()
        longer.body.append(UInt8(ascii: " "))
        var renamed = SampleWebhook.standard()
        renamed["webhook-id"] = "msg_2"
        var redated = SampleWebhook.standard()
        redated["webhook-timestamp"] = "\(SampleWebhook.now.seconds + 1)"
        let foreign = SampleWebhook.standard(secrets: [SampleWebhook.other])
        for sample in [changed, longer, renamed, redated, foreign] {
            #expect(verifier.read(sample) == .refused(.forged))
        }
    }

    // T-057
    /// OWASP Cryptographic Storage: without a signature nothing may pass, whatever the rest looks like.
    @Test func `a missing or doubled header counts as a missing signature`() {
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            var missing = SampleWebhook.standard()
            missing[name] = nil
            #expect(verifier.read(missing) == .refused(.unsigned), "\(name)")
            var doubled = SampleWebhook.standard()
            doubled.headers.append((name, doubled[name] ?? ""))
            #expect(verifier.read(doubled) == .refused(.unsigned), "\(name)")
        }
    }

    @Test(arguments: [
        ("webhook-signature", ""), ("webhook-signature", "v1"), ("webhook-signature", "v1,"),
        ("webhook-signature", "v1,AAAA"), ("webhook-signature", "v1a,AAAA"), ("webhook-signature", "none"),
        (
            "webhook-signature",
            Array(repeating: "v1," + Data(count: 32).base64EncodedString(), count: 9).joined(separator: " ")
        ),
        ("webhook-timestamp", ""), ("webhook-timestamp", "-1"), ("webhook-timestamp", "+1800000000"),
        ("webhook-timestamp", "1800000000.0"), ("webhook-timestamp", "9223372036854775808"),
        ("webhook-timestamp", "１８０００００００００"), ("webhook-id", ""), ("webhook-id", "a b"), ("webhook-id", "a\u{e9}"),
        ("webhook-id", String(repeating: "a", count: 257)),
    ])
    func `a header that can't be one is refused before anything is computed`(name: String, value: String) {
        var sample = SampleWebhook.standard()
        sample[name] = value
        #expect(verifier.read(sample) == .refused(.malformed))
    }

    // T-058
    /// Standard Webhooks, "Signature scheme": neither id nor time may hold a full stop.
    ///
    /// `a.b.c.{}` signed as id `a` with
    /// body `c.{}` must not be taken for id `a.b`.
    @Test func `the signed bytes can't be cut at another place`() {
        let time = SampleWebhook.now.seconds
        let genuine = SampleWebhook.standard(id: "msg_1", "\(time).{}")
        #expect(verifier.notice(genuine) != nil)
        var cut = genuine
        cut["webhook-id"] = "msg_1.\(time)"
        cut.body = Array("{}".utf8)
        #expect(verifier.read(cut) == .refused(.malformed))
    }

    @Test func `a time too far from ours is stale, either way`() {
        let now = SampleWebhook.now
        for (offset, isFresh) in [(-301, false), (-300, true), (0, true), (300, true), (301, false), (-3600, false)] {
            let sample = SampleWebhook.standard(at: now + .seconds(offset))
            #expect((verifier.notice(sample) != nil) == isFresh, "\(offset) s")
            if !isFresh { #expect(verifier.read(sample) == .refused(.stale)) }
        }
    }

    @Test func `nobody without the key learns that a time is stale`() {
        let sample = SampleWebhook.standard(at: SampleWebhook.now - .seconds(3600), secrets: [SampleWebhook.other])
        #expect(verifier.read(sample) == .refused(.forged))
    }

    @Test func `a secret is 24 to 64 bytes behind its prefix`() {
        func secret(_ count: Int) -> Secret { Secret("whsec_" + Data(count: count).base64EncodedString()) }
        for count in [24, 32, 64] { #expect(WebhookKey.standard(secret(count))?.count == count) }
        for count in [0, 23, 65] { #expect(WebhookKey.standard(secret(count)) == nil) }
        #expect(WebhookKey.standard(Secret(Data(count: 32).base64EncodedString())) == nil)
        #expect(WebhookKey.standard(Secret("whsec_!!!!")) == nil)
    }

    // T-059
    @Test func `a decoy refuses a webhook that its model accepts`() {
        let decoy = WebhookVerifier.decoy(like: nil, key: Secret("a key that nobody has"))
        #expect(decoy.read(.standard()) == .refused(.forged))
    }
}

@Suite struct HMACWebhookTests {
    private let body = #"{"id":"scan-1","status":"done"}"#
    private let key = Array("a key of the provider".utf8)
    private let now = SampleWebhook.now

    private func sample(_ signature: String, timestamp: String? = nil) -> SampleWebhook {
        var sample = SampleWebhook(body: Array(body.utf8))
        sample["X-Signature"] = signature
        sample["X-Timestamp"] = timestamp
        return sample
    }

    private func code(_ prefix: String = "") -> [UInt8] { SampleWebhook.mac(prefix, Array(body.utf8), key: key) }

    @Test func `the body's code in hexadecimal, with or without its prefix`() {
        let verifier = WebhookVerifier.hmac(.hex)
        for text in [
            SampleWebhook.hex(code()), SampleWebhook.hex(code()).uppercased(), "sha256=" + SampleWebhook.hex(code()),
        ] {
            #expect(verifier.notice(sample(text))?.reference == ProviderReference("scan-1"))
        }
        #expect(verifier.read(sample(SampleWebhook.hex(code("x")))) == .refused(.forged))
        for text in ["", "sha1=00", "zz", String(repeating: "0", count: 63), String(repeating: "g", count: 64)] {
            #expect(verifier.read(sample(text)) == .refused(.malformed), "\(text)")
        }
    }

    @Test func `the body's code in base64`() {
        let verifier = WebhookVerifier.hmac(.base64)
        #expect(verifier.notice(sample(Data(code()).base64EncodedString())) != nil)
        #expect(verifier.read(sample(SampleWebhook.hex(code()))) == .refused(.malformed))
    }

    // T-057
    @Test func `a time in a header of its own is signed with the body`() {
        let verifier = WebhookVerifier.hmac(.hex, timestampHeader: "X-Timestamp")
        let signed = SampleWebhook.hex(code("\(now.seconds)."))
        #expect(verifier.notice(sample(signed, timestamp: "\(now.seconds)"))?.sentAt == now)
        #expect(verifier.read(sample(signed)) == .refused(.unsigned))
        #expect(verifier.read(sample(signed, timestamp: "\(now.seconds + 1)")) == .refused(.forged))
        let old = now.seconds - 301
        let replayed = sample(SampleWebhook.hex(code("\(old).")), timestamp: "\(old)")
        #expect(verifier.read(replayed) == .refused(.stale))
    }

    // T-057
    @Test func `a stamped header has its time and several codes`() {
        let verifier = WebhookVerifier.hmac(.stamped)
        let signed = SampleWebhook.hex(code("\(now.seconds)."))
        let wrong = String(repeating: "0", count: 64)
        for text in [
            "t=\(now.seconds),v1=\(signed)", "t=\(now.seconds),v1=\(wrong),v1=\(signed),v0=x",
            "t=\(now.seconds),v1=\(wrong) t=\(now.seconds),v1=\(signed)",
        ] {
            #expect(verifier.notice(sample(text))?.sentAt == now, "\(text)")
        }
        #expect(verifier.read(sample("t=\(now.seconds),v1=\(wrong)")) == .refused(.forged))
        #expect(verifier.read(sample("t=1,v1=\(signed)")) == .refused(.forged))
        for text in [
            "v1=\(signed)", "t=\(now.seconds)", "t=1,t=2,v1=\(signed)", "t=x,v1=\(signed)", "t=\(now.seconds),v1=zz",
        ] {
            #expect(verifier.read(sample(text)) == .refused(.malformed), "\(text)")
        }
    }

    // T-058
    /// An id that is not signed could be changed by a sender of the same webhook once more.
    @Test func `a repetition is the same event, whatever unsigned headers say`() throws {
        let verifier = WebhookVerifier.hmac(.hex)
        var sample = sample(SampleWebhook.hex(code()))
        let first = try #require(verifier.notice(sample))
        sample["webhook-id"] = "another"
        sample["X-Request-Id"] = "another"
        #expect(verifier.notice(sample)?.event == first.event)
    }
}

@Suite struct WebhookReferencePathTests {
    @Test(arguments: [
        ("/a", #"{"a":"x"}"#, "x"), ("/a/b", #"{"a":{"b":"x"}}"#, "x"), ("/a/1/b", #"{"a":[0,{"b":"x"}]}"#, "x"),
        ("/a", #"{"a":42}"#, "42"), ("/a~1b", #"{"a/b":"x"}"#, "x"), ("/m~0n", #"{"m~n":"x"}"#, "x"),
        ("/~01", #"{"~1":"x"}"#, "x"), ("/", #"{"":"x"}"#, "x"), ("/0", #"{"0":"x"}"#, "x"), ("", #""x""#, "x"),
    ])
    func `RFC 6901 finds`(pointer: String, json: String, value: String) {
        #expect(WebhookReferencePath(pointer)?.text(in: Array(json.utf8)) == value)
    }

    @Test(arguments: [
        ("/a", #"{"b":"x"}"#), ("/a", #"{"a":null}"#), ("/a", #"{"a":{}}"#), ("/a", #"{"a":1.5}"#),
        ("/a", #"{"a":""}"#),
        ("/a/01", #"{"a":["x","y"]}"#), ("/a/-", #"{"a":["x"]}"#), ("/a/1", #"{"a":["x"]}"#), ("/a/b", #"{"a":"x"}"#),
        ("/a", "not json"), ("/a", ""), ("/a", #"{"a":true}"#),
    ])
    func `and finds nothing where there is no id`(pointer: String, json: String) {
        #expect(WebhookReferencePath(pointer)?.text(in: Array(json.utf8)) == nil)
    }

    @Test func `a text other than a pointer is not read as one`() {
        for text in ["a", "a/b", "/~", "/~2", "/a~"] { #expect(WebhookReferencePath(text) == nil, "\(text)") }
        #expect(WebhookReferencePath(String(repeating: "/a", count: 33)) == nil)
    }

    @Test func `a deep or long body does not crash it`() {
        let path = WebhookReferencePath("/a/b")
        let deep = Array(String(repeating: #"{"a":"#, count: 10_000).utf8)
        #expect(path?.text(in: deep) == nil)
        #expect(path?.text(in: Array(repeating: UInt8(ascii: "["), count: 65_536)) == nil)
        let id = String(repeating: "x", count: 257)
        #expect(WebhookReferencePath("/a")?.text(in: Array(#"{"a":"\#(id)"}"#.utf8)) == nil)
    }
}
