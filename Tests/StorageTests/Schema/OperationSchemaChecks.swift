/// The values that the tables of operations and their scans refuse and take.
extension SchemaTests {
    static let operation = """
        INSERT INTO operations (id, public_id, ticket, kind, provider, client, policy, binding_cookie,
            is_bound, state, seq, created_at, deadline, node)
        VALUES ('o', randomblob(32), randomblob(32), 'login', 'mock', 'app', '{}', randomblob(32),
            0, 'created', 1, 0, 0, 'local');
        """

    static let operationChecks = [
        Check(table: "operations", refused: "public_id = zeroblob(31)", taken: "public_id = zeroblob(32)"),
        Check(table: "operations", refused: "ticket = zeroblob(0)", taken: "ticket = zeroblob(32)"),
        Check(table: "operations", refused: "kind = 'payment'", taken: "kind = 'login'"),
        Check(table: "operations", refused: "binding_cookie = zeroblob(64)", taken: "binding_cookie = zeroblob(32)"),
        Check(table: "operations", refused: "is_bound = -1", taken: "is_bound = 1"),
        Check(table: "operations", refused: "device_proof = 'name'", taken: "device_proof = 'key'"),
        Check(table: "operations", refused: "language = 'x'", taken: "language = 'sv'"),
        Check(table: "operations", refused: "state = 'denied'", taken: "state = 'pending'"),
        Check(table: "operations", refused: "scan_progress = 'done'", taken: "scan_progress = 'processing'"),
        Check(
            table: "operations",
            refused: "scan_page = 'key.page'",
            taken: "state = 'pending', scan_browser = zeroblob(32), scan_page = 'key.page'"
        ),
        Check(table: "operations", refused: "ended_at = 5", taken: "state = 'closed', ended_at = 5"),
        Check(
            table: "operations",
            refused: "state = 'failed', failure = 'x', ended_at = 5",
            taken: "state = 'failed', failure = 'expired', ended_at = 5"
        ),
        Check(table: "operations", refused: "failure = 'expired'", taken: "failure = NULL"),
        Check(table: "operations", refused: "mode = 'other'", taken: "mode = 'cross-device'"),
        Check(table: "operations", refused: "pairing_number = 100", taken: "pairing_number = 0"),
        Check(table: "operations", refused: "wrong_numbers = 4", taken: "wrong_numbers = 3"),
        Check(table: "operations", refused: tooLong("origin_email"), taken: "origin_email = 'r•••@example.com'"),
        Check(table: "operations", refused: tooLong("origin_address"), taken: "origin_address = '192.0.2.7'"),
        Check(table: "operations", refused: tooLong("origin_agent"), taken: "origin_agent = ''"),
        Check(
            table: "operations",
            refused: "return_url = '\(String(repeating: "x", count: 2049))'",
            taken: "return_url = 'https://app.example.com'"
        ),
        Check(table: "operations", refused: "return_code = x'00'", taken: "return_code = zeroblob(32)"),
        Check(table: "operations", refused: "started_by = 's'", taken: "kind = 'enroll', started_by = 's'"),
        Check(table: "scans", refused: "scan = x'00'", taken: "scan = zeroblob(32)"),
        Check(
            table: "operations",
            refused: "approval_message = 'Pay'",
            taken: "kind = 'approve', started_by = 's', approval_message = 'Pay'"
        ),
        Check(
            table: "operations",
            refused: "approval_amount = '1.00', approval_currency = 'EUR'",
            taken: approved("approval_amount = '1.00', approval_currency = 'EUR'")
        ),
        Check(
            table: "operations",
            refused: approved("approval_currency = 'EUR'"),
            taken: approved("approval_amount = '1.00', approval_currency = 'EUR'")
        ),
        Check(table: "operations", refused: "approval_payee = 'Shop'", taken: approved("approval_payee = 'Shop'")),
        Check(
            table: "operations",
            refused: approved("approval_payload = x'00'"),
            taken: approved("approval_payload = zeroblob(32)")
        ),
        Check(table: "operations", refused: "binding_message = ''", taken: "binding_message = 'W4SCT'"),
    ]

    private static func approved(_ change: String) -> String {
        "kind = 'approve', started_by = 's', approval_message = 'Pay', \(change)"
    }
}
