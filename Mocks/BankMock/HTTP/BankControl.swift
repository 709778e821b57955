import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import MockServing
import NIOCore

/// `/_mock`: what testers steer and look at.
///
/// It has no keys; the mock listens on loopback for that reason.
struct BankControl: Sendable {
    let backend: BankMockBackend

    func add(to router: Router<MockContext>) {
        router.put("/_mock/faults", use: setFault)
        router.delete("/_mock/faults", use: clearFaults)
        router.put("/_mock/redirect-uris", use: setRedirectURIs)
        router.put("/_mock/customers/{customer}/cards", use: setCards)
        router.delete("/_mock/tokens", use: revokeTokens)
        router.get("/_mock/requests", use: showCounts)
        router.delete("/_mock/requests", use: clearCounts)
    }

    private struct FaultOrder: Decodable {
        let target: BankCall
        let fault: BankFaultKind
        let count: Int?
        let ms: Int64?
    }

    private struct Counts: Encodable {
        let counts: [String: Int]
    }

    @Sendable private func setFault(_ request: Request, _: MockContext) async throws -> Response {
        guard let order = try await read(FaultOrder.self, request), order.fault.applies(to: order.target),
            (order.count ?? 1) > 0, (0...600_000).contains(order.ms ?? 0)
        else {
            let calls = BankCall.allCases.map(\.rawValue).joined(separator: ", ")
            let kinds = BankFaultKind.allCases.map(\.rawValue).joined(separator: ", ")
            return Self.refusal("send {target, fault, count?, ms?}; targets: \(calls); faults: \(kinds)")
        }
        let fault = BankFault(order.fault, count: order.count, delay: .milliseconds(order.ms ?? 2000))
        backend.with { state, _ in state.setFault(fault, on: order.target) }
        return Response(status: .noContent)
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.clearFaults() }
        return Response(status: .noContent)
    }

    /// `["https://…", …]`: known to no one before the servers that they lead to have a port.
    @Sendable private func setRedirectURIs(_ request: Request, _: MockContext) async throws -> Response {
        guard let addresses = try await read([String].self, request) else {
            return Self.refusal("send a list of addresses")
        }
        backend.with { state, _ in state.redirectURIs = Set(addresses) }
        return Response(status: .noContent)
    }

    @Sendable private func setCards(_ request: Request, _ context: MockContext) async throws -> Response {
        let customer = context.parameters.get("customer") ?? ""
        guard let cards = try await read([BankMockCard].self, request) else {
            return Self.refusal("send a list of {id, lastFour, network}")
        }
        guard backend.with({ state, _ in state.setCards(cards, of: customer) }) else {
            return MockReply.json(#"{"error":"no such customer"}"#, .notFound).response
        }
        return Response(status: .noContent)
    }

    @Sendable private func revokeTokens(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.revokeTokens() }
        return Response(status: .noContent)
    }

    @Sendable private func showCounts(_: Request, _: MockContext) async throws -> Response {
        let counts = backend.with { state, _ in
            Counts(
                counts: Dictionary(uniqueKeysWithValues: BankCall.allCases.map { ($0.rawValue, state.counts[$0] ?? 0) })
            )
        }
        return MockReply.json(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self)).response
    }

    @Sendable private func clearCounts(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.clearCounts() }
        return Response(status: .noContent)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ request: Request) async throws -> Value? {
        let body = try await request.body.collect(upTo: 65_536)
        return try? JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    private static func refusal(_ text: String) -> Response {
        MockReply.json(#"{"error":"\#(text)"}"#, .badRequest).response
    }
}
