import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Testing

@testable import HTTPAPI

/// What the sign-in page remembers of a browser.
struct BrowserMemoryTests {
    private static func request(_ cookies: String) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.cookie: cookies]),
            body: RequestBody(buffer: .init())
        )
    }

    @Test(arguments: SignInWay.allCases)
    func `the cookies have the way and nothing else, with a companion over https`(_ way: SignInWay) {
        for isSecure in [true, false] {
            let memory = BrowserMemory(isSecure: isSecure)
            var response = Response(status: .ok)
            memory.keep(way, on: &response)
            let pairs = response.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
            let bases = way == .passkey ? ["vst_way", "vst_passkey"] : ["vst_way"]
            let names = bases.flatMap { isSecure ? [$0, "__Host-\($0)"] : [$0] }
            #expect(pairs == names.map { "\($0)=\(way.rawValue)" })
            #expect(memory.lastWay(Self.request(pairs.joined(separator: "; "))) == way)
            #expect(memory.hasUsedPasskey(Self.request(pairs.joined(separator: "; "))) == (way == .passkey))
            #expect(response.headers[values: .setCookie].allSatisfy { $0.contains("; HttpOnly; SameSite=Lax") })
        }
    }

    @Test(arguments: [
        "vst_way=mail", "__Host-vst_way=mail", "vst_way=mail; __Host-vst_way=face", "vst_way=x; __Host-vst_way=x", "",
    ])
    func `attack: a cookie that another site of the domain has set is not remembered over https`(_ cookies: String) {
        #expect(BrowserMemory(isSecure: true).lastWay(Self.request(cookies)) == nil)
    }

    @Test func `a browser whose person wants no passkey says so with a word`() {
        let memory = BrowserMemory(isSecure: false)
        var response = Response(status: .ok)
        memory.keepWantingNoPasskey(on: &response)
        #expect(response.headers[.setCookie]?.hasPrefix("vst_later=passkey; Path=/; Max-Age=2592000;") == true)
        #expect(memory.wantsNoPasskey(Self.request("vst_later=passkey")))
        #expect(!memory.wantsNoPasskey(Self.request("vst_later=always; vst_way=passkey")))
    }
}
