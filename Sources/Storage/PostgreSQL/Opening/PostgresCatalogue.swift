import Kernel

/// The tables, columns, constraints and indices of a schema, as the server itself prints them.
struct PostgresCatalogue: Equatable {
    /// The definitions, by the names of the tables, indices and sequences.
    let definitions: [String: String]

    /// Where the tables are.
    enum Place: String {
        /// The schema in which the role creates tables, usually `public`.
        case current = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
        case temporary = "pg_my_temp_schema()"
    }

    /// Reads the definitions, without the parts of extensions.
    ///
    /// A table that a crash of the server empties, an index that is not in use, and a trigger or a foreign key that is
    /// switched off differ from what the migrations create. A temporary table counts as one that is not emptied.
    ///
    /// `place`: must be the schema that is searched first, so that the definitions don't name it.
    init(_ place: Place, _ connection: SQLConnection) throws {
        let found = try connection.all(
            #"""
            SELECT CAST(object.relname AS TEXT) AS name, CASE
                WHEN object.relkind IN ('i', 'I')
                    THEN concat_ws(' ', regexp_replace(pg_get_indexdef(object.oid), ' ON (ONLY |)\S+\.', ' ON '),
                        (SELECT indisvalid FROM pg_index WHERE indexrelid = object.oid))
                WHEN object.relkind = 'S' THEN 'sequence'
                ELSE concat_ws(E'\n', object.relkind, object.relrowsecurity, object.relhasrules,
                    CASE object.relpersistence WHEN 't' THEN 'p' ELSE object.relpersistence END,
                    (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation,
                        attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)), E'\n' ORDER BY attnum)
                    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                    WHERE attrelid = object.oid AND attnum > 0 AND NOT attisdropped),
                    (SELECT string_agg(concat_ws(' ', conname, pg_get_constraintdef(oid), convalidated), E'\n'
                        ORDER BY conname)
                    FROM pg_constraint WHERE conrelid = object.oid),
                    (SELECT string_agg(concat_ws(' ', pg_get_triggerdef(oid), tgenabled), E'\n' ORDER BY tgname)
                    FROM pg_trigger WHERE tgrelid = object.oid AND NOT tgisinternal),
                    (SELECT string_agg(concat_ws(' ', conname, tgtype, tgenabled), E'\n'
                        ORDER BY conname, tgtype, tgenabled)
                    FROM pg_trigger LEFT JOIN pg_constraint ON pg_constraint.oid = tgconstraint
                    WHERE tgrelid = object.oid AND tgisinternal))
                END AS definition
            FROM pg_class AS object
            WHERE object.relnamespace = \#(place.rawValue)
                AND object.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I')
                AND NOT EXISTS (
                    SELECT 1 FROM pg_depend
                    WHERE classid = CAST('pg_class' AS REGCLASS) AND objid = object.oid AND deptype = 'e'
                )
            """#
        ) { (name: try $0.text("name"), definition: try $0.text("definition")) }
        definitions = Dictionary(found.map { ($0.name, $0.definition) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the names of what differs, in order.
    func differences(from other: PostgresCatalogue) -> [String] {
        Set(definitions.keys).union(other.definitions.keys)
            .filter { definitions[$0] != other.definitions[$0] }
            .sorted()
    }
}
