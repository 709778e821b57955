import Foundation
import Outbound

/// All that somebody who knows no secret can tell about an answer: its status, its header fields, the form of its body.
struct Impression: Equatable, CustomStringConvertible {
    let status: Int
    let headers: [String]
    let body: [String: String]

    /// Members whose value is a secret, of which only the length can be told.
    private static let secrets: Set<String> = ["operationId", "authIdUrl", "authUrl"]
    /// The parts that differ from one answer to the next by their nature.
    private static let passing: Set<String> = ["date", "x-request-id", "content-length"]

    init(_ reply: WebClient.Reply) throws {
        status = reply.status
        headers = reply.headers.map { header in
            let name = header.name.lowercased()
            if Self.passing.contains(name) { return name }
            return "\(name): \(name == "set-cookie" ? Self.masked(header.value) : header.value)"
        }
        guard let object = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any] else {
            throw ExpectationError("no JSON object: \(reply)")
        }
        body = Dictionary(uniqueKeysWithValues: object.map { ($0, Self.told($0, $1)) })
    }

    var description: String { "HTTP \(status) \(headers) \(body.sorted { $0.key < $1.key })" }

    private static func told(_ name: String, _ value: Any) -> String {
        if secrets.contains(name), let text = value as? String { return "\(text.utf8.count) characters" }
        // The time left runs on from one answer to the next, down to nothing in the moment before the end is written.
        if name == "operationExpiresIn", value is Int { return "seconds" }
        // Sorted, so that equal objects are told alike.
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        let text = try? JSONSerialization.data(withJSONObject: value, options: options)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? "unreadable"
    }

    /// The attributes of a cookie, and how long its value is; its name differs from login to login.
    private static func masked(_ cookie: String) -> String {
        let parts = cookie.split(separator: ";", maxSplits: 1).map(String.init)
        let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1).map(String.init)
        let name = (pair.first ?? "").hasPrefix("vst_op_") ? "vst_op_…" : pair.first ?? ""
        return "\(name)=\((pair.last ?? "").utf8.count) characters;\(parts.last ?? "")"
    }
}
