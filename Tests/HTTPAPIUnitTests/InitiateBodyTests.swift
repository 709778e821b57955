import FoundationEssentials
import Kernel
import Testing
import Wire

@testable import HTTPAPI

@Suite struct InitiateBodyTests {
    @Test(arguments: [
        #"{"email":"ada@example.com"}"#,
        #"{"email":"ad\u00e9\n\ud83d\ude00@example.com","clientId":null,"deviceCount":null,"further":[1,{"a":2}]}"#,
        #"{"email":"a","clientId":"b","codeChallenge":"c","codeChallengeMethod":"S256","mode":"cross-device"}"#,
        #"{"deviceId":"d","deviceSignature":"e","deviceCount":-7,"returnUrl":"f","supersedes":"g","email":""}"#,
        #"{"deviceCount":9223372036854775807,"email":"a"}"#,
    ])
    func `a start is read as a decoder reads it`(_ body: String) throws {
        let decoded = try JSONDecoder().decode(InitiateLoginRequest.self, from: Data(body.utf8))
        let value = try JSONReader.read(Array(body.utf8))
        #expect(InitiateLoginRequest(plain: value) == decoded)
    }

    @Test(arguments: [
        "[]", "5", "{}", #"{"email":null}"#, #"{"email":5}"#, #"{"email":"a","mode":5}"#,
        #"{"email":"a","clientId":[]}"#, #"{"email":"a","deviceCount":"5"}"#, #"{"email":"a","deviceCount":5.5}"#,
        #"{"email":"a","deviceCount":9223372036854775808}"#, #"{"email":"a","supersedes":true}"#,
    ])
    func `an unusual start is left to the decoder, which names the invalid member`(_ body: String) throws {
        #expect(InitiateLoginRequest(plain: try JSONReader.read(Array(body.utf8))) == nil)
    }
}
