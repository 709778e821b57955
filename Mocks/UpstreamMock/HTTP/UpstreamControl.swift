import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import MockServing
import NIOCore

/// `/_mock`: what testers steer and look at.
///
/// It has no keys; the mock listens on loopback for that reason.
struct UpstreamControl: Sendable {
    let backend: UpstreamMockBackend

    func add(to router: Router<MockContext>) {
        router.put("/_mock/faults", use: setFault)
        router.delete("/_mock/faults", use: clearFaults)
        router.put("/_mock/redirect-uris", use: setRedirectURIs)
        router.get("/_mock/requests", use: showCounts)
        router.delete("/_mock/requests", use: clearCounts)
    }

    private struct FaultOrder: Decodable {
        let target: UpstreamCall
        let fault: UpstreamFaultKind
        let count: Int?
        let ms: Int64?
    }

    private struct Counts: Encodable {
        let counts: [String: Int]
        let lastTokenParameters: [String]
    }

    @Sendable private func setFault(_ request: Request, _: MockContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 65_536)
        guard let order = try? JSONDecoder().decode(FaultOrder.self, from: Data(body.readableBytesView)),
            order.fault.applies(to: order.target), (order.count ?? 1) > 0, (0...600_000).contains(order.ms ?? 0)
        else {
            let calls = UpstreamCall.allCases.map(\.rawValue).joined(separator: ", ")
            let kinds = UpstreamFaultKind.allCases.map(\.rawValue).joined(separator: ", ")
            return MockReply.json(
                #"{"error":"send {target, fault, count?, ms?}; targets: \#(calls); faults: \#(kinds)"}"#,
                .badRequest
            ).response
        }
        let fault = UpstreamFault(order.fault, count: order.count, delay: .milliseconds(order.ms ?? 2000))
        backend.with { state, _ in state.setFault(fault, on: order.target) }
        return Response(status: .noContent)
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.clearFaults() }
        return Response(status: .noContent)
    }

    /// `["https://…", …]`: known to no one before the servers that they lead to have a port.
    @Sendable private func setRedirectURIs(_ request: Request, _: MockContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 65_536)
        guard let addresses = try? JSONDecoder().decode([String].self, from: Data(body.readableBytesView)) else {
            return MockReply.json(#"{"error":"send a list of addresses"}"#, .badRequest).response
        }
        backend.with { state, _ in state.redirectURIs = Set(addresses) }
        return Response(status: .noContent)
    }

    @Sendable private func showCounts(_: Request, _: MockContext) async throws -> Response {
        let counts = backend.with { state, _ in
            Counts(
                counts: Dictionary(
                    uniqueKeysWithValues: UpstreamCall.allCases.map { ($0.rawValue, state.counts[$0] ?? 0) }
                ),
                lastTokenParameters: state.lastTokenParameters
            )
        }
        let json = try JSONEncoder().encode(counts)
        return MockReply.json(String(decoding: json, as: UTF8.self)).response
    }

    @Sendable private func clearCounts(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.clearCounts() }
        return Response(status: .noContent)
    }
}
