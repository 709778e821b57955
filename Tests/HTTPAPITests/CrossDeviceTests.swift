import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// `mode: cross-device`: the app shows two digits, and the person types them on the page.
struct CrossDeviceTests {
    @Test func `the answer has two digits, and the page has a field for them and not the digits`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            for _ in 0..<20 {
                let login = try await harness.startAcross()
                let number = try #require(login.answer.number)
                #expect(number.utf8.count == 2 && Int(number) != nil)
                let page = try await harness.send(.get, login.landingPath)
                #expect(page.status == .ok && page.text.contains(#"<label for="number">Number in the app</label>"#))
                #expect(page.text.contains("inputmode=\"numeric\"") && page.text.contains("Is this you?"))
                #expect(!page.text.contains("<script") && !page.text.contains("value="))
                let shown = page.text.replacing(login.ticket, with: "").replacing(
                    /<style>.*<\/style>/.dotMatchesNewlines(),
                    with: ""
                )
                .replacing(/<svg.*<\/svg>/, with: "")
                #expect(!shown.contains(">\(number)<"))
            }
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the pairing number begins the scan in a browser other than the app's`(_ storage: HarnessStorage) async throws
    {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.startAcross()
            let response = try await harness.type(login.answer.number, login)
            #expect(response.status == .seeOther)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "completed")
        }
    }

    @Test func `a form without digits is asked again and costs no try`() async throws {
        try await Harness.run { harness in
            let login = try await harness.startAcross()
            for body in ["", "number=", "number=7", "other=11", "number", "number=%", "number=0%37x", "=&&="] {
                let page = try await harness.send(form: body, login)
                #expect(page.status == .badRequest, "\(body)")
                #expect(page.text.contains(#"role="alert">Type the two digits"#))
            }
            let large = String(repeating: "x", count: 2000) + "&number=" + (login.answer.number ?? "")
            #expect(try await harness.send(form: large, login).status == .badRequest)
            let wrongType = try await harness.send(
                .post,
                login.landingPath,
                [.contentType: "text/plain"],
                body: "number=\(login.answer.number ?? "")"
            )
            #expect(wrongType.status == .badRequest)
            #expect(try harness.operation(login).binding.wrongNumbers == 0)
        }
    }

    // T-019
    @Test func `attack: the third wrong pairing number ends the login, and the right one is refused afterwards`()
        async throws
    {
        try await Harness.run { harness in
            for email in ["ada@example.com", "nobody@example.com"] {
                let login = try await harness.startAcross(email)
                let right = try #require(login.answer.number.flatMap { Int($0) })
                let wrong = PairingNumber((right + 1) % 100)?.text
                for left in [2, 1] {
                    let page = try await harness.type(wrong, login)
                    #expect(page.status == .badRequest && page.text.contains("Tries left: \(left)."))
                    #expect(page.text.contains("aria-invalid=\"true\""))
                }
                let last = try await harness.type(wrong, login)
                #expect(last.status == .forbidden && last.text.contains("The number was wrong three times"))
                #expect(try await harness.word(login, login.bound) == "too_many_attempts")
                #expect(try await harness.type(login.answer.number, login).status == .gone)
            }
            #expect(harness.provider.calls.isEmpty)
        }
    }

    // T-019, T-177
    @Test func `attack: opening a cross-device link without the pairing number calls no provider`() async throws {
        try await Harness.run { harness in
            let login = try await harness.startAcross()
            #expect(try await harness.open(login).status == .badRequest)
            #expect(harness.provider.calls.isEmpty)
            #expect(try await harness.word(login, login.bound) == "created")
        }
    }

    @Test func `a decoy's answer and pages are the real one's`() async throws {
        try await Harness.run { harness in
            let real = try await harness.startAcross()
            let decoy = try await harness.startAcross("anna@example.com")
            #expect(decoy.response.headerNames == real.response.headerNames)
            #expect(decoy.response.body.readableBytes == real.response.body.readableBytes)
            let pages = [
                try await harness.send(.get, real.landingPath).text.replacing(real.ticket, with: "T"),
                try await harness.send(.get, decoy.landingPath).text.replacing(decoy.ticket, with: "T"),
            ]
            #expect(pages[0] == pages[1])
        }
    }

    @Test(arguments: ["other-device", "", "Cross-Device"])
    func `another mode is refused`(mode: String) async throws {
        try await Harness.run { harness in
            let body = #"{"email":"ada@example.com","mode":"\#(mode)"}"#
            try harness.expect(try await harness.post(Harness.initiatePath, body), is: "invalid_mode", 400)
        }
    }

    @Test func `forms are read as browsers write them`() {
        #expect(FormBody.field("number", in: "a=1&number=0%37&number=9") == "07")
        #expect(FormBody.field("number", in: "numb%65r=+42+") == " 42 ")
        #expect(FormBody.field("number", in: "number") == "")
        #expect(FormBody.field("number", in: "a=b") == nil)
        #expect(FormBody.field("number", in: "number=%zz%4") == "%zz%4")
    }
}

extension Harness {
    func startAcross(_ email: String = "ada@example.com") async throws -> StartedLogin {
        let response = try await post(Self.initiatePath, #"{"email":"\#(email)","mode":"cross-device"}"#)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        return StartedLogin(
            response: response,
            answer: answer,
            cookie: try #require(response.cookie("vst_op_")),
            ticket: String(try #require(answer.authIdUrl.split(separator: "/").last))
        )
    }

    func type(_ number: String?, _ login: StartedLogin) async throws -> TestResponse {
        try await send(form: "number=\(number ?? "")", login)
    }

    func send(form: String, _ login: StartedLogin) async throws -> TestResponse {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .fetchSite: "same-origin"]
        return try await send(.post, login.landingPath, headers, body: form)
    }
}
