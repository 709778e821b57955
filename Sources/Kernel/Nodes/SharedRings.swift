/// Port: the rings of signing keys in a database that several daemons share, as bytes that only the daemons can read.
package protocol SharedRings: Sendable {
    /// Changes a ring by compare-and-swap: of two changes at the same time, the later one is made again from what the
    /// earlier one has left.
    ///
    /// The call blocks its thread until the change is durable.
    ///
    /// - Parameters:
    ///   - name: The ring's name, of at most 40 characters.
    ///   - body: Gets the stored bytes, `nil` for a ring that is not there yet, and returns the new ones. With `nil`
    ///     nothing is written. It may be called several times, and only the last call counts.
    /// - Throws: The errors of `body` as they are, and a ``StoreError``, after which the ring may be changed or not.
    func change(_ name: String, _ body: ([UInt8]?) throws -> [UInt8]?) throws
}
