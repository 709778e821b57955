/// The version and the commit from which the program was built.
///
/// In the repository the version is the next one with `-dev`, and commit and date are "unknown". A package is built by
/// `scripts/stamp-build.sh`, which writes the real values here and restores the file afterwards. The date is that of
/// the commit, not of the build, so that the same commit gives the same program.
enum BuildStamp {
    static let version = "0.1.0-dev"
    static let commit = "unknown"
    static let date = "unknown"
}
