/// A row of `schema_migrations`: a migration that a program ran on the database.
struct AppliedMigration: Sendable {
    let version: Int
    let checksum: String
    /// The version of a migration: programs that know it can run on the schema, even if they don't know this one.
    var oldestProgram: Int?
}

extension Migrator {
    /// Returns the migrations that were not run yet.
    ///
    /// - Throws: ``SchemaError`` for a schema that is too new for this program, or whose migrations differ from the
    ///   released.
    func missing(among applied: [AppliedMigration]) throws(SchemaError) -> [Migration] {
        let known = migrations.last?.version ?? 0
        for newer in applied where newer.version > known && newer.oldestProgram ?? newer.version > known {
            throw .newer(found: applied.map(\.version).max() ?? newer.version, known: known)
        }
        var missing: [Migration] = []
        for migration in migrations {
            guard let run = applied.first(where: { $0.version == migration.version }) else {
                missing.append(migration)
                continue
            }
            guard run.checksum == migration.checksum else {
                throw .tampered(version: migration.version, name: migration.name)
            }
        }
        return missing
    }
}
