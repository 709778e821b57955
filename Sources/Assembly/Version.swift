/// The version that `vestibule version` and `/version` report.
package struct Version: Encodable {
    package static let number = BuildStamp.version
    package static let current = Version(version: number, commit: BuildStamp.commit, date: BuildStamp.date)

    package let version: String
    package let commit: String
    package let date: String
}
