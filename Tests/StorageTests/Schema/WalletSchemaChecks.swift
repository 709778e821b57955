extension SchemaTests {
    /// The CHECKs of banks, cards and enrolments at banks.
    static let walletChecks = [
        Check(table: "wallet_banks", refused: "bank = ''", taken: "bank = 'eb'"),
        Check(table: "wallet_banks", refused: "name = ''", taken: "name = 'Bank'"),
        Check(table: "wallet_banks", refused: "logo = ''", taken: "logo = NULL"),
        Check(table: "wallet_banks", refused: "access_token = ''", taken: "access_token = 's'"),
        Check(table: "wallet_banks", refused: "refresh_token = ''", taken: "refresh_token = 's'"),
        Check(table: "wallet_banks", refused: "version = 0", taken: "version = 2"),
        Check(
            table: "wallet_banks",
            refused: "unlinked_at = 5, access_token = NULL, tokens_leased_until = 6",
            taken: "unlinked_at = 5, access_token = NULL"
        ),
        Check(table: "wallet_cards", refused: "reference = ''", taken: "reference = 'r'"),
        Check(table: "wallet_cards", refused: "last_four = '42424'", taken: "last_four = '4242'"),
        Check(table: "wallet_cards", refused: "card_type = ''", taken: "card_type = 'MC'"),
        Check(table: "wallet_cards", refused: "is_default = 2", taken: "is_default = 1"),
        Check(
            table: "wallet_cards",
            refused: "removed_at = 5, removed_by = 'nobody'",
            taken: "removed_at = 5, removed_by = 'unlink'"
        ),
        Check(table: "wallet_cards", refused: "removed_at = 5", taken: "removed_at = NULL"),
        Check(
            table: "wallet_cards",
            refused: "is_default = 1, removed_at = 5, removed_by = 'bank'",
            taken: "is_default = 0, removed_at = 5, removed_by = 'bank'"
        ),
        Check(table: "bank_enrolments", refused: "state = x'00'", taken: "state = randomblob(32)"),
        Check(table: "bank_enrolments", refused: "bank = ''", taken: "bank = 'eb'"),
        Check(table: "bank_enrolments", refused: "browser = x'00'", taken: "browser = NULL"),
        Check(table: "bank_enrolments", refused: "redirect_uri = ''", taken: "redirect_uri = 'https://example.com'"),
        Check(table: "bank_enrolments", refused: "is_mobile = 2", taken: "is_mobile = 1"),
        Check(table: "bank_enrolments", refused: "deep_link = ''", taken: "deep_link = NULL"),
        Check(table: "bank_enrolments", refused: "needs_confirmation = 2", taken: "needs_confirmation = 1"),
        Check(
            table: "bank_enrolments",
            refused: "stage = 'lost', verifier = ''",
            taken: "stage = 'arrived', verifier = ''"
        ),
        Check(
            table: "bank_enrolments",
            refused: "stage = 'ended', verifier = '', token = x'00'",
            taken: "stage = 'ended', verifier = '', token = randomblob(32)"
        ),
        Check(table: "bank_enrolments", refused: "verifier = ''", taken: "verifier = 'w'"),
        Check(
            table: "bank_enrolments",
            refused: "held = 'h'",
            taken: "stage = 'asking', verifier = '', held = 'h', token = randomblob(32)"
        ),
        Check(table: "bank_enrolments", refused: "token = randomblob(32)", taken: "token = NULL"),
    ]
}
