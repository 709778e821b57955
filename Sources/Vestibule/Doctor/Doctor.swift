/// A check of `vestibule doctor`: it reads something and interprets it.
struct DoctorCheck: Sendable {
    let name: String
    /// Runs the check, which must limit its own time: ``Doctor`` sets no limit.
    let run: @Sendable () async -> [Finding]

    init(_ name: String, run: @escaping @Sendable () async -> [Finding]) {
        self.name = name
        self.run = run
    }
}

/// Runs checks at the same time.
enum Doctor {
    /// Returns the findings in the order of the checks.
    ///
    /// - Parameters:
    ///   - checks: The checks.
    ///   - report: Called after each check, with the number of finished checks.
    /// - Returns: All findings.
    static func run(
        _ checks: [DoctorCheck],
        report: (_ check: DoctorCheck, _ findings: [Finding], _ done: Int) -> Void
    ) async -> [Finding] {
        await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (index, check) in checks.enumerated() { group.addTask { (index, await check.run()) } }
            var found = Array(repeating: [Finding](), count: checks.count)
            var done = 0
            for await (index, findings) in group {
                done += 1
                found[index] = findings
                report(checks[index], findings, done)
            }
            return found.flatMap(\.self)
        }
    }
}
