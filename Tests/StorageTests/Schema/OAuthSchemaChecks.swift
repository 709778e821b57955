/// The values that the tables of the authorization server refuse and take.
extension SchemaTests {
    static let oauthChecks = [
        Check(table: "oauth_clients", refused: "id = ''", taken: "id = 'c'"),
        Check(table: "oauth_clients", refused: "name = ''", taken: "name = 'Web'"),
        Check(table: "oauth_clients", refused: "origin = 'config'", taken: "origin = 'registered'"),
        Check(table: "oauth_clients", refused: "is_enabled = 2", taken: "is_enabled = 0"),
        Check(table: "oauth_clients", refused: "authentication = 'mtls'", taken: "authentication = 'secret'"),
        Check(
            table: "oauth_clients",
            refused: "authentication = 'private_key_jwt'",
            taken: "authentication = 'private_key_jwt', keys = '{}'"
        ),
        Check(
            table: "oauth_clients",
            refused: "authentication = 'private_key_jwt', keys = ''",
            taken: "authentication = 'none', keys = NULL"
        ),
        Check(table: "oauth_clients", refused: "grants = ''", taken: "grants = 'refresh_token'"),
        Check(
            table: "oauth_clients",
            refused: "redirect_uris = hex(zeroblob(6000))",
            taken: "redirect_uris = 'com.example.app:/done'"
        ),
        Check(
            table: "oauth_clients",
            refused: "post_logout_redirect_uris = hex(zeroblob(6000))",
            taken: "post_logout_redirect_uris = ''"
        ),
        Check(table: "oauth_clients", refused: "scopes = hex(zeroblob(513))", taken: "scopes = 'openid'"),
        Check(table: "oauth_clients", refused: "resources = hex(zeroblob(6000))", taken: "resources = ''"),
        Check(table: "oauth_clients", refused: "requires_pushed_requests = 2", taken: "requires_pushed_requests = 1"),
        Check(table: "oauth_clients", refused: "requires_dpop = 2", taken: "requires_dpop = 1"),
        Check(table: "oauth_clients", refused: "requires = 'password'", taken: "requires = 'face-and-passkey'"),
        Check(table: "oauth_clients", refused: "ways = hex(zeroblob(51))", taken: "ways = 'passkey mail'"),
        Check(table: "oauth_clients", refused: "delivery = 'pull'", taken: "delivery = 'poll'"),
        Check(
            table: "oauth_clients",
            refused: "delivery = 'ping'",
            taken: "delivery = 'ping', notification_endpoint = 'https://app.example.com/ping'"
        ),
        Check(
            table: "oauth_clients",
            refused: "delivery = 'push', notification_endpoint = ''",
            taken: "delivery = 'push', notification_endpoint = 'https://app.example.com/push'"
        ),
        Check(table: "oauth_clients", refused: "requires_signed_requests = 2", taken: "requires_signed_requests = 1"),
        Check(table: "oauth_clients", refused: "id_token_algorithm = 'none'", taken: "id_token_algorithm = 'RS256'"),
        Check(
            table: "oauth_clients",
            refused: "id_token_claims = hex(zeroblob(101))",
            taken: "id_token_claims = 'name'"
        ),
        Check(
            table: "oauth_clients",
            refused: "logout_uri = ''",
            taken: "logout_uri = 'https://app.example.com/logout'"
        ),
        Check(table: "oauth_clients", refused: "requires_logout_session = 2", taken: "requires_logout_session = 1"),
        Check(table: "oauth_clients", refused: "theme = ''", taken: #"theme = '{"name":"Web"}'"#),
        Check(
            table: "logout_notices",
            refused: "session = 's'",
            taken: "session = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a13'"
        ),
        Check(
            table: "logout_notices",
            refused: "account = 'a'",
            taken: "account = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a13'"
        ),
        Check(table: "logout_notices", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "logout_notices", refused: "endpoint = ''", taken: "endpoint = 'https://app.example.com/x'"),
        Check(table: "logout_notices", refused: "algorithm = 'none'", taken: "algorithm = 'RS256'"),
        Check(table: "logout_notices", refused: "attempts = -1", taken: "attempts = 9"),
        Check(table: "logout_notices", refused: "failure = ''", taken: "failure = 'HTTP 500'"),
        Check(table: "oauth_client_secrets", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_registration_tickets", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_registration_tickets", refused: "uses = -1", taken: "uses = 1000"),
        Check(table: "oauth_requests", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_requests", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_requests", refused: "parameters = ''", taken: "parameters = 'YQ.Yg'"),
        Check(table: "oauth_interactions", refused: "id = x'00'", taken: "id = randomblob(32)"),
        Check(table: "oauth_interactions", refused: "browser = zeroblob(33)", taken: "browser = randomblob(32)"),
        Check(table: "oauth_interactions", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_interactions", refused: "redirect_uri = ''", taken: "redirect_uri = 'app://x'"),
        Check(table: "oauth_interactions", refused: "names_redirect_uri = 2", taken: "names_redirect_uri = 0"),
        Check(table: "oauth_interactions", refused: "response_mode = 'fragment'", taken: "response_mode = 'form_post'"),
        Check(table: "oauth_interactions", refused: "state = ''", taken: "state = 's'"),
        Check(table: "oauth_interactions", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_interactions", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_interactions", refused: "code_challenge = x'00'", taken: "code_challenge = zeroblob(32)"),
        Check(table: "oauth_interactions", refused: "nonce = ''", taken: "nonce = 'n'"),
        Check(table: "oauth_interactions", refused: "prompts = hex(zeroblob(33))", taken: "prompts = 'login'"),
        Check(table: "oauth_interactions", refused: "max_age = -1", taken: "max_age = 0"),
        Check(
            table: "oauth_interactions",
            refused: "context_class = 'pwd'",
            taken: "context_class = 'face-and-passkey'"
        ),
        Check(
            table: "oauth_interactions",
            refused: "is_context_class_essential = 2",
            taken: "is_context_class_essential = 1"
        ),
        Check(table: "oauth_interactions", refused: "login_hint = ''", taken: "login_hint = 'ada'"),
        Check(
            table: "oauth_interactions",
            refused: "hinted_account = 'x'",
            taken: "hinted_account = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"
        ),
        Check(table: "oauth_interactions", refused: "proof_key = x'00'", taken: "proof_key = zeroblob(32)"),
        Check(
            table: "oauth_interactions",
            refused: "account = 'a'",
            taken: "account = 'a', methods = 'face', authenticated_at = 1"
        ),
        Check(
            table: "oauth_interactions",
            refused: "account = 'a', methods = hex(zeroblob(101)), authenticated_at = 1",
            taken: "methods = NULL"
        ),
        Check(table: "oauth_interactions", refused: "operation = 'x'", taken: "operation = NULL"),
        Check(table: "oauth_interactions", refused: "ui_locales = ''", taken: "ui_locales = 'fr-CA fr'"),
        Check(
            table: "oauth_interactions",
            refused: "id_token_claims = hex(zeroblob(101))",
            taken: "id_token_claims = 'name'"
        ),
        Check(
            table: "oauth_codes",
            refused: "id_token_claims = hex(zeroblob(101))",
            taken: "id_token_claims = 'email'"
        ),
        Check(
            table: "oauth_grants",
            refused: "id_token_claims = hex(zeroblob(101))",
            taken: "id_token_claims = 'email'"
        ),
        Check(table: "oauth_interactions", refused: "consented_by = 'x'", taken: "consented_by = NULL"),
        Check(table: "oauth_codes", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_codes", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_codes", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_codes", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_codes", refused: "methods = hex(zeroblob(101))", taken: "methods = ''"),
        Check(table: "oauth_codes", refused: "nonce = ''", taken: "nonce = NULL"),
        Check(table: "oauth_codes", refused: "redirect_uri = ''", taken: "redirect_uri = 'app://x'"),
        Check(table: "oauth_codes", refused: "names_redirect_uri = 2", taken: "names_redirect_uri = 0"),
        Check(table: "oauth_codes", refused: "code_challenge = x'00'", taken: "code_challenge = NULL"),
        Check(table: "oauth_codes", refused: "proof_key = x'00'", taken: "proof_key = NULL"),
        Check(
            table: "oauth_codes",
            refused: "session = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'",
            taken: "redeemed_at = 1, session = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"
        ),
        Check(table: "oauth_codes", refused: "redeemed_at = 1, session = 'x'", taken: "redeemed_at = 2"),
        Check(table: "oauth_consents", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_consents", refused: "scopes = hex(zeroblob(4097))", taken: "scopes = ''"),
        Check(table: "oauth_consents", refused: "resources = hex(zeroblob(32769))", taken: "resources = ''"),
        Check(table: "oauth_grants", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_grants", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_grants", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_grants", refused: "nonce = ''", taken: "nonce = NULL"),
        Check(table: "oauth_grants", refused: "backchannel_request = ''", taken: "backchannel_request = NULL"),
        Check(table: "backchannel_requests", refused: "id = x'00'", taken: "id = zeroblob(32)"),
        Check(table: "backchannel_requests", refused: "client = ''", taken: "client = 'bank'"),
        Check(table: "backchannel_requests", refused: "delivery = 'pull'", taken: "delivery = 'push'"),
        Check(table: "backchannel_requests", refused: "delivery = 'poll'", taken: "delivery = 'ping'"),
        Check(table: "backchannel_requests", refused: "scopes = ''", taken: "scopes = 'openid'"),
        Check(table: "backchannel_requests", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "backchannel_requests", refused: "interval_ms = 0", taken: "interval_ms = 5000"),
        Check(table: "backchannel_requests", refused: "endpoint = NULL", taken: "endpoint = 'https://example.com'"),
        Check(table: "backchannel_requests", refused: "endpoint = ''", taken: "endpoint = 'https://example.com/cb'"),
        Check(table: "backchannel_requests", refused: "sealing_key = ''", taken: "sealing_key = 'k'"),
        Check(table: "backchannel_requests", refused: "sealed = x''", taken: "sealed = x'00'"),
        Check(table: "backchannel_requests", refused: "notice_attempts = -1", taken: "notice_attempts = 1"),
        Check(table: "backchannel_requests", refused: "notice_expires_at = NULL", taken: "notice_expires_at = 9"),
        Check(table: "backchannel_requests", refused: "notice_due_at = NULL", taken: "notice_due_at = 9"),
        Check(table: "device_authorizations", refused: "device_code = x'00'", taken: "device_code = randomblob(32)"),
        Check(table: "device_authorizations", refused: "user_code = x'00'", taken: "user_code = randomblob(32)"),
        Check(table: "device_authorizations", refused: "client = ''", taken: "client = 'tv'"),
        Check(table: "device_authorizations", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "device_authorizations", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "device_authorizations", refused: "source = x'00'", taken: "source = randomblob(32)"),
        Check(
            table: "device_authorizations",
            refused: "origin_address = hex(zeroblob(33))",
            taken: "origin_address = ''"
        ),
        Check(table: "device_authorizations", refused: "origin_agent = hex(zeroblob(33))", taken: "origin_agent = ''"),
        Check(table: "device_authorizations", refused: "state = 'lost'", taken: "state = 'denied'"),
        Check(table: "device_authorizations", refused: "methods = hex(zeroblob(101))", taken: "methods = NULL"),
        Check(table: "device_authorizations", refused: "state = 'approved'", taken: "state = 'redeemed'"),
    ]
}
