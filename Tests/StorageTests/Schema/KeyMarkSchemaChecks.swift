/// The values that the table of the key folder's mark refuses and takes.
extension SchemaTests {
    static let keyMark = "INSERT INTO key_mark (id, mark, recorded_at) VALUES (1, randomblob(32), 0);"

    static let keyMarkChecks = [
        Check(table: "key_mark", refused: "id = 2", taken: "id = 1"),
        Check(table: "key_mark", refused: "mark = zeroblob(31)", taken: "mark = zeroblob(32)"),
    ]
}
