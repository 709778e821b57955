import Foundation
import ReferencePages
import Testing

/// The pages of docs/reference say what the program says; scripts/references.sh writes them.
struct ReferenceTests {
    @Test func `the page of config keys is what the schema prints`() throws { try ConfigReference.page.hold() }

    @Test func `the page of metrics lists the catalogue`() throws { try MetricReference.page.hold() }

    @Test func `the page of error codes explains every code`() throws { try ErrorReference.page().hold() }

    @Test func `the page of audit events explains every event`() throws { try AuditReference.page().hold() }

    @Test func `the page of routes lists those of the API's document`() throws { try RouteReference().page().hold() }

    @Test func `the folder's index has a line for each page`() throws {
        let folder = ReferencePage.root.appending(path: "docs/reference")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }
        let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        for page in pages { #expect(index.contains("](\(page))"), "README.md does not link \(page)") }
    }
}
