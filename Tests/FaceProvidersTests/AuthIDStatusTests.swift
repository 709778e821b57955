import Operations
import Testing

@testable import FaceProviders

struct AuthIDStatusTests {
    @Test(
        arguments: [
            (-1, .unrecognised), (0, .pending(.userInProvider)), (1, .approved), (2, .rejected(.declined)),
            (3, .expired),
            (4, .broken), (5, .canceled), (6, .unrecognised), (7, .unrecognised), (8, .unrecognised),
            (9, .unrecognised),
            (Int.max, .unrecognised),
        ] as [(Int, ScanStatus)]
    )
    func `every number has its meaning, and only 1 approves`(_ number: Int, _ status: ScanStatus) {
        #expect(AuthIDStatus.status(number, message: nil) == status)
        let body = #"{"TransactionId":"tx-1","Status":\#(number),"Message":null,"StartDate":"x","EndDate":null}"#
        #expect(AuthIDStatus.read(Array(body.utf8), of: ProviderReference("tx-1")) == status)
    }

    @Test(
        arguments: [
            ("Not authorized. Biometry verification failed.", .notMatched),
            ("Not authorized. Liveness detection failed.", .livenessFailed),
            ("Not authorized. Biometry verification failed. Liveness detection failed.", .livenessFailed),
            ("Not authorized. Liveness detection failed. Biometry verification failed.", .livenessFailed),
            ("LIVENESS DETECTION FAILED", .livenessFailed), ("biometry verification failed", .notMatched),
            ("Not authorized.", .declined), ("Declined by user", .declined), ("", .declined), (nil, .declined),
        ] as [(String?, ScanStatus.Rejection)]
    )
    func `a rejection's message says why`(_ message: String?, _ reason: ScanStatus.Rejection) {
        #expect(AuthIDStatus.status(2, message: message) == .rejected(reason))
    }

    @Test(arguments: [0, 1, 3, 4, 5])
    func `a message changes nothing but a rejection`(_ number: Int) {
        let plain = AuthIDStatus.status(number, message: nil)
        #expect(AuthIDStatus.status(number, message: "Liveness detection failed. Biometry failed.") == plain)
    }

    // T-050
    @Test(arguments: [
        "", "null", "1", "[]", "true", "<html>Accepted</html>", "{}", #"{"Status":1}"#, #"{"TransactionId":"tx-1"}"#,
        #"{"TransactionId":null,"Status":1}"#, #"{"TransactionId":"","Status":1}"#,
        #"{"TransactionId":"tx-2","Status":1}"#, #"{"TransactionId":"TX-1","Status":1}"#,
        #"{"TransactionId":"tx-1 ","Status":1}"#, #"{"TransactionId":1,"Status":1}"#,
        #"{"TransactionId":"tx-1","Status":"1"}"#, #"{"TransactionId":"tx-1","Status":"Accepted"}"#,
        #"{"TransactionId":"tx-1","Status":true}"#, #"{"TransactionId":"tx-1","Status":null}"#,
        #"{"TransactionId":"tx-1","Status":1.5}"#, #"{"TransactionId":"tx-1","Status":[1]}"#,
        #"{"TransactionId":"tx-1","Status":99999999999999999999}"#, #"{"transactionId":"tx-1","status":1}"#,
        #"{"TransactionId":"tx-1","Status":1"#, #"[{"TransactionId":"tx-1","Status":1}]"#,
    ])
    func `an answer that can't be read, or is about another transaction, never approves`(_ body: String) {
        #expect(AuthIDStatus.read(Array(body.utf8), of: ProviderReference("tx-1")) == .nonsense)
    }

    // T-052
    @Test(arguments: [
        #"{"TransactionId":"tx-1","Status":1,"Status":2}"#, #"{"TransactionId":"tx-1","Status":2,"Status":1}"#,
        #"{"TransactionId":"tx-1","Status":1,"Status":1}"#,
        #"{"TransactionId":"tx-2","Status":1,"TransactionId":"tx-1"}"#,
        #"{"TransactionId":"tx-1","Status":1,"\u0053tatus":2}"#, #"{"TransactionId":"tx-1","Status":1} {"Status":2}"#,
        #"{"TransactionId":"tx-1","Status":1,"x":{"y":1,"y":2}}"#, #"{"TransactionId":"tx-1","Status":1,}"#,
    ])
    func `attack: an ambiguous status answer never approves`(_ body: String) {
        #expect(AuthIDStatus.read(Array(body.utf8), of: ProviderReference("tx-1")) == .nonsense)
    }

    // T-052
    @Test(arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `attack: a status answer in invalid UTF-8 never approves`(_ bytes: [UInt8]) {
        let body = Array(#"{"TransactionId":"tx-1","Status":1,"Message":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(AuthIDStatus.read(body, of: ProviderReference("tx-1")) == .nonsense)
    }

    @Test(arguments: [
        #"{"OperationId":"op-1","Status":1,"Liveness":{"Passed":true},"Liveness":{"Passed":false}}"#,
        #"{"OperationId":"op-1","Status":1,"Liveness":{"Passed":true,"Passed":false}}"#,
        #"{"OperationId":"op-1","Status":1,"Liveness":{"Passed":"true"}}"#,
    ])
    func `attack: an enrolment's result that is ambiguous never approves`(_ body: String) {
        #expect(AuthIDEnrolmentResult.read(Array(body.utf8), of: "op-1") == .nonsense)
    }

    // T-052
    @Test(arguments: [
        #"{"AccessToken":"a","AccessToken":"b"}"#, #"{"AccessToken":"a"} x"#, #"["a"]"#, #"{"AccessToken":1}"#,
    ])
    func `attack: a token answer that is ambiguous gives no token`(_ body: String) {
        #expect(AuthIDTokenPair(parsing: Array(body.utf8)) == nil)
        #expect(AuthIDTokenPair(parsing: Array(#"{"AccessToken":"a","RefreshToken":null}"#.utf8)) != nil)
    }

    @Test(arguments: ["[", #"{"TransactionId":"#]) func `a deeply nested answer is nonsense`(_ piece: String) {
        let body = Array(String(repeating: piece, count: 65_536 / piece.utf8.count).utf8)
        #expect(AuthIDStatus.read(body, of: ProviderReference("tx-1")) == .nonsense)
    }

    @Test func `bytes that are not text are nonsense`() {
        #expect(AuthIDStatus.read([0xFF, 0xFE, 0x00, 0x31], of: ProviderReference("tx-1")) == .nonsense)
    }

    @Test func `a message in an odd form costs nothing`() {
        let body = #"{"TransactionId":"tx-1","Status":2,"Message":{"Text":"Liveness"}}"#
        #expect(AuthIDStatus.read(Array(body.utf8), of: ProviderReference("tx-1")) == .rejected(.declined))
    }
}
