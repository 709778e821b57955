/// The version and the commit that the program was built of.
///
/// In the repository the version is the next one with `-dev`, and the other two read "unknown": a build of a working
/// tree has them so. A package's build runs under `scripts/stamp-build.sh`, which writes them here and takes them back
/// afterwards. The date is the commit's own, not that of the build, so that the same commit gives the same program.
enum BuildStamp {
    static let version = "0.1.0-dev"
    static let commit = "unknown"
    static let date = "unknown"
}
