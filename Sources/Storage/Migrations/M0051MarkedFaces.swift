extension Migration {
    /// By which face a scan was begun and a session opened: a name at a provider stays when the face under it is set up again.
    ///
    /// Scans that are in progress meanwhile count for the face that is in force. Sessions of before began with none.
    static let markedFaces = Migration(
        version: 51,
        name: "marked faces",
        sqlite: """
            -- Higher each time that the face is set up or withdrawn.
            ALTER TABLE enrolments ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE scans ADD COLUMN face TEXT;
            ALTER TABLE sessions ADD COLUMN face TEXT;
            """
    )
}
