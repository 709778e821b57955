// The rights that a role needs to serve, and to migrate.
extension PostgresMigrator {
    /// Returns the rights that the role lacks on the tables, such as `INSERT on accounts`.
    func missingRights() throws -> [String] {
        try sql.all(
            """
            SELECT needed.privilege || ' on ' || CAST(relname AS TEXT) AS missing
            FROM pg_class CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) AS needed (privilege)
            WHERE relkind = 'r' AND relnamespace = \(PostgresCatalogue.Place.current.rawValue)
                AND (relname <> 'schema_migrations' OR needed.privilege = 'SELECT')
                AND NOT has_table_privilege(pg_class.oid, needed.privilege)
            ORDER BY 1
            """
        ) { try $0.text("missing") }
    }

    /// Returns the rights that the role lacks to create tables, or, without `permanently`, the temporary ones with
    /// which the schema is compared.
    func missingCreation(permanently: Bool) throws -> [String] {
        var missing: [String] = []
        if permanently, try !sql.exists("SELECT 1 WHERE has_schema_privilege(current_schema(), 'CREATE')") {
            missing.append("CREATE on the schema")
        }
        if try !sql.exists("SELECT 1 WHERE has_database_privilege(current_database(), 'TEMPORARY')") {
            missing.append("TEMPORARY on the database")
        }
        return missing
    }
}
