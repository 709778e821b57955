/// The bounds of a list's number of rows, which whoever may read chooses.
enum ListLimit {
    /// The most rows of a reply.
    static let most = 10_000

    /// Returns a number that a store may be asked for: to SQLite a negative one means all rows.
    static func rows(_ asked: Int) -> Int { min(max(asked, 0), most) }
}
