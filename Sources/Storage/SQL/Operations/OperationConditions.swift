import Kernel
import Operations

extension OperationFilter {
    /// The filter's conditions as a `WHERE` clause, and the values bound in it; an empty text without a condition.
    var conditions: (text: String, values: [ColumnValue]) {
        var conditions: [String] = []
        var values: [ColumnValue] = []
        if let after {
            // The first condition is the range that is read of the index.
            conditions.append("created_at <= ? AND (created_at < ? OR id > ?)")
            values += [after.createdAt.column, after.createdAt.column, after.id.column]
        }
        if let since {
            conditions.append("created_at >= ?")
            values.append(since.column)
        }
        if let account {
            conditions.append("account = ?")
            values.append(account.column)
        }
        if let client {
            conditions.append("client = ?")
            values.append(client.column)
        }
        if !states.isEmpty {
            conditions.append("state IN (\(states.placeholders))")
            values += states.map(\.rawValue.column)
        }
        return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), values)
    }
}
