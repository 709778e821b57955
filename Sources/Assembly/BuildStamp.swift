/// The commit that the program was built of.
///
/// Both read "unknown" in the repository and in a build of a working tree. A package's build runs under
/// `scripts/stamp-build.sh`, which writes them here and takes them back afterwards. The date is the commit's own, not
/// that of the build, so that the same commit gives the same program.
enum BuildStamp {
    static let commit = "unknown"
    static let date = "unknown"
}
