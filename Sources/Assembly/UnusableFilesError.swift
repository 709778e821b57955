/// The error for files of the data folder, or beside it, with which the daemon can't start.
package struct UnusableFilesError: Error {
    /// What happened and what to do.
    package let message: String
}
