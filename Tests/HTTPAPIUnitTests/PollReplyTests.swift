import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Operations
import Synchronization
import Testing
import Web
import Wire

@testable import HTTPAPI

/// The handwritten answer equals the encoding of Wire's types.
struct PollReplyTests {
    @Test(arguments: PendingHint.allCases)
    func `a pending answer is byte for byte what Wire encodes`(_ hint: PendingHint) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for seq in [1, 2, 10, 4_294_967_296, Int64.max] {
            for (left, shown) in Self.times {
                for interval in [1, 2, 30] {
                    let view = PollView.pending(hint: hint, seq: seq, timeLeft: left)
                    let response = PollReply.encode(view, interval: interval)
                    var expected = PollLoginResponse(status: .pending, seq: seq)
                    expected.hint = hint.rawValue
                    expected.operationExpiresIn = shown
                    expected.interval = interval
                    let bytes = try await response.bytes()
                    #expect(bytes == Array(try encoder.encode(expected)))
                    #expect(try JSONDecoder().decode(PollLoginResponse.self, from: Data(bytes)) == expected)
                    #expect(response.headers[.contentType] == "application/json")
                    #expect(response.status == .ok)
                }
            }
        }
    }

    @Test(arguments: FailureCode.allCases)
    func `a failed answer tells the code as text, with a sentence of its own`(_ code: FailureCode) async throws {
        let bytes = try await PollReply.encode(.failed(code, seq: 3), interval: 2).bytes()
        let body = try JSONDecoder().decode(PollLoginResponse.self, from: Data(bytes))
        #expect(body.status == .failed && body.seq == 3)
        #expect(body.code == code.rawValue && body.failure?.code == code.rawValue)
        #expect(body.failure?.retryable == code.isRetryable)
        #expect(body.message == body.failure?.message)
        #expect(body.message != code.rawValue, "every code has its sentence")
        #expect(body.operationExpiresIn == nil && body.interval == nil && body.tokens == nil)
    }

    @Test func `every failure has a sentence of its own`() {
        let sentences = FailureCode.allCases.map { LocalizedStrings.english.failure($0) }
        #expect(Set(sentences).count == FailureCode.allCases.count)
    }

    @Test func `no answer carries null, a date or a number that clients can't decode`() async throws {
        let views: [PollView] = [
            .pending(hint: .created, seq: 1, timeLeft: .seconds(1)), .failed(.expired, seq: 2), .delivered(seq: 9),
        ]
        for view in views {
            let text = String(decoding: try await PollReply.encode(view, interval: 2).bytes(), as: UTF8.self)
            #expect(!text.contains("null") && !text.contains("." + "0") && !text.contains("T00:"))
        }
    }

    private static let times: [(Duration, Int)] = [
        (.zero, 0), (.milliseconds(1), 1), (.milliseconds(999), 1), (.seconds(1), 1), (.milliseconds(1001), 2),
        (.seconds(180), 180), (.seconds(900), 900),
    ]
}

/// The handwritten answer to a start equals the encoding of Wire's types.
struct InitiateReplyTests {
    @Test(arguments: ["http://localhost:8080", "https://login.example.com", "https://login.example.com:8443"])
    func `the answer to a start is byte for byte what Wire encodes`(_ origin: String) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let url = origin + "/go/" + Base64URL.encode(Array(repeating: 0xFB, count: 32))
        for id in [UUIDBits(high: 0, low: 0), UUIDBits(high: .max, low: .max), UUIDBits(high: 1, low: 0xABCDEF)] {
            for (expiresIn, interval, seq) in [(180, 2, 1), (900, 30, 1), (125, 1, Int64.max)] as [(Int64, Int, Int64)]
            {
                let response = InitiateReply.encode(
                    operationID: id,
                    url: url,
                    expiresIn: expiresIn,
                    interval: interval,
                    seq: seq
                )
                let expected = InitiateLoginResponse(
                    operationId: id.description,
                    url: url,
                    operationExpiresIn: Int(expiresIn),
                    interval: interval,
                    seq: seq
                )
                let bytes = try await response.bytes()
                #expect(bytes == Array(try encoder.encode(expected)))
                #expect(try JSONDecoder().decode(InitiateLoginResponse.self, from: Data(bytes)) == expected)
                #expect(response.headers[.contentType] == "application/json" && response.status == .ok)
            }
        }
    }
}

extension Response {
    /// The whole body.
    func bytes() async throws -> [UInt8] {
        let writer = Collector()
        try await body.write(writer)
        return writer.bytes
    }
}

private final class Collector: ResponseBodyWriter {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }
    func write(_ buffer: ByteBuffer) async throws { collected.withLock { $0 += buffer.readableBytesView } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
