import Foundation
import ReferencePages
import Testing
import Yams

/// The HTTP API as a page: every route of docs/openapi.yaml with its summary and what it asks of a request.
///
/// Other tests hold the document to the router.
struct RouteReference {
    private let document: Node.Mapping

    init() throws {
        let file = ReferencePage.root.appending(path: "docs/openapi.yaml")
        document = try #require(Yams.compose(yaml: String(contentsOf: file, encoding: .utf8))?.mapping)
    }

    func page() throws -> ReferencePage {
        let routes = try routes()
        let sections = try #require(document["tags"]?.sequence).map { tag in
            let name = try #require(tag["name"]?.string)
            let about = try #require(tag["description"]?.string)
            let rows = routes.filter { $0.tag == name }.map(\.cells)
            return "## \(name)\n\n\(about)\n\n"
                + Markdown.table(["method", "path", "summary", "needs one of", "reads, if present"], rows)
        }
        return ReferencePage(
            name: "http-api.md",
            title: "HTTP API",
            source: "docs/openapi.yaml",
            body: ([Self.introduction] + sections + [try proofs()]).joined(separator: "\n")
        )
    }

    private static let introduction = """
        [openapi.yaml](../openapi.yaml) has the parameters, bodies and answers; the daemon serves it at `/openapi.yaml`.
        `[/api]` stands for a route that is there with and without it. What a route *needs one of* has to be sent.
        What it *reads, if present* is optional. [Authorization](authorization.md) says whom each route answers, and [Error codes](errors.md) what its
        errors mean.

        """

    /// The proofs that the columns name.
    private func proofs() throws -> String {
        let schemes = try #require(document["components"]?["securitySchemes"]?.mapping)
        let rows = try schemes.map { name, scheme in
            let place =
                if let place = scheme["in"]?.string, let name = scheme["name"]?.string {
                    "\(place) `\(name)`"
                } else {
                    "header `Authorization: \(try #require(scheme["scheme"]?.string).capitalized)`"
                }
            let about = try #require(scheme["description"]?.string, "\(name) has no description")
            return [
                Markdown.code(try #require(name.string)), place, about.trimmingCharacters(in: .whitespacesAndNewlines),
            ]
        }
        return "## Proofs\n\n" + Markdown.table(["name", "where", "meaning"], rows)
    }

    /// A route, or several that differ in method or in `/api` alone.
    private struct Route {
        let tag: String
        var methods: [String]
        var path: String
        let summary: String
        let needed: [String]
        let accepted: [String]

        var cells: [String] {
            [
                methods.joined(separator: ", "), Markdown.code(path), summary, Self.list(needed), Self.list(accepted),
            ]
        }

        private static func list(_ proofs: [String]) -> String {
            proofs.isEmpty ? "–" : proofs.map(Markdown.code).joined(separator: ", ")
        }

        /// Whether the route asks for the same as another.
        func asks(as other: Route) -> Bool { tag == other.tag && needed == other.needed && accepted == other.accepted }
    }

    private func routes() throws -> [Route] {
        let all = try #require(document["paths"]?.mapping).flatMap { path, item in
            try #require(item.mapping).map { method, operation in
                try route(try #require(method.string).uppercased(), try #require(path.string), operation)
            }
        }
        func has(_ method: String, _ path: String, as route: Route) -> Bool {
            all.contains { $0.methods == [method] && $0.path == path && $0.asks(as: route) }
        }
        return all.compactMap { route in
            var route = route
            let method = route.methods[0]
            // What a GET says goes for its HEAD.
            if method == "HEAD", has("GET", route.path, as: route) { return nil }
            if method == "GET", has("HEAD", route.path, as: route) { route.methods.append("HEAD") }
            if route.path.hasPrefix("/api/"), has(method, String(route.path.dropFirst(4)), as: route) { return nil }
            if has(method, "/api" + route.path, as: route) { route.path = "[/api]" + route.path }
            return route
        }
    }

    private func route(_ method: String, _ path: String, _ operation: Node) throws -> Route {
        // Without a line of its own, a route asks for nothing.
        let lines = (operation["security"]?.sequence).map { Array($0) } ?? []
        let proofs = try lines.compactMap { line in try line.mapping?.keys.first.map { try #require($0.string) } }
        // An empty line says that a request without any of them is answered too.
        let isOpen = proofs.count < max(1, lines.count)
        return Route(
            tag: try #require(operation["tags"]?.sequence?.first?.string, "\(method) \(path) has no tag"),
            methods: [method],
            path: path,
            summary: try #require(operation["summary"]?.string, "\(method) \(path) has no summary"),
            needed: isOpen ? [] : proofs,
            accepted: isOpen ? proofs : []
        )
    }
}
