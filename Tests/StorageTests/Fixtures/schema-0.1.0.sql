-- A database of 0.1.0 with rows in every table: its schema, and what its stores wrote. It is never changed.

CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY NOT NULL,
    display_name TEXT NOT NULL,
    folded_name TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
    password_hash TEXT,
    password_origin TEXT CHECK (length(password_origin) = 36),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_creation ON accounts (created_at DESC, id);
CREATE TABLE account_attributes (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE identifiers (
    kind TEXT NOT NULL CHECK (kind IN ('email', 'username')),
    value TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX identifiers_by_account ON identifiers (account);
CREATE TABLE address_claims (
    account TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    value TEXT NOT NULL,
    claimed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX address_claims_by_value ON address_claims (value);
CREATE TABLE enrolments (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    reference TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
    version INTEGER NOT NULL DEFAULT 0,
    origin TEXT CHECK (length(origin) = 36),
    origin_methods TEXT CHECK (length(origin_methods) <= 200),
    PRIMARY KEY (account, provider)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX enrolments_by_reference ON enrolments (provider, reference);
CREATE TABLE lockouts (
    subject BLOB PRIMARY KEY NOT NULL CHECK (length(subject) = 32),
    tries INTEGER NOT NULL CHECK (tries > 0),
    last_tried_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lockouts_by_try ON lockouts (last_tried_at);
CREATE TABLE device_links (
    cookie BLOB NOT NULL CHECK (length(cookie) = 32),
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    device TEXT NOT NULL,
    methods TEXT NOT NULL DEFAULT '' CHECK (length(methods) <= 200),
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    PRIMARY KEY (cookie, account, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX device_links_by_account ON device_links (account, device);
CREATE INDEX device_links_by_expiry ON device_links (expires_at);
CREATE INDEX revoked_device_links ON device_links (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE TABLE devices (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
    label TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 100),
    platform TEXT CHECK (platform IN ('ios', 'android')),
    credential BLOB UNIQUE CHECK (length(credential) = 32),
    is_credential_unproven INTEGER NOT NULL DEFAULT 0 CHECK (is_credential_unproven IN (0, 1)),
    origin TEXT CHECK (length(origin) = 36),
    credential_origin TEXT CHECK (length(credential_origin) = 36),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    UNIQUE (client, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_account ON devices (account) WHERE account IS NOT NULL;
CREATE INDEX devices_by_expiry ON devices (expires_at);
CREATE INDEX revoked_devices ON devices (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX ownerless_devices ON devices (created_at) WHERE account IS NULL;
CREATE TABLE device_keys (
    device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    public_key TEXT NOT NULL
        CHECK (length(public_key) = 87 OR length(public_key) BETWEEN 392 AND 1424),
    last_count INTEGER NOT NULL,
    biometric TEXT CHECK (biometric IN ('face', 'fingerprint')),
    origin TEXT CHECK (length(origin) = 36),
    created_at INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    clone_signs INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE device_counts (
    device TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    PRIMARY KEY (device, count)
) STRICT, WITHOUT ROWID;
CREATE TABLE device_challenges (
    device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    challenge BLOB NOT NULL CHECK (length(challenge) = 32),
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE push_tokens (
    device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    sealed TEXT NOT NULL CHECK (length(sealed) BETWEEN 39 AND 5600),
    origin TEXT CHECK (length(origin) = 36),
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL,
    device TEXT,
    is_device_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_device_proven IN (0, 1)),
    methods TEXT NOT NULL,
    binding TEXT NOT NULL DEFAULT 'none' CHECK (binding IN ('none', 'device-key')),
    proof_key BLOB CHECK (length(proof_key) = 32),
    passkey TEXT CHECK (length(passkey) = 36),
    face TEXT,
    origin_address TEXT CHECK (length(origin_address) <= 100),
    origin_agent TEXT CHECK (length(origin_agent) <= 100),
    authenticated_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    revoked_because TEXT
        CHECK (revoked_because IS NULL OR revoked_because = 'signed_out'
            OR revoked_because = 'signed_out_everywhere' OR revoked_because = 'refresh_reuse'
            OR revoked_because = 'not_me' OR revoked_because = 'account_disabled'
            OR revoked_because = 'device_revoked' OR revoked_because = 'password_changed'
            OR revoked_because = 'address_proved' OR revoked_because = 'revoked_by_operator'
            OR revoked_because = 'passkey_removed'),
    expiry_noted_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX sessions_of_clients ON sessions (client, id) WHERE revoked_at IS NULL;
CREATE INDEX revoked_sessions ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE TABLE session_origins (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    origin TEXT NOT NULL CHECK (length(origin) = 36),
    by_means INTEGER NOT NULL CHECK (by_means IN (0, 1)),
    PRIMARY KEY (session, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_origins_by_origin ON session_origins (origin);
CREATE TABLE refresh_tokens (
    jti_hash BLOB PRIMARY KEY NOT NULL CHECK (length(jti_hash) = 32),
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    family BLOB NOT NULL CHECK (length(family) = 32),
    parent BLOB CHECK (length(parent) = 32),
    child BLOB CHECK (length(child) = 32),
    is_rotation_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_rotation_proven IN (0, 1)),
    client TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    first_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE TABLE web_sessions (
    cookie BLOB PRIMARY KEY NOT NULL CHECK (length(cookie) = 32),
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    is_alone INTEGER NOT NULL CHECK (is_alone IN (0, 1)),
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX web_sessions_by_session ON web_sessions (session);
CREATE INDEX web_sessions_by_expiry ON web_sessions (expires_at);
CREATE TABLE client_endings (
    client TEXT PRIMARY KEY NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    opened_by INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE session_expiries (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    noted_until INTEGER NOT NULL
) STRICT;
CREATE TABLE used_marks (
    digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_marks_by_expiry ON used_marks (expires_at);
CREATE TABLE operations (
    id TEXT NOT NULL UNIQUE,
    public_id BLOB NOT NULL CHECK (length(public_id) = 32),
    ticket BLOB NOT NULL CHECK (length(ticket) = 32),
    kind TEXT NOT NULL CHECK (kind = 'login' OR kind = 'enroll' OR kind = 'approve'),
    account TEXT,
    device TEXT,
    device_proof TEXT CHECK (device_proof = 'cookie' OR device_proof = 'credential' OR device_proof = 'key'),
    language TEXT CHECK (length(language) BETWEEN 2 AND 35),
    provider TEXT NOT NULL,
    client TEXT NOT NULL,
    policy TEXT NOT NULL,
    code_challenge BLOB,
    binding_cookie BLOB NOT NULL CHECK (length(binding_cookie) = 32),
    is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)),
    mode TEXT NOT NULL DEFAULT 'same-device' CHECK (mode IN ('same-device', 'cross-device')),
    pairing_number INTEGER CHECK (pairing_number BETWEEN 0 AND 99),
    wrong_numbers INTEGER NOT NULL DEFAULT 0 CHECK (wrong_numbers BETWEEN 0 AND 3),
    binding_message TEXT CHECK (length(binding_message) BETWEEN 1 AND 100),
    origin_email TEXT CHECK (length(origin_email) <= 100),
    origin_address TEXT CHECK (length(origin_address) <= 100),
    origin_agent TEXT CHECK (length(origin_agent) <= 100),
    return_url TEXT CHECK (length(return_url) <= 2048),
    return_code BLOB CHECK (length(return_code) = 32),
    started_by TEXT CHECK ((started_by IS NULL) = (kind = 'login')),
    approval_message TEXT
        CHECK ((approval_message IS NOT NULL) = (kind = 'approve')
            AND length(approval_message) BETWEEN 1 AND 200),
    approval_amount TEXT
        CHECK (approval_amount IS NULL
            OR (approval_message IS NOT NULL AND length(approval_amount) BETWEEN 1 AND 17)),
    approval_currency TEXT
        CHECK ((approval_currency IS NULL) = (approval_amount IS NULL)
            AND (approval_currency IS NULL OR length(approval_currency) = 3)),
    approval_payee TEXT
        CHECK (approval_payee IS NULL
            OR (approval_message IS NOT NULL AND length(approval_payee) BETWEEN 1 AND 100)),
    approval_payload BLOB
        CHECK (approval_payload IS NULL
            OR (approval_message IS NOT NULL AND length(approval_payload) = 32)),
    state TEXT NOT NULL
        CHECK (state = 'created' OR state = 'opened' OR state = 'pending' OR state = 'approved'
            OR state = 'redeemed' OR state = 'closed' OR state = 'failed'),
    failure TEXT
        CHECK (failure IS NULL OR failure = 'declined' OR failure = 'denied_not_me'
            OR failure = 'not_matched' OR failure = 'liveness_failed' OR failure = 'too_many_attempts'
            OR failure = 'expired' OR failure = 'canceled' OR failure = 'superseded'
            OR failure = 'provider_error' OR failure = 'provider_unavailable' OR failure = 'account_blocked'),
    scan_reference TEXT,
    scan_browser BLOB,
    scan_attempt INTEGER,
    scan_started_at INTEGER,
    scan_progress TEXT CHECK (scan_progress IN ('user_in_provider', 'processing')),
    scan_page TEXT CHECK (scan_page IS NULL OR (state = 'pending' AND scan_browser IS NOT NULL)),
    approved_at INTEGER,
    session TEXT,
    access_jti TEXT,
    refresh_jti TEXT,
    issued_at INTEGER,
    authenticated_at INTEGER,
    redeemed_at INTEGER,
    collector BLOB,
    seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    ended_at INTEGER,
    node TEXT NOT NULL,
    CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'failed'))),
    CHECK ((failure IS NOT NULL) = (state = 'failed'))
) STRICT;
CREATE INDEX operations_by_start ON operations (created_at, id DESC, client, account);
CREATE INDEX operations_by_end ON operations (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX ended_operations_by_public_id ON operations (public_id) WHERE ended_at IS NOT NULL;
CREATE INDEX operations_of_accounts ON operations (account, created_at DESC, id)
    WHERE account IS NOT NULL AND ended_at IS NOT NULL
    AND failure IS NOT 'expired' AND failure IS NOT 'canceled' AND failure IS NOT 'superseded';
CREATE INDEX enrolments_of_accounts ON operations (account, created_at DESC, id)
    WHERE kind = 'enroll' AND ended_at IS NOT NULL;
CREATE TABLE scans (
    scan BLOB PRIMARY KEY NOT NULL CHECK (length(scan) = 32),
    operation TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
    face TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX scans_by_operation ON scans (operation);
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY NOT NULL,
    credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    user_handle BLOB NOT NULL CHECK (length(user_handle) BETWEEN 1 AND 64),
    rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
    public_key BLOB NOT NULL CHECK (length(public_key) BETWEEN 32 AND 4096),
    sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
    is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
    is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
    is_user_verified INTEGER NOT NULL CHECK (is_user_verified IN (0, 1)),
    transports TEXT NOT NULL CHECK (length(transports) <= 600),
    aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
    attestation_format TEXT NOT NULL CHECK (length(attestation_format) BETWEEN 1 AND 32),
    attestation_type TEXT NOT NULL
        CHECK (attestation_type = 'none' OR attestation_type = 'self' OR attestation_type = 'basic'
            OR attestation_type = 'anonca'),
    is_attestation_trusted INTEGER NOT NULL CHECK (is_attestation_trusted IN (0, 1)),
    attestation_doubt TEXT CHECK (length(attestation_doubt) BETWEEN 1 AND 64),
    serial_number BLOB CHECK (length(serial_number) BETWEEN 1 AND 64),
    is_discoverable INTEGER CHECK (is_discoverable IN (0, 1)),
    label TEXT NOT NULL CHECK (length(label) <= 100),
    origin TEXT CHECK (length(origin) = 36),
    created_at INTEGER NOT NULL,
    counts_from INTEGER NOT NULL CHECK (counts_from >= created_at),
    last_used_at INTEGER,
    clone_signs INTEGER NOT NULL,
    CHECK (is_backed_up <= is_backup_eligible)
) STRICT;
CREATE INDEX passkeys_by_account ON passkeys (account, created_at);
CREATE TABLE passkey_challenges (
    number INTEGER PRIMARY KEY NOT NULL,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    binding BLOB NOT NULL CHECK (length(binding) = 32),
    source BLOB NOT NULL CHECK (length(source) = 32),
    rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
    user_verification TEXT NOT NULL
        CHECK (user_verification = 'required' OR user_verification = 'preferred'
            OR user_verification = 'discouraged'),
    purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'authentication')),
    account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT CHECK (length(name) BETWEEN 1 AND 1280),
    user_handle BLOB CHECK (length(user_handle) BETWEEN 1 AND 64),
    algorithms TEXT CHECK (length(algorithms) BETWEEN 1 AND 200),
    resident_key TEXT
        CHECK (resident_key = 'required' OR resident_key = 'preferred' OR resident_key = 'discouraged'),
    attestation TEXT
        CHECK (attestation = 'none' OR attestation = 'indirect' OR attestation = 'direct'
            OR attestation = 'enterprise'),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK (name IS NOT NULL OR (purpose = 'authentication' AND account IS NULL)),
    CHECK (
        (purpose = 'registration') = (user_handle IS NOT NULL)
        AND (purpose = 'registration') = (algorithms IS NOT NULL)
        AND (purpose = 'registration') = (resident_key IS NOT NULL)
        AND (purpose = 'registration') = (attestation IS NOT NULL)
    )
) STRICT;
CREATE INDEX passkey_challenges_by_source ON passkey_challenges (source, number);
CREATE INDEX passkey_challenges_by_binding ON passkey_challenges (binding);
CREATE INDEX passkey_challenges_by_account ON passkey_challenges (account) WHERE account IS NOT NULL;
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
CREATE TABLE oauth_clients (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
    origin TEXT NOT NULL CHECK (origin IN ('added', 'registered')),
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    authentication TEXT NOT NULL
        CHECK (authentication = 'none' OR authentication = 'secret' OR authentication = 'private_key_jwt'),
    keys TEXT CHECK (length(keys) BETWEEN 1 AND 16384),
    grants TEXT NOT NULL CHECK (length(grants) BETWEEN 1 AND 300),
    redirect_uris TEXT NOT NULL CHECK (length(redirect_uris) <= 11000),
    post_logout_redirect_uris TEXT NOT NULL CHECK (length(post_logout_redirect_uris) <= 11000),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 11000),
    requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
    requires_dpop INTEGER NOT NULL CHECK (requires_dpop IN (0, 1)),
    requires TEXT NOT NULL DEFAULT 'face-or-passkey'
        CHECK (requires = 'any' OR requires = 'face-or-passkey' OR requires = 'face' OR requires = 'passkey'
            OR requires = 'face-and-passkey'),
    ways TEXT NOT NULL DEFAULT '' CHECK (length(ways) <= 100),
    delivery TEXT CHECK (delivery = 'poll' OR delivery = 'ping' OR delivery = 'push'),
    notification_endpoint TEXT CHECK (length(notification_endpoint) BETWEEN 1 AND 1024),
    requires_signed_requests INTEGER NOT NULL CHECK (requires_signed_requests IN (0, 1)),
    id_token_algorithm TEXT
        CHECK (id_token_algorithm = 'ES256' OR id_token_algorithm = 'EdDSA' OR id_token_algorithm = 'RS256'),
    id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
    logout_uri TEXT CHECK (length(logout_uri) BETWEEN 1 AND 1024),
    requires_logout_session INTEGER NOT NULL DEFAULT 0 CHECK (requires_logout_session IN (0, 1)),
    -- A JSON object of texts by the keys of a theme in the config.
    theme TEXT CHECK (length(theme) BETWEEN 2 AND 8192),
    created_at INTEGER NOT NULL,
    CHECK ((authentication = 'private_key_jwt') = (keys IS NOT NULL)),
    CHECK ((COALESCE(delivery, 'poll') = 'poll') = (notification_endpoint IS NULL))
) STRICT;
CREATE TABLE oauth_client_secrets (
    client TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    expires_at INTEGER,
    PRIMARY KEY (client, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_client_secrets_by_expiry ON oauth_client_secrets (expires_at)
    WHERE expires_at IS NOT NULL;
CREATE TABLE logout_notices (
    session TEXT PRIMARY KEY NOT NULL CHECK (length(session) = 36),
    account TEXT NOT NULL CHECK (length(account) = 36),
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    endpoint TEXT NOT NULL CHECK (length(endpoint) BETWEEN 1 AND 1024),
    algorithm TEXT CHECK (algorithm = 'ES256' OR algorithm = 'EdDSA' OR algorithm = 'RS256'),
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    failure TEXT CHECK (length(failure) BETWEEN 1 AND 1000),
    lease TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX logout_notices_due ON logout_notices (due_at, session);
CREATE INDEX logout_notices_of_clients ON logout_notices (client, due_at, session);
CREATE INDEX logout_notices_by_age ON logout_notices (created_at);
CREATE TABLE oauth_registration_tickets (
    digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
    uses INTEGER NOT NULL CHECK (uses BETWEEN 0 AND 1000),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_registration_tickets_by_expiry ON oauth_registration_tickets (expires_at);
CREATE TABLE oauth_requests (
    number INTEGER PRIMARY KEY NOT NULL,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 131072),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at);
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);
CREATE TABLE oauth_interactions (
    number INTEGER PRIMARY KEY NOT NULL,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    browser BLOB NOT NULL CHECK (length(browser) = 32),
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
    names_redirect_uri INTEGER NOT NULL CHECK (names_redirect_uri IN (0, 1)),
    response_mode TEXT NOT NULL CHECK (response_mode IN ('query', 'form_post')),
    state TEXT CHECK (length(state) BETWEEN 1 AND 4096),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 16384),
    code_challenge BLOB CHECK (length(code_challenge) = 32),
    nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 1024),
    prompts TEXT NOT NULL CHECK (length(prompts) <= 64),
    max_age INTEGER CHECK (max_age >= 0),
    context_class TEXT
        CHECK (context_class = 'face' OR context_class = 'passkey' OR context_class = 'face-and-passkey'),
    is_context_class_essential INTEGER NOT NULL CHECK (is_context_class_essential IN (0, 1)),
    ui_locales TEXT CHECK (length(ui_locales) BETWEEN 1 AND 200),
    id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
    login_hint TEXT CHECK (length(login_hint) BETWEEN 1 AND 1024),
    hinted_account TEXT CHECK (length(hinted_account) = 36),
    proof_key BLOB CHECK (length(proof_key) = 32),
    account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    methods TEXT CHECK (length(methods) <= 200),
    authenticated_at INTEGER,
    passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
    origin TEXT CHECK (length(origin) = 36),
    operation TEXT CHECK (length(operation) = 36),
    consented_by TEXT CHECK (length(consented_by) = 36),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((account IS NULL) = (methods IS NULL) AND (account IS NULL) = (authenticated_at IS NULL))
) STRICT;
CREATE INDEX oauth_interactions_by_account ON oauth_interactions (account) WHERE account IS NOT NULL;
CREATE INDEX oauth_interactions_by_passkey ON oauth_interactions (passkey) WHERE passkey IS NOT NULL;
CREATE INDEX oauth_interactions_by_expiry ON oauth_interactions (expires_at);
CREATE TABLE oauth_codes (
    digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 16384),
    methods TEXT NOT NULL CHECK (length(methods) <= 200),
    authenticated_at INTEGER NOT NULL,
    passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
    origin TEXT CHECK (length(origin) = 36),
    nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 1024),
    id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
    redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
    names_redirect_uri INTEGER NOT NULL CHECK (names_redirect_uri IN (0, 1)),
    code_challenge BLOB CHECK (length(code_challenge) = 32),
    proof_key BLOB CHECK (length(proof_key) = 32),
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    redeemed_at INTEGER,
    session TEXT CHECK (length(session) = 36),
    CHECK (session IS NULL OR redeemed_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_account ON oauth_codes (account);
CREATE INDEX oauth_codes_by_passkey ON oauth_codes (passkey) WHERE passkey IS NOT NULL;
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);
CREATE TABLE oauth_consents (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    origin TEXT NOT NULL CHECK (length(origin) IN (0, 36)),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 8192),
    resources TEXT NOT NULL CHECK (length(resources) <= 65536),
    granted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account, client, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_consents_by_client ON oauth_consents (client);
CREATE INDEX oauth_consents_by_expiry ON oauth_consents (expires_at);
CREATE TABLE oauth_grants (
    session TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 16384),
    nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 4096),
    id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
    backchannel_request TEXT CHECK (length(backchannel_request) BETWEEN 1 AND 256)
) STRICT, WITHOUT ROWID;
CREATE TABLE device_authorizations (
    number INTEGER PRIMARY KEY NOT NULL,
    device_code BLOB NOT NULL UNIQUE CHECK (length(device_code) = 32),
    user_code BLOB NOT NULL UNIQUE CHECK (length(user_code) = 32),
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 16384),
    source BLOB NOT NULL CHECK (length(source) = 32),
    origin_address TEXT NOT NULL CHECK (length(origin_address) <= 64),
    origin_agent TEXT NOT NULL CHECK (length(origin_agent) <= 64),
    state TEXT NOT NULL
        CHECK (state = 'pending' OR state = 'approved' OR state = 'denied' OR state = 'redeemed'),
    account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    methods TEXT CHECK (length(methods) <= 200),
    authenticated_at INTEGER,
    passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
    origin TEXT CHECK (length(origin) = 36),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK (
        (state = 'approved') = (account IS NOT NULL)
        AND (state = 'approved') = (methods IS NOT NULL)
        AND (state = 'approved') = (authenticated_at IS NOT NULL)
    )
) STRICT;
CREATE INDEX device_authorizations_by_source ON device_authorizations (source, number);
CREATE INDEX device_authorizations_by_account ON device_authorizations (account)
    WHERE account IS NOT NULL;
CREATE INDEX device_authorizations_by_passkey ON device_authorizations (passkey)
    WHERE passkey IS NOT NULL;
CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at);
CREATE TABLE backchannel_requests (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 32),
    operation TEXT NOT NULL UNIQUE,
    client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
    delivery TEXT NOT NULL CHECK (delivery = 'poll' OR delivery = 'ping' OR delivery = 'push'),
    scopes TEXT NOT NULL CHECK (length(scopes) BETWEEN 6 AND 1024),
    resources TEXT NOT NULL CHECK (length(resources) <= 16384),
    interval_ms INTEGER NOT NULL CHECK (interval_ms > 0),
    endpoint TEXT CHECK (length(endpoint) BETWEEN 1 AND 2048),
    sealing_key TEXT CHECK (length(sealing_key) BETWEEN 1 AND 64),
    sealed BLOB CHECK (length(sealed) BETWEEN 1 AND 2048),
    created_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL,
    notice_due_at INTEGER,
    notice_expires_at INTEGER,
    notice_attempts INTEGER NOT NULL DEFAULT 0 CHECK (notice_attempts >= 0),
    notice_lease TEXT,
    CHECK ((endpoint IS NULL) = (sealed IS NULL) AND (endpoint IS NULL) = (sealing_key IS NULL)),
    CHECK (endpoint IS NULL OR delivery <> 'poll'),
    CHECK (notice_due_at IS NULL OR (endpoint IS NOT NULL AND notice_expires_at IS NOT NULL)),
    CHECK (notice_lease IS NULL OR notice_due_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX backchannel_requests_by_end ON backchannel_requests (kept_until);
CREATE INDEX backchannel_notices_due ON backchannel_requests (notice_due_at, operation)
    WHERE notice_due_at IS NOT NULL;
CREATE INDEX backchannel_notices_by_client
    ON backchannel_requests (client, notice_due_at, operation) WHERE notice_due_at IS NOT NULL;
CREATE INDEX backchannel_notices_by_age ON backchannel_requests (delivery, notice_expires_at)
    WHERE notice_due_at IS NOT NULL;
CREATE TABLE wallet_banks (
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    bank TEXT NOT NULL CHECK (length(bank) BETWEEN 1 AND 64),
    name TEXT NOT NULL CHECK (name <> ''),
    logo TEXT CHECK (logo <> ''),
    access_token TEXT CHECK (access_token <> ''),
    refresh_token TEXT CHECK (refresh_token <> ''),
    tokens_expire_at INTEGER,
    tokens_leased_until INTEGER,
    enrolled_at INTEGER NOT NULL,
    unlinked_at INTEGER,
    version INTEGER NOT NULL CHECK (version > 0),
    PRIMARY KEY (account, bank),
    CHECK (
        (unlinked_at IS NULL) = (access_token IS NOT NULL)
        AND (
            unlinked_at IS NULL
            OR (refresh_token IS NULL AND tokens_expire_at IS NULL AND tokens_leased_until IS NULL)
        )
    )
) STRICT, WITHOUT ROWID;
CREATE TABLE wallet_cards (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL,
    bank TEXT NOT NULL,
    reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 256),
    last_four TEXT NOT NULL CHECK (length(last_four) = 4),
    card_type TEXT NOT NULL CHECK (card_type <> ''),
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    added_at INTEGER NOT NULL,
    removed_at INTEGER,
    removed_by TEXT CHECK (removed_by = 'person' OR removed_by = 'bank' OR removed_by = 'unlink'),
    UNIQUE (account, bank, reference),
    FOREIGN KEY (account, bank) REFERENCES wallet_banks (account, bank) ON DELETE CASCADE,
    CHECK ((removed_at IS NULL) = (removed_by IS NULL)),
    CHECK (is_default = 0 OR removed_at IS NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX wallet_cards_by_default ON wallet_cards (account) WHERE is_default = 1;
CREATE TABLE bank_enrolments (
    number INTEGER PRIMARY KEY NOT NULL,
    state BLOB NOT NULL UNIQUE CHECK (length(state) = 32),
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    session TEXT NOT NULL,
    bank TEXT NOT NULL CHECK (length(bank) BETWEEN 1 AND 64),
    browser BLOB CHECK (length(browser) = 32),
    redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
    is_mobile INTEGER NOT NULL CHECK (is_mobile IN (0, 1)),
    deep_link TEXT CHECK (length(deep_link) BETWEEN 1 AND 2048),
    needs_confirmation INTEGER NOT NULL CHECK (needs_confirmation IN (0, 1)),
    created_at INTEGER NOT NULL,
    stage TEXT NOT NULL CHECK (stage = 'pending' OR stage = 'arrived' OR stage = 'asking' OR stage = 'ended'),
    token BLOB UNIQUE CHECK (length(token) = 32),
    held TEXT,
    verifier TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((stage = 'pending') = (verifier <> '')),
    CHECK ((stage = 'asking') = (held IS NOT NULL)),
    CHECK (stage = 'ended' OR (stage = 'asking') = (token IS NOT NULL))
) STRICT;
CREATE INDEX bank_enrolments_by_account ON bank_enrolments (account, number);
CREATE INDEX bank_enrolments_by_expiry ON bank_enrolments (expires_at);
CREATE TABLE payments (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    session TEXT NOT NULL,
    client TEXT NOT NULL CHECK (length(client) <= 256),
    card TEXT NOT NULL,
    last_four TEXT NOT NULL CHECK (length(last_four) = 4),
    card_type TEXT NOT NULL,
    bank_name TEXT NOT NULL,
    amount TEXT NOT NULL CHECK (length(amount) BETWEEN 1 AND 17),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    merchant TEXT NOT NULL CHECK (length(merchant) BETWEEN 1 AND 100),
    merchant_id TEXT CHECK (length(merchant_id) BETWEEN 1 AND 64),
    nonce BLOB NOT NULL CHECK (length(nonce) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    idempotency_key BLOB CHECK (length(idempotency_key) = 32),
    idempotency_content BLOB CHECK (length(idempotency_content) = 32),
    wrong_proofs INTEGER NOT NULL CHECK (wrong_proofs BETWEEN 0 AND 5),
    version INTEGER NOT NULL CHECK (version >= 1),
    state TEXT NOT NULL
        CHECK (state = 'pending' OR state = 'confirmed' OR state = 'cancelled' OR state = 'expired'),
    cancelled_at INTEGER,
    confirmed_at INTEGER,
    confirmed_in TEXT,
    method TEXT CHECK (method = 'device-key' OR method = 'passkey' OR method = 'face'),
    card_token BLOB CHECK (length(card_token) = 32),
    card_token_expires_at INTEGER,
    redeemed_at INTEGER,
    CHECK ((idempotency_key IS NULL) = (idempotency_content IS NULL)),
    CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (
        (state = 'confirmed') = (confirmed_at IS NOT NULL)
        AND (state = 'confirmed') = (confirmed_in IS NOT NULL)
        AND (state = 'confirmed') = (method IS NOT NULL)
        AND (state = 'confirmed') = (card_token IS NOT NULL)
        AND (state = 'confirmed') = (card_token_expires_at IS NOT NULL)
        AND (state = 'confirmed' OR redeemed_at IS NULL)
    )
) STRICT, WITHOUT ROWID;
CREATE INDEX payments_by_account ON payments (account, created_at, id);
CREATE UNIQUE INDEX payments_by_key ON payments (account, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX payments_by_card_token ON payments (card_token) WHERE card_token IS NOT NULL;
CREATE INDEX payments_by_age ON payments (created_at);
CREATE TABLE mail_queue (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL
        CHECK (kind = 'sign_in_code' OR kind = 'address_proof' OR kind = 'notice' OR kind = 'test'),
    state TEXT NOT NULL CHECK (state IN ('queued', 'bounced')),
    sealing_key TEXT NOT NULL CHECK (length(sealing_key) BETWEEN 1 AND 64),
    recipient BLOB NOT NULL CHECK (length(recipient) BETWEEN 1 AND 1024),
    message BLOB CHECK ((message IS NOT NULL) = (state = 'queued')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    failure TEXT
        CHECK (failure = 'temporary' OR failure = 'permanent' OR failure = 'configuration'
            OR failure = 'unreadable'),
    reply INTEGER CHECK (reply BETWEEN 100 AND 599),
    lease TEXT CHECK (lease IS NULL OR state = 'queued'),
    ended_at INTEGER CHECK ((ended_at IS NOT NULL) = (state = 'bounced'))
) STRICT;
CREATE INDEX mail_queue_due ON mail_queue (due_at) WHERE state = 'queued';
CREATE INDEX mail_queue_by_age ON mail_queue (created_at) WHERE state = 'queued';
CREATE INDEX mail_queue_ended ON mail_queue (ended_at) WHERE state = 'bounced';
CREATE TABLE email_codes (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL,
    address BLOB NOT NULL CHECK (length(address) = 32),
    client TEXT NOT NULL,
    device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 128),
    linked_device TEXT,
    digits BLOB NOT NULL CHECK (length(digits) = 32),
    link BLOB NOT NULL UNIQUE CHECK (length(link) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    wrong_tries INTEGER NOT NULL CHECK (wrong_tries BETWEEN 0 AND 5),
    ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX email_codes_live ON email_codes (account, client, device) WHERE ended_at IS NULL;
CREATE INDEX email_codes_address ON email_codes (address, client, device) WHERE ended_at IS NULL;
CREATE INDEX email_codes_account ON email_codes (account, created_at);
CREATE INDEX email_codes_created ON email_codes (created_at);
CREATE TABLE audit (
    node TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    fact TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT,
    detail TEXT,
    prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (node, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE key_mark (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    mark BLOB NOT NULL CHECK (length(mark) = 32),
    recorded_at INTEGER NOT NULL,
    sealing_key TEXT,
    id_mask BLOB
) STRICT;

INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (1, 'schema of 0.1.0', '81ad25d76b7aad9d6f6285aee3026d8625554397a763fc759e813a291c99c9ed', 1800000000123);
INSERT INTO accounts (id, display_name, folded_name, state, created_at) VALUES ('00000000-0000-000a-0000-000000000001', 'Person 1', lower('Person 1'), 'active', 1800000000123);
INSERT INTO accounts (id, display_name, folded_name, state, created_at) VALUES ('00000000-0000-000a-0000-000000000002', 'Person 2', lower('Person 2'), 'active', 1800000000123);
INSERT INTO accounts (id, display_name, folded_name, state, password_hash, created_at) VALUES ('00000000-0000-7000-8000-00000000000a', 'Ada', lower('Ada'), 'active', 'hash', 0);
INSERT INTO account_attributes (account, name, value) VALUES ('00000000-0000-000a-0000-000000000001', 'role', 'admin');
INSERT INTO identifiers (kind, value, account, is_verified) VALUES ('email', 'person1@example.com', '00000000-0000-000a-0000-000000000001', 1);
INSERT INTO address_claims (account, value, claimed_at) VALUES ('00000000-0000-000a-0000-000000000001', 'eve@example.com', 1800000000123);
INSERT INTO enrolments (account, provider, reference, state, version) VALUES ('00000000-0000-000a-0000-000000000001', 'mock', 'enrolment-1', 'active', 0);
INSERT INTO lockouts (subject, tries, last_tried_at) VALUES (x'8085e76fc7bec4f4d28bbe01b6dd20d84ca46b40f55c71357d808cee2beff011', 3, 1800000000123);
INSERT INTO device_links (cookie, account, client, device, methods, created_at, last_seen_at, expires_at, revoked_at) VALUES (x'b6bede55722fff393f2eb56de914be753b6f179a2a875bcc5bfbbff347b6d1a7', '00000000-0000-000a-0000-000000000001', 'app', '00000000-0000-000d-0000-000000000001', 'hwk user', 1800000000123, 1800000000123, 1800001000123, 1800000000123);
INSERT INTO device_links (cookie, account, client, device, methods, created_at, last_seen_at, expires_at) VALUES (x'0a3ed1160ac028e637dae4510610202c8b916aee7cf380890108d522bf1d4b97', '00000000-0000-000a-0000-000000000001', 'app', '00000000-0000-000d-0000-000000000002', 'hwk user', 1800000000123, 1800000000123, 1800000020123);
INSERT INTO devices (id, account, client, name, label, is_credential_unproven, created_at, expires_at) VALUES ('00000000-0000-000d-0000-000000000001', '00000000-0000-000a-0000-000000000001', 'app', 'device 1', 'Renamed', 1, 1800000000123, 1800000007123);
INSERT INTO devices (id, account, client, name, label, platform, credential, is_credential_unproven, created_at, expires_at) VALUES ('00000000-0000-000d-0000-000000000002', '00000000-0000-000a-0000-000000000002', 'app', 'device 2', 'Phone 2', 'ios', x'd7da6d852c3ccb8752de144671d8d0e6daf77ca14ba231b6f405556e358dc275', 0, 1800000000123, 1800000090123);
INSERT INTO devices (id, client, name, label, platform, credential, is_credential_unproven, created_at, expires_at) VALUES ('00000000-0000-000d-0000-000000000005', 'app', 'device 5', 'Phone 5', 'android', x'f2c14ec70ccf204eb8d7a6c1d293024087bb3af31fdeec5cd2399c8e9f26140a', 0, 1800000000123, 1800000090123);
INSERT INTO devices (id, account, client, name, label, platform, credential, is_credential_unproven, created_at, expires_at, revoked_at) VALUES ('00000000-0000-000d-0000-000000000007', '00000000-0000-000a-0000-000000000001', 'app', 'device 7', 'Phone 7', 'android', x'88100b070e5a63ae89bb6b6ff30153b826ec333f7b0e4e1a36a5170a11205054', 0, 1800000000123, 1800000090123, 1799999999123);
INSERT INTO devices (id, account, client, name, label, credential, is_credential_unproven, created_at, expires_at) VALUES ('00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000a', 'app', 'phone', '', x'4b23f29c7bdcbe90d5d2691e084f05a40de9236664ff4ba29c9405d7f6e310ad', 0, 0, 9);
INSERT INTO device_keys (device, public_key, last_count, created_at, uses, clone_signs) VALUES ('00000000-0000-7000-8000-00000000000c', 'BDP5Nq2bczrZFXa07D-gUGP4Ec5zAXZ0BrtulbugfYfNxiHqXxVJAkBKEMkfteJzuUFdZzq35YMYu8JkshaVEy0', 0, 0, 0, 0);
INSERT INTO device_counts (device, count) VALUES ('00000000-0000-7000-8000-00000000000c', 7);
INSERT INTO device_challenges (device, challenge, expires_at) VALUES ('00000000-0000-7000-8000-00000000000c', x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 1800000060123);
INSERT INTO push_tokens (device, sealed, updated_at) VALUES ('00000000-0000-7000-8000-00000000000c', 'sssssssssssssssssssssssssssssssssssssss', 0);
INSERT INTO sessions (id, account, client, is_device_proven, methods, binding, authenticated_at, created_at) VALUES ('00000000-0000-0005-0000-000000000001', '00000000-0000-000a-0000-000000000001', 'app', 0, 'face otp', 'none', 1799999999127, 1800000000123);
INSERT INTO sessions (id, account, client, is_device_proven, methods, binding, authenticated_at, created_at) VALUES ('00000000-0000-0005-0000-000000000002', '00000000-0000-000a-0000-000000000002', 'app', 0, 'face otp', 'none', 1799999999127, 1800000000123);
INSERT INTO sessions (id, account, client, is_device_proven, methods, binding, passkey, authenticated_at, created_at) VALUES ('00000000-0000-5e55-0000-000000000001', '00000000-0000-000a-0000-000000000001', 'app', 0, 'face pin', 'device-key', '00000000-0000-9a55-0000-000000000001', 1800000000123, 1800000000123);
INSERT INTO sessions (id, account, client, is_device_proven, methods, binding, proof_key, authenticated_at, created_at) VALUES ('00000000-0000-5e55-0000-000000000002', '00000000-0000-000a-0000-000000000001', 'app', 0, 'face pin', 'none', x'fdb0ba31895ab65ab4bf1fd8a199070b8d9a12d83e8975dee1cf40df62804ce1', 1800000000123, 1800000000123);
INSERT INTO session_origins (session, origin, by_means) VALUES ('00000000-0000-5e55-0000-000000000001', '00000000-0000-0005-0000-000000000001', 0);
INSERT INTO refresh_tokens (jti_hash, session, family, is_rotation_proven, client, issued_at, expires_at) VALUES (x'b2b3d57a762f02c2f53c18f2ac53993562524fb866147b44a7a7272178f51dee', '00000000-0000-0005-0000-000000000002', x'b2b3d57a762f02c2f53c18f2ac53993562524fb866147b44a7a7272178f51dee', 0, 'app', 1800000000123, 1800001000123);
INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at) VALUES (x'92cb2df6545207560bc2fb061d7088860945aa0807a13f2c9caf043821cbed54', '00000000-0000-0005-0000-000000000002', 1, 1800000000123, 1800000000123, 1800000600123);
INSERT INTO client_endings (client, opened_by) VALUES ('web', 2);
INSERT INTO session_expiries (id, noted_until) VALUES (1, 1800000000123);
INSERT INTO used_marks (digest, expires_at) VALUES (x'5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8', 1800000120123);
INSERT INTO operations (id, public_id, ticket, kind, account, device, device_proof, language, provider, client, policy, code_challenge, binding_cookie, is_bound, mode, wrong_numbers, state, seq, created_at, deadline, node) VALUES ('0e000000-0000-0000-0000-000000000007', x'2da0c6c05f4d650279db198dfc8f73435c9b50036bf1aa9e16da03e26f41b9d0', x'4abf17e94b33857c3730d569f4254d036458ce891e77f9ee2ce7f9c27ba0c17d', 'login', '00000000-0000-000a-0000-000000000001', '00000000-0000-000d-0000-000000000001', 'credential', 'sv', 'scripted', 'app', '{"accessToken":900000,"approvalWindow":60000,"audience":"https:\/\/api.example.com","client":"app","initiators":"anyone","lifetime":180000,"redemptionWindow":120000,"refreshToken":2592000000,"verifier":"optional"}', x'c2d692dd0dc0f1b84560b8f996bf39721e234b7765fd8c167b659b61a9142fe9', x'b822a3c85c1771f38f7dc07b3652b89168f04a166c4c7b4b677d09a4ff548b71', 0, 'same-device', 0, 'created', 1, 1800000000123, 1800000180123, 'local');
INSERT INTO operations (id, public_id, ticket, kind, account, device, device_proof, language, provider, client, policy, code_challenge, binding_cookie, is_bound, mode, wrong_numbers, state, failure, seq, created_at, deadline, ended_at, node) VALUES ('0e000000-0000-0000-0000-000000000001', x'433b1a1f96c9964eb8b4d876902e610450d1c31ded42cc67978f216a94df6571', x'77e0e4b7dda814354f42c5f44b925dba387055fdf6edbfa132f0b2151ade76fb', 'login', '00000000-0000-000a-0000-000000000001', '00000000-0000-000d-0000-000000000001', 'credential', 'sv', 'scripted', 'app', '{"accessToken":900000,"approvalWindow":60000,"audience":"https:\/\/api.example.com","client":"app","initiators":"anyone","lifetime":180000,"redemptionWindow":120000,"refreshToken":2592000000,"verifier":"optional"}', x'ac32f650fe3528143e1d45d7f584ccb92fa144e3983c691f0b55a5196fa0bb52', x'7620c297dbf5bc2e13c2a62075c11cfd16da1af1da6d17d6faba0b9d0b748f11', 0, 'same-device', 0, 'failed', 'expired', 1, 1800000000123, 1800000180123, 1800000000123, 'local');
INSERT INTO operations (id, public_id, ticket, kind, account, device, device_proof, language, provider, client, policy, code_challenge, binding_cookie, is_bound, mode, wrong_numbers, state, scan_browser, seq, created_at, deadline, node) VALUES ('0e000000-0000-0000-0000-00000000000c', x'2cde31d1a2a62203548b13e4e9777c32b0ef990beb5435c43b28d9ba6b4a264c', x'979e89479db7a82cf7c9a0cd477e2dc27848c7560067e7ad051422365c77bab4', 'login', '00000000-0000-000a-0000-000000000001', '00000000-0000-000d-0000-000000000001', 'credential', 'sv', 'scripted', 'app', '{"accessToken":900000,"approvalWindow":60000,"audience":"https:\/\/api.example.com","client":"app","initiators":"anyone","lifetime":180000,"redemptionWindow":120000,"refreshToken":2592000000,"verifier":"optional"}', x'7c9c860c07289ce72df29b53364f76a992a969776e7b2896db8c3e31fa8d59cb', x'a16220751712e9f47a53c7f80a6159a5be306b97aae05badb2999d8fa1fb7459', 0, 'same-device', 0, 'opened', x'99bfdfeeea48dd5e097efa6fb7a348a0607af22e16843a52f5e1fb3f95132a08', 1, 1800000000123, 1800000180123, 'local');
INSERT INTO operations (id, public_id, ticket, kind, account, device, device_proof, language, provider, client, policy, code_challenge, binding_cookie, is_bound, mode, wrong_numbers, state, scan_reference, scan_browser, scan_attempt, scan_started_at, scan_progress, scan_page, seq, created_at, deadline, node) VALUES ('0e000000-0000-0000-0000-00000000000d', x'63c26aa2291c55f4a960f4604d0edc3a34ecd160308a4d9ca4f73eadd1ed270e', x'f5c352becb81ab6fdcb54eb31d989bc9e68c0e3967f9eb0691b2bc25010ce763', 'login', '00000000-0000-000a-0000-000000000001', '00000000-0000-000d-0000-000000000001', 'credential', 'sv', 'scripted', 'app', '{"accessToken":900000,"approvalWindow":60000,"audience":"https:\/\/api.example.com","client":"app","initiators":"anyone","lifetime":180000,"redemptionWindow":120000,"refreshToken":2592000000,"verifier":"optional"}', x'3f611abf40afe9d59bc744f360461370c8ddbc26040df2736a78dfa46d4f1870', x'17751ab441c1a3c4ec02e1ac83c717e92ed3053ceaa2a2309639d023634fc7e6', 0, 'same-device', 0, 'pending', 'scan-1', x'99bfdfeeea48dd5e097efa6fb7a348a0607af22e16843a52f5e1fb3f95132a08', 1, 1800000001124, 'user_in_provider', 'old.c3NzcHBw', 1, 1800000000123, 1800000180123, 'local');
INSERT INTO scans (scan, operation, face) VALUES (x'c86371049302a4bf43cca212fab57678de6840cac80a71857bfacc8ec9ffff83', '0e000000-0000-0000-0000-000000000001', 'the first');
INSERT INTO passkeys (id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible, is_backed_up, is_user_verified, transports, aaguid, attestation_format, attestation_type, is_attestation_trusted, serial_number, is_discoverable, label, created_at, counts_from, last_used_at, clone_signs) VALUES ('00000000-0000-000f-0000-000000000001', x'0101010101010101010101010101010101010101010101010101010101010101', '00000000-0000-000a-0000-000000000001', x'01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101', 'example.com', x'a50102032620012158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2962258204fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5', 7, 1, 1, 1, 'internal hybrid', x'01010101010101010101010101010101', 'packed', 'basic', 1, x'000402', 1, 'Ada’s phone', 1800000000123, 1800000000123, 1800000001123, 0);
INSERT INTO passkeys (id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible, is_backed_up, is_user_verified, transports, aaguid, attestation_format, attestation_type, is_attestation_trusted, attestation_doubt, label, created_at, counts_from, clone_signs) VALUES ('00000000-0000-000f-0000-000000000002', x'0202020202020202020202020202020202020202020202020202020202020202', '00000000-0000-000a-0000-000000000002', x'02', 'example.com', x'a50102032620012158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2962258204fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5', 0, 0, 0, 0, '', x'02020202020202020202020202020202', 'packed', 'basic', 0, 'metadata_overdue', '', 1800000000123, 1800003600123, 0);
INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification, purpose, account, name, user_handle, algorithms, resident_key, attestation, created_at, expires_at) VALUES (1, x'ac32f650fe3528143e1d45d7f584ccb92fa144e3983c691f0b55a5196fa0bb52', x'a5a586467a0aeb2a2b99d351ca70ef95db1363d96b1a06b6dd68fd15a46dd928', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', 'example.com', 'preferred', 'registration', '00000000-0000-000a-0000-000000000001', 'Ada', x'010203', '-7 -257', 'required', 'direct', 1800000000123, 1800000600123);
INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification, purpose, name, user_handle, algorithms, resident_key, attestation, created_at, expires_at) VALUES (2, x'a92a30e1bfcccd5c4abe986fda3f70acaa6acb2d6450dfb1546e6b8d86fd794c', x'd0f5b82072bec185bb09e82a0ac2e6b5a114802614a71994b85c88aeb3a1425b', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', 'example.com', 'required', 'registration', 'eve', x'09090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909090909', '-7 -8 -35 -36 -37 -38 -39 -49 -50 -257 -258 -259', 'discouraged', 'none', 1800000000123, 1800000600123);
INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification, purpose, created_at, expires_at) VALUES (3, x'ee808b6ce1360703f82e9dddb484a527ad003635044ac6434e80e01cac9d65bf', x'7b320cabcfdd7cceb45e944bd40bf27d0bb5d70c9480d353d64bfd817305f302', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', 'example.com', 'preferred', 'authentication', 1800000000123, 1800000600123);
INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification, purpose, account, name, created_at, expires_at) VALUES (4, x'd732644829dd36206f99e9728cc2a9491fb2db6e9df8f384e027a13fc7171433', x'697c4ca1050d27e56d2eef2a9a76b2f865f836f87746bc7c5751a6fe76b37353', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', 'example.com', 'required', 'authentication', '00000000-0000-000a-0000-000000000001', 'ada', 1800000000123, 1800000600123);
INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification, purpose, name, created_at, expires_at) VALUES (5, x'23e2ff94e3e29198bfa834b4219184b03b5e3e78975e797ce97de853c70a6ae2', x'42cd87a518ac9f2230f56c30df95ed0657d0e266495f6695edbb4becccee773f', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', 'example.com', 'preferred', 'authentication', 'nobody', 1800000000123, 1800000600123);
INSERT INTO logout_notices (session, account, client, endpoint, algorithm, created_at, due_at, attempts, failure) VALUES ('00000000-0000-0005-0000-000000000003', '00000000-0000-000a-0000-000000000001', 'web', 'https://app.example.com/logout', 'ES256', 1800000000123, 1800000060123, 1, 'status 503');
INSERT INTO oauth_clients (id, name, origin, is_enabled, authentication, grants, redirect_uris, post_logout_redirect_uris, scopes, resources, requires_pushed_requests, requires_dpop, requires, requires_signed_requests, id_token_claims, created_at) VALUES ('web', 'web', 'registered', 1, 'secret', 'authorization_code', 'https://app.example.com/done?a=b http://127.0.0.1/', '', '', '', 0, 0, 'face-or-passkey', 0, '', 1800000000123);
INSERT INTO oauth_clients (id, name, origin, is_enabled, authentication, keys, grants, redirect_uris, post_logout_redirect_uris, scopes, resources, requires_pushed_requests, requires_dpop, requires, delivery, notification_endpoint, requires_signed_requests, id_token_algorithm, id_token_claims, created_at) VALUES ('backend', 'Ein Büro', 'added', 0, 'private_key_jwt', '{"keys":[]}', 'refresh_token urn:ietf:params:oauth:grant-type:device_code urn:openid:params:grant-type:ciba', '', '', 'openid payments', 'https://api.example.com/ https://files.example.com/v1', 1, 1, 'face', 'ping', 'https://app.example.com/ping', 1, 'RS256', 'email name', 1800000000123);
INSERT INTO oauth_client_secrets (client, digest) VALUES ('web', x'8a46b81fab285dff086645f94d87b3a4e52378bb106a0262319d752ac7a7804d');
INSERT INTO oauth_registration_tickets (digest, uses, created_at, expires_at) VALUES (x'77e0e4b7dda814354f42c5f44b925dba387055fdf6edbfa132f0b2151ade76fb', 1, 1800000000123, 1800000060123);
INSERT INTO oauth_requests (number, digest, client, parameters, created_at, expires_at) VALUES (1, x'0000000000000000000000000000000000000000000000000000000000000001', 'app', 'Y2xpZW50X2lk.YXBw.c2NvcGU.b3BlbmlkIGVtYWls.c3RhdGU.YS5iPcOkJiIK.cmVzb3VyY2U.aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vYQ.cmVzb3VyY2U.aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vYg', 1800000000123, 1800000061123);
INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri, response_mode, state, scopes, resources, code_challenge, nonce, prompts, max_age, context_class, is_context_class_essential, ui_locales, id_token_claims, login_hint, hinted_account, proof_key, created_at, expires_at) VALUES (1, x'0000000000000000000000000000000000000000000000000000000000000001', x'0000000000000000000000000000000000000000000000000000000000000065', 'app', 'https://app.example.com/callback?tenant=7', 1, 'form_post', 'st ate/ä', 'email openid', 'https://api.example.com/a https://api.example.com/b', x'0000000000000000000000000000000000000000000000000000000000000029', 'n 1', 'consent login', 60, 'face-and-passkey', 1, 'fr-CA fr en', 'name preferred_username', 'ada@example.com', '00000000-0000-000a-0000-000000000001', x'000000000000000000000000000000000000000000000000000000000000002a', 1800000000123, 1800000061123);
INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri, response_mode, scopes, resources, prompts, is_context_class_essential, id_token_claims, created_at, expires_at) VALUES (2, x'0000000000000000000000000000000000000000000000000000000000000002', x'0000000000000000000000000000000000000000000000000000000000000066', 'app', 'myapp.scheme.demo://code_callback', 0, 'query', '', '', '', 0, '', 1800000000123, 1800000062123);
INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at, nonce, id_token_claims, redirect_uri, names_redirect_uri, code_challenge, proof_key, issued_at, expires_at) VALUES (x'0000000000000000000000000000000000000000000000000000000000000001', '00000000-0000-000a-0000-000000000001', 'app', 'email openid', 'https://api.example.com/a https://api.example.com/b', 'face hwk user', 1800000000123, 'n 1', 'email', 'https://app.example.com/callback?tenant=7', 1, x'0000000000000000000000000000000000000000000000000000000000000029', x'000000000000000000000000000000000000000000000000000000000000002a', 1800000000123, 1800000061123);
INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at, id_token_claims, redirect_uri, names_redirect_uri, issued_at, expires_at) VALUES (x'0000000000000000000000000000000000000000000000000000000000000002', '00000000-0000-000a-0000-000000000001', 'app', '', '', '', 1800000000123, '', 'myapp.scheme.demo://code_callback', 0, 1800000000123, 1800000062123);
INSERT INTO oauth_consents (account, client, origin, scopes, resources, granted_at, expires_at) VALUES ('00000000-0000-000a-0000-000000000001', 'app', '', 'openid', '', 1800000000123, 1800000161123);
INSERT INTO oauth_grants (session, client, scopes, resources, nonce, id_token_claims, backchannel_request) VALUES ('00000000-0000-0005-0000-000000000001', 'web', 'openid orders:read', 'https://api.example.com/orders urn:example:cards', 'n-0S6_WzA2Mj', 'email name', '1c266114-a1be-4252-8ad1-04986c5b9ac1');
INSERT INTO oauth_grants (session, client, scopes, resources, id_token_claims) VALUES ('00000000-0000-0005-0000-000000000002', 'app', '', '', '');
INSERT INTO device_authorizations (number, device_code, user_code, client, scopes, resources, source, origin_address, origin_agent, state, created_at, expires_at) VALUES (1, x'47eb2e31ddeac064ce369049f626e66cbb03cb275bb7862cc03c09439444bd79', x'61f300995ce74e948d023c988970b083b14d4d45db4629f93618e315bccfb2b3', 'tv', 'openid', '', x'dad95b8243ef4c8d02fa743b2b24b3b29a9439137ff5eaf4d9f93a58d1571322', '192.0.2.7', '', 'pending', 1800000000123, 1800000600123);
INSERT INTO backchannel_requests (id, operation, client, delivery, scopes, resources, interval_ms, created_at, kept_until, notice_attempts) VALUES (x'01c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1', '00000000-0000-003a-0000-000000000001', 'bank', 'poll', 'openid payments', 'https://api.example.com/a https://api.example.com/b', 5500, 1800000000000, 1800000600000, 0);
INSERT INTO backchannel_requests (id, operation, client, delivery, scopes, resources, interval_ms, endpoint, sealing_key, sealed, created_at, kept_until, notice_attempts) VALUES (x'02c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1', '00000000-0000-003a-0000-000000000002', 'bank', 'ping', 'openid payments', '', 5500, 'https://bank.example.com/cb?a=b', 'key', x'00ff0a02', 1800000000000, 1800000600000, 0);
INSERT INTO backchannel_requests (id, operation, client, delivery, scopes, resources, interval_ms, endpoint, sealing_key, sealed, created_at, kept_until, notice_due_at, notice_expires_at, notice_attempts) VALUES (x'03c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1', '00000000-0000-003a-0000-000000000003', 'hangs', 'ping', 'openid payments', '', 5500, 'https://bank.example.com/cb?a=b', 'key', x'00ff0a03', 1800000000000, 1800000600000, 1799999940000, 1800000300000, 0);
INSERT INTO wallet_banks (account, bank, name, logo, access_token, refresh_token, tokens_expire_at, tokens_leased_until, enrolled_at, version) VALUES ('00000000-0000-000a-0000-000000000001', 'z', 'Example Bank', 'https://bank.example.com/logo.svg', 'sealed', 'sealed too', 1800000060123, 1800000020123, 1800000000123, 1);
INSERT INTO wallet_cards (id, account, bank, reference, last_four, card_type, is_default, added_at) VALUES ('00000000-0000-00ca-0000-000000000001', '00000000-0000-000a-0000-000000000001', 'z', 'ref-1', '0001', 'VISA', 0, 7);
INSERT INTO wallet_cards (id, account, bank, reference, last_four, card_type, is_default, added_at, removed_at, removed_by) VALUES ('00000000-0000-00ca-0000-000000000002', '00000000-0000-000a-0000-000000000001', 'z', 'ref-2', '0002', 'VISA', 0, 7, 1800000000123, 'person');
INSERT INTO bank_enrolments (number, state, account, session, bank, browser, redirect_uri, is_mobile, deep_link, needs_confirmation, created_at, stage, verifier, expires_at) VALUES (1, x'01015a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', '00000000-0000-000a-0000-000000000001', '00000000-0000-0005-0000-000000000001', 'bank-1', x'02015a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 'https://id.example.com/api/enrollment/callback/bank-1', 1, 'mwsim://enrollment/callback', 0, 1800000000123, 'pending', 'sealed-1', 1800000600123);
INSERT INTO bank_enrolments (number, state, account, session, bank, redirect_uri, is_mobile, needs_confirmation, created_at, stage, verifier, expires_at) VALUES (2, x'01025a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', '00000000-0000-000a-0000-000000000001', '00000000-0000-0005-0000-000000000002', 'bank-2', 'https://id.example.com/api/enrollment/callback/bank-2', 0, 1, 1800000000123, 'pending', 'sealed-2', 1800000600123);
INSERT INTO payments (id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant, merchant_id, nonce, created_at, expires_at, idempotency_key, idempotency_content, wrong_proofs, version, state) VALUES ('00000000-0000-00a1-0000-000000000000', '00000000-0000-000a-0000-000000000001', '00000000-0000-00b1-0000-000000000000', 'wallet-app', '00000000-0000-00c1-0000-000000000000', '4242', 'VISA', 'Ant Bank', '12.50', 'EUR', 'Möbel & Söhne', 'shop-7', x'01005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 1800000000123, 1800000300123, x'02005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', x'03005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 0, 1, 'pending');
INSERT INTO payments (id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant, merchant_id, nonce, created_at, expires_at, idempotency_key, idempotency_content, wrong_proofs, version, state, cancelled_at) VALUES ('00000000-0000-00a1-0000-000000000001', '00000000-0000-000a-0000-000000000001', '00000000-0000-00b1-0000-000000000001', 'wallet-app', '00000000-0000-00c1-0000-000000000001', '4242', 'VISA', 'Ant Bank', '12.50', 'EUR', 'Möbel & Söhne', 'shop-7', x'01015a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 1800000000123, 1800000300123, x'02015a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', x'03015a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 1, 2, 'cancelled', 1800000003123);
INSERT INTO payments (id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant, merchant_id, nonce, created_at, expires_at, wrong_proofs, version, state) VALUES ('00000000-0000-00a1-0000-000000000002', '00000000-0000-000a-0000-000000000001', '00000000-0000-00b1-0000-000000000002', 'wallet-app', '00000000-0000-00c1-0000-000000000002', '4242', 'VISA', 'Ant Bank', '12.50', 'EUR', 'Möbel & Söhne', 'shop-7', x'01025a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a', 1800000000123, 1800000300123, 0, 1, 'pending');
INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts) VALUES ('00000000-0000-003a-0000-000000000001', 'sign_in_code', 'queued', 'key', x'0100ff', x'000d0a01', 1800000000123, 1800000600123, 1800000000123, 0);
INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, created_at, expires_at, due_at, attempts, failure, reply, ended_at) VALUES ('00000000-0000-003a-0000-000000000002', 'sign_in_code', 'bounced', 'key', x'0100ff', 1800000001123, 1800000600123, 1800000000123, 3, 'permanent', 550, 1800000000123);
INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts, lease) VALUES ('00000000-0000-003a-0000-000000000004', 'sign_in_code', 'queued', 'key', x'0100ff', x'000d0a04', 1800000000123, 1800000600123, 1800000120123, 0, '00000000-0000-0001-0000-000000000002');
INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, created_at, expires_at, due_at, attempts, failure, ended_at) VALUES ('00000000-0000-003a-0000-000000000005', 'sign_in_code', 'bounced', 'key', x'0100ff', 1800000000123, 1800000600123, 1800000000123, 0, 'permanent', 1799999999123);
INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at, expires_at, wrong_tries) VALUES ('00000000-0000-0009-0000-000000000001', '00000000-0000-0001-0000-000000000001', x'0101010101010101010101010101010101010101010101010101010101010101', 'app', 'phone', x'6565656565656565656565656565656565656565656565656565656565656565', x'c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9', 1800000000123, 1800000600123, 0);
INSERT INTO email_codes (id, account, address, client, device, linked_device, digits, link, created_at, expires_at, wrong_tries) VALUES ('00000000-0000-0009-0000-000000000002', '00000000-0000-0001-0000-000000000001', x'0101010101010101010101010101010101010101010101010101010101010101', 'app', 'tablet', '00000000-0000-0002-0000-000000000007', x'6666666666666666666666666666666666666666666666666666666666666666', x'cacacacacacacacacacacacacacacacacacacacacacacacacacacacacacacaca', 1800000000123, 1800000600123, 0);
INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at, expires_at, wrong_tries, ended_at) VALUES ('00000000-0000-0009-0000-000000000004', '00000000-0000-0001-0000-000000000001', x'0101010101010101010101010101010101010101010101010101010101010101', 'app', 'old', x'6868686868686868686868686868686868686868686868686868686868686868', x'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 1800000000123, 1800000600123, 0, 1799999991123);
INSERT INTO audit (node, number, at, fact, subject, account, detail, prev_hash, hash) VALUES ('local', 1, 1800000000124, 'operation.redeemed', 'row 1', '00000000-0000-000a-0000-000000000001', 'session 1', x'0000000000000000000000000000000000000000000000000000000000000000', x'42c9c79daebb603ff16d83099fbf1c2b074a8085920bd6a0c70c1a934f706447');
INSERT INTO audit (node, number, at, fact, subject, detail, prev_hash, hash) VALUES ('local', 2, 1800000000125, 'operation.redeemed', 'row 2', 'session 2', x'42c9c79daebb603ff16d83099fbf1c2b074a8085920bd6a0c70c1a934f706447', x'0ed072144da78c1ede87785bfe4e40d30fd6113c2fd870804b3c423140b28005');
INSERT INTO audit (node, number, at, fact, subject, account, prev_hash, hash) VALUES ('local', 3, 1800000000126, 'operation.redeemed', 'row 3', '00000000-0000-000a-0000-000000000001', x'0ed072144da78c1ede87785bfe4e40d30fd6113c2fd870804b3c423140b28005', x'804979667ddf04027480fc2e9376eb26eb4d68c6edcbca1f08c63f3bd1d92dc7');
INSERT INTO key_mark (id, mark, recorded_at) VALUES (1, x'202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f', 1800000000123);
