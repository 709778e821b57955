package import Kernel
package import Operations

/// The verdict on the answer to `check`, and its reasons.
package struct CheckReading: Sendable {
    /// The value at the pointer of the scan's reference; `nil` if there is none.
    package let reference: String?
    /// The value at each pointer of the status.
    package let values: [JSONValue?]
    /// The row of the table that fits.
    package let row: VerdictTable.Row?
    package let requirements: [(requirement: VerdictRequirement, finding: VerdictRequirement.Finding)]
    package let status: ScanStatus
    /// The reason in a sentence that contains no value of the answer.
    package let reason: String

    package init(_ body: [UInt8], of scan: ProviderReference, _ template: CheckTemplate) {
        self.init(try? JSONReader.read(body), of: scan, template)
    }

    /// `document`: `nil` for a body that is not JSON.
    init(_ document: JSONValue?, of scan: ProviderReference, _ template: CheckTemplate) {
        let name = document.flatMap { template.reference?.value(in: $0) }
        let values = template.status.map { pointer in document.flatMap { pointer.value(in: $0) } }
        let row = document == nil ? nil : template.verdicts.row(for: values)
        let findings = row?.verdict == .approved ? template.requirements : []
        reference = name?.identifier
        self.values = values
        self.row = row
        requirements = findings.map { ($0, document.map($0.finding) ?? .unknown) }
        (status, reason) = Self.judge(
            document,
            named: name,
            of: scan,
            by: row,
            requirements: requirements,
            template: template
        )
    }

    private static func judge(
        _ document: JSONValue?,
        named name: JSONValue?,
        of scan: ProviderReference,
        by row: VerdictTable.Row?,
        requirements: [(requirement: VerdictRequirement, finding: VerdictRequirement.Finding)],
        template: CheckTemplate
    ) -> (ScanStatus, String) {
        guard document != nil else { return (.nonsense, "the answer is not JSON") }
        let isNamed = name?.identifier == scan.text
        if template.reference != nil, !isNamed, name.map({ !$0.isNull }) ?? false {
            return (.nonsense, "the answer is about another scan")
        }
        guard let row else { return (.unrecognised, "no row of verdicts fits the status") }
        // An answer that does not name its scan may only say that the scan is pending.
        if template.reference != nil, !isNamed, !row.verdict.isPending {
            return (.unrecognised, "the answer does not name its scan")
        }
        guard row.verdict == .approved else { return (row.verdict.status, "verdicts: \(row.text)") }
        if let unknown = requirements.first(where: { $0.finding == .unknown }) {
            return (.unrecognised, "the answer has no value for require.\(unknown.requirement.name)")
        }
        if let failed = requirements.first(where: { $0.finding == .notMet }) {
            return (failed.requirement.otherwise.status, "require.\(failed.requirement.name) is not met")
        }
        return (.approved, "verdicts: \(row.text)")
    }
}
