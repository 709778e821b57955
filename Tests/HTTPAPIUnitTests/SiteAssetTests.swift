import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// What the site's pages load: scripts, the style, the icon.
struct SiteAssetTests {
    private static let files =
        Array(WebAssets.modules.keys) + ["texts.js", "style.css"] + PageIcon.allCases.map(\.rawValue)

    private static func path(_ name: String, _ texts: LocalizedStrings = .english) -> String {
        "/assets/\(SiteAssets(in: texts).version)/\(name)"
    }

    @Test func `a file may be kept for ever, and is asked for again in vain`() async throws {
        try await OpenServer.run(AssetAPI().routes) { server in
            for name in Self.files { try await Self.checkKept(name, server) }
        }
    }

    private static func checkKept(_ name: String, _ server: OpenServer) async throws {
        let answer = try await server.send(.get, path(name))
        #expect(answer.status == .ok && answer.body.readableBytes > 0, "\(name)")
        #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable", "\(name)")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        let type = try #require(answer.headers[.contentType])
        switch name.split(separator: ".").last {
        case "js": #expect(type == "text/javascript; charset=utf-8")
        case "css": #expect(type == "text/css; charset=utf-8")
        default: #expect(type == PageIcon(rawValue: name)?.type)
        }
        let tag = try #require(answer.headers[.eTag])
        for held in [tag, "W/\(tag)", #""other", \#(tag)"#, "*"] {
            let again = try await server.send(.get, path(name), [.ifNoneMatch: held])
            #expect(again.status == .notModified && again.body.readableBytes == 0, "\(held)")
            #expect(again.headers[.eTag] == tag)
        }
        #expect(try await server.send(.get, path(name), [.ifNoneMatch: #""other""#]).status == .ok)
        let head = try await server.send(.head, path(name))
        #expect(head.status == .ok && head.headers[.eTag] == tag && head.body.readableBytes == 0)
    }

    @Test func `there is no other version, and nothing but the files`() async throws {
        try await OpenServer.run(AssetAPI().routes) { server in
            let version = SiteAssets(in: .english).version
            for path in [
                "/assets/\(version)x/page.js", "/assets/x/page.js", "/assets/\(version)/x.js", "/assets/\(version)/",
                "/assets/\(version)/%2e%2e/page.js", "/assets/\(version)/..", "/assets/\(version)",
            ] {
                try server.expect(try await server.send(.get, path), is: "not_found", 404)
            }
        }
    }

    @Test func `each language has an address of its own, which is the same at each start`() {
        let versions = LocalizedStrings.builtIn.map { SiteAssets(in: $0).version }
        #expect(Set(versions).count == LocalizedStrings.builtIn.count)
        #expect(versions == LocalizedStrings.builtIn.map { SiteAssets(in: $0).version })
    }

    // T-038
    @Test(arguments: WebAssets.modules.keys.sorted())
    func `a script imports what there is, and makes no markup of texts`(_ name: String) throws {
        let script = try #require(WebAssets.modules[name])
        for imported in script.matches(of: #/from "([^"]+)"/#).map({ String($0.1) }) {
            #expect(imported.hasPrefix("./") && Self.files.contains(String(imported.dropFirst(2))), "\(imported)")
        }
        for sink in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "http:", "https:",
            "localStorage", "document.cookie",
        ] {
            #expect(!script.contains(sink), "\(sink)")
        }
        #expect(!script.contains("import("), "a page knows at once what it loads")
    }

    @Test func `every name that a script imports is exported there`() throws {
        let declaration = #/export (?:async )?(?:function\*?|const|class) (\w+)/#
        for (name, script) in WebAssets.modules {
            for statement in script.matches(of: #/import \{([^}]+)\} from "\.\/([^"]+)"/#) {
                let (names, file) = (statement.1, String(statement.2))
                let source = file == "texts.js" ? WebAssets.textsModule(in: .english) : WebAssets.modules[file]
                let exported = Set(try #require(source).matches(of: declaration).map { String($0.1) })
                for item in names.split(separator: ",") {
                    let imported = String(item.split(whereSeparator: \.isWhitespace).first ?? "")
                    #expect(exported.contains(imported), "\(name): \(imported) of \(file)")
                }
            }
        }
    }
}
