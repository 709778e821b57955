/// The values that the table of payments refuses and takes.
extension SchemaTests {
    static let payment = """
        INSERT INTO payments (id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant,
            nonce, created_at, expires_at, wrong_proofs, version, state)
        VALUES ('p', 'a', 's', 'app', 'c', '1111', 'VISA', 'Example Bank', '1.00', 'EUR', 'Shop', zeroblob(32), 0, 9, 0, 1,
            'pending');
        """

    static let paymentChecks = [
        Check(table: "payments", refused: "client = hex(zeroblob(129))", taken: "client = ''"),
        Check(table: "payments", refused: "last_four = '42424'", taken: "last_four = '4242'"),
        Check(table: "payments", refused: "amount = ''", taken: "amount = '999999999999.9999'"),
        Check(table: "payments", refused: "currency = 'EURO'", taken: "currency = 'USD'"),
        Check(table: "payments", refused: "merchant = ''", taken: "merchant = 'Shop 2'"),
        Check(table: "payments", refused: "merchant_id = ''", taken: "merchant_id = 'shop-7'"),
        Check(table: "payments", refused: "nonce = x'00'", taken: "nonce = randomblob(32)"),
        Check(
            table: "payments",
            refused: "idempotency_key = x'00', idempotency_content = zeroblob(32)",
            taken: "idempotency_key = zeroblob(32), idempotency_content = zeroblob(32)"
        ),
        Check(
            table: "payments",
            refused: "idempotency_key = zeroblob(32), idempotency_content = x'00'",
            taken: "idempotency_key = NULL, idempotency_content = NULL"
        ),
        Check(
            table: "payments",
            refused: "idempotency_key = zeroblob(32)",
            taken: "idempotency_key = randomblob(32), idempotency_content = randomblob(32)"
        ),
        Check(table: "payments", refused: "wrong_proofs = 6", taken: "wrong_proofs = 5"),
        Check(table: "payments", refused: "version = 0", taken: "version = 2"),
        Check(table: "payments", refused: "state = 'failed'", taken: "state = 'expired'"),
        Check(table: "payments", refused: confirmed(method: "voice"), taken: confirmed(method: "device-key")),
        Check(table: "payments", refused: confirmed(token: "zeroblob(31)"), taken: confirmed(method: "passkey")),
        Check(table: "payments", refused: "state = 'cancelled'", taken: "state = 'cancelled', cancelled_at = 5"),
        Check(table: "payments", refused: "redeemed_at = 5", taken: confirmed() + ", redeemed_at = 5"),
    ]

    private static func confirmed(method: String = "face", token: String = "randomblob(32)") -> String {
        """
        state = 'confirmed', confirmed_at = 5, confirmed_in = 's', method = '\(method)', card_token = \(token),
        card_token_expires_at = 9
        """
    }
}
