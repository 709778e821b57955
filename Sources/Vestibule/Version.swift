/// The version that `vestibule version` and `/version` say.
struct Version: Encodable {
    static let number = BuildStamp.version
    static let current = Version(version: number, commit: BuildStamp.commit, date: BuildStamp.date)

    let version: String
    let commit: String
    let date: String
}
