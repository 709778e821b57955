import Foundation
import Kernel
import Outbound

/// Sends requests as they are given: keeps no cookies and follows no redirect.
struct WebClient: Sendable {
    private let http: OutboundHTTP

    /// An answer.
    struct Reply: Sendable, CustomStringConvertible {
        let status: Int
        let headers: [OutboundHeader]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
        var description: String { "HTTP \(status) \(headers.map { "\($0.name): \($0.value)" }) \(text)" }

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

        /// `name=value` of each cookie that it sets.
        var cookies: [String] {
            headers.filter { $0.name.lowercased() == "set-cookie" }.map { String($0.value.prefix { $0 != ";" }) }
        }

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            do { return try JSONDecoder().decode(type, from: body) } catch {
                throw ExpectationError("\(self) is no \(type): \(error)")
            }
        }
    }

    /// Runs `body` with a client, and closes its connections.
    static func use<Value: Sendable>(_ body: (WebClient) async throws -> Value) async throws -> Value {
        let limits = OutboundLimits(connectTimeout: .seconds(30), connectionsPerHost: 1000)
        return try await OutboundHTTP.use(limits, clock: RealClock()) { try await body(WebClient(http: $0)) }
    }

    /// Throws ``OutboundError`` when there is no answer.
    func send(
        _ method: OutboundMethod,
        _ url: String,
        _ headers: [String: String] = [:],
        json: String? = nil,
        form: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> Reply {
        var request = OutboundRequest(method, .url(url), timeout: limit, maxResponseBytes: 1024 * 1024)
        request.headers = headers.map { OutboundHeader($0, $1) }
        if let json {
            request.body = Array(json.utf8)
            request.headers.append(OutboundHeader("Content-Type", "application/json"))
        }
        if let form {
            request.body = Array(form.utf8)
            request.headers.append(OutboundHeader("Content-Type", "application/x-www-form-urlencoded"))
        }
        let response: OutboundResponse
        do throws(OutboundError) {
            response = try await http.send(request)
        } catch {
            guard case .redirected(let status) = error else { throw error }
            return Reply(status: status, headers: [], body: Data())
        }
        return Reply(status: response.status, headers: response.headers, body: Data(response.body))
    }
}

/// Real time, for requests over real sockets.
struct RealClock: MonotonicClock {
    private let origin = ContinuousClock.now

    var now: Uptime { Uptime(nanoseconds: (ContinuousClock.now - origin).wholeNanoseconds) }

    func sleep(until deadline: Uptime) async throws {
        try await ContinuousClock().sleep(until: origin + .nanoseconds(deadline.nanoseconds))
    }
}
