/// Files of the data folder, or beside it, that nothing can be started with.
package struct UnusableFilesError: Error {
    /// What happened and what to do.
    package let message: String
}
