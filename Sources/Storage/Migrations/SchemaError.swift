/// The reason why a schema is refused.
package enum SchemaError: Error, Equatable, Sendable {
    /// The schema is from a commit before 0.1.0, which can't be migrated.
    case unreleased
    case newer(found: Int, known: Int)
    /// A commit from before the migration's release ran another text of it, or the record of it was altered.
    case tampered(version: Int, name: String)
    /// Tables or indices differ from those that the migrations create.
    case altered(objects: [String])
    /// The database belongs to another program.
    case notVestibule
    /// Migrations are missing, and this command does not run them.
    case behind(missing: [String])
}

/// The remedies for a refused schema, which differ between engines.
struct SchemaRemedies: Sendable {
    /// How to begin without any rows.
    let startOver: String
    /// How to name the right database.
    let nameAnother: String

    static let sqlite = SchemaRemedies(
        startOver: "Start with a new data folder.",
        nameAnother: "Name another file in storage.file."
    )
    static let postgres = SchemaRemedies(
        startOver: "Start with an empty database.",
        nameAnother: "Name an empty database in storage.postgres.url."
    )
}

extension SchemaError {
    /// Returns the sentences that follow "The database … is refused: ".
    func explanation(_ remedies: SchemaRemedies) -> String {
        switch self {
        case .unreleased:
            "it is of a Vestibule before 0.1.0, which this version can't read or upgrade, and nothing was changed. "
                + remedies.startOver
        case .newer(let found, let known):
            "its schema has version \(found), this program knows \(known). Start the newer program that wrote it."
        case .tampered(let version, let name):
            "its migration \(version) (\(name)) is not this program's. Another commit of Vestibule made it, from before "
                + "that version's release, or its record of migrations was altered. Nothing was changed. Start the "
                + "program that made it, restore a backup, or begin anew. " + remedies.startOver
        case .altered(let objects):
            "these tables or indices are not what the migrations make: \(objects.joined(separator: ", ")). "
                + "Restore a backup."
        case .notVestibule: "it holds tables of something else. \(remedies.nameAnother)"
        case .behind(let missing):
            "it lacks \(missing.count) migration(s): \(missing.joined(separator: ", ")). Run `vestibule migrate`."
        }
    }
}
