extension SchemaTests {
    /// One row for each table.
    static let rows =
        """
        INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0);
        INSERT INTO account_attributes (account, name, value) VALUES ('a', 'role', 'admin');
        INSERT INTO identifiers (kind, value, account, is_verified)
            VALUES ('email', 'a@example.com', 'a', 1);
        INSERT INTO enrolments (account, provider, reference, state) VALUES ('a', 'mock', 'r1', 'active');
        INSERT INTO device_links (cookie, account, client, device, created_at, last_seen_at, expires_at)
            VALUES (randomblob(32), 'a', 'app', 'd', 0, 0, 0);
        INSERT INTO sessions (id, account, client, methods, authenticated_at, created_at)
            VALUES ('s', 'a', 'app', 'face', 0, 0);
        INSERT INTO refresh_tokens (jti_hash, session, family, client, issued_at, expires_at)
            VALUES (randomblob(32), 's', zeroblob(32), 'app', 0, 0);
        INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at,
            expires_at, wrong_tries)
            VALUES ('c', 'a', zeroblob(32), 'app', 'phone', zeroblob(32), zeroblob(32), 0, 0, 0);
        INSERT INTO devices (id, account, client, name, credential, created_at, expires_at, label,
            platform, last_used_at)
            VALUES ('d', 'a', 'app', 'tablet', randomblob(32), 0, 0, 'T', 'ios', 0);
        INSERT INTO device_keys (device, public_key, last_count, biometric, created_at, uses, clone_signs)
            VALUES ('d', '\(String(repeating: "k", count: 87))', 0, 'face', 0, 0, 0);
        INSERT INTO device_counts (device, count) VALUES ('d', 7);
        INSERT INTO device_challenges (device, challenge, expires_at) VALUES ('d', randomblob(32), 0);
        INSERT INTO push_tokens (device, sealed, updated_at)
            VALUES ('d', '\(String(repeating: "s", count: 39))', 0);
        INSERT INTO wallet_banks (account, bank, name, access_token, enrolled_at, version)
            VALUES ('a', 'eb', 'Example Bank', 's', 0, 1);
        INSERT INTO wallet_cards (id, account, bank, reference, last_four, card_type, is_default,
            added_at)
            VALUES ('c', 'a', 'eb', 'r', '1111', 'VISA', 0, 0);
        INSERT INTO bank_enrolments (number, state, account, session, bank, redirect_uri, is_mobile,
            needs_confirmation, created_at, stage, verifier, expires_at)
            VALUES (1, randomblob(32), 'a', 's', 'eb', 'https://example.com', 1, 0, 0, 'pending', 'v', 0);
        INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, message, created_at, expires_at,
            due_at, attempts)
            VALUES ('m', 'notice', 'queued', 'k', x'01', x'02', 0, 0, 0, 0);
        INSERT INTO lockouts (subject, tries, last_tried_at) VALUES (randomblob(32), 1, 0);
        INSERT INTO passkeys (id, credential, account, user_handle, rp_id, sign_count, is_backup_eligible,
            is_backed_up, is_user_verified, transports, aaguid, attestation_format, attestation_type,
            is_attestation_trusted, is_discoverable, label, created_at, counts_from, clone_signs,
            public_key)
            VALUES ('p', randomblob(32), 'a', zeroblob(32), 'example.com', 0, 1, 1, 1, '', zeroblob(16),
                'none', 'none', 0, 1, '', 0, 0, 0, zeroblob(77));
        INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification,
            purpose, name, user_handle, algorithms, resident_key, attestation, created_at, expires_at)
            VALUES (1, randomblob(32), randomblob(32), randomblob(32), 'example.com', 'required',
                'registration', 'ada', zeroblob(32), '-7', 'preferred', 'none', 0, 0);
        INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at)
            VALUES (randomblob(32), 's', 1, 0, 0, 0);
        INSERT INTO session_origins (session, origin, by_means)
            VALUES ('s', '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11', 0);
        INSERT INTO oauth_requests (number, digest, client, parameters, created_at, expires_at)
            VALUES (1, randomblob(32), 'app', 'YQ.Yg', 0, 0);
        INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri,
            response_mode, scopes, resources, prompts, is_context_class_essential, created_at, expires_at)
            VALUES (1, randomblob(32), randomblob(32), 'app', 'https://app.example.com/', 1, 'query', '',
                '', '', 0, 0, 0);
        INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at,
            redirect_uri, names_redirect_uri, issued_at, expires_at)
            VALUES (randomblob(32), 'a', 'app', '', '', '', 0, 'https://app.example.com/', 1, 0, 0);
        INSERT INTO device_authorizations (number, device_code, user_code, client, scopes, resources,
            source, origin_address, origin_agent, state, created_at, expires_at)
            VALUES (1, randomblob(32), randomblob(32), 'tv', '', '', randomblob(32), '', '', 'pending', 0,
                0);
        INSERT INTO oauth_consents (account, client, origin, scopes, resources, granted_at, expires_at)
            VALUES ('a', 'app', '', '', '', 0, 0);
        INSERT INTO oauth_grants (session, client, scopes, resources, nonce, backchannel_request)
            VALUES ('s', 'app', 'openid', '', 'n', 'r');
        INSERT INTO backchannel_requests (id, operation, client, delivery, scopes, resources, interval_ms,
            endpoint, sealing_key, sealed, created_at, kept_until, notice_due_at, notice_expires_at,
            notice_lease)
            VALUES (randomblob(32), 'o', 'bank', 'ping', 'openid', '', 5000, 'https://example.com', 'k',
                x'00', 0, 0, 0, 0, 'l');
        INSERT INTO address_claims (account, value, claimed_at) VALUES ('a', 'ada@example.com', 0);
        INSERT INTO oauth_clients (id, name, origin, is_enabled, authentication, grants, redirect_uris,
            post_logout_redirect_uris, scopes, resources, requires_pushed_requests, requires_dpop,
            requires_signed_requests, created_at)
            VALUES ('c', 'Client', 'added', 1, 'none', 'refresh_token', '', '', '', '', 0, 0, 0, 0);
        INSERT INTO oauth_client_secrets (client, digest) VALUES ('c', randomblob(32));
        INSERT INTO logout_notices (session, account, client, endpoint, created_at, due_at, attempts)
            VALUES ('7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11', '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a12', 'c',
                'https://example.com', 0, 0, 0);
        INSERT INTO oauth_registration_tickets (digest, uses, created_at, expires_at)
            VALUES (randomblob(32), 1, 0, 0);
        INSERT INTO client_endings (client, opened_by) VALUES ('app', 0);
        INSERT INTO session_expiries (id, noted_until) VALUES (1, 0);
        INSERT INTO used_marks (digest, expires_at) VALUES (randomblob(32), 0);
        INSERT INTO audit (node, number, at, fact, subject, prev_hash, hash)
            VALUES ('local', 1, 0, 'f', 's', randomblob(32), randomblob(32));
        """ + operation + payment + keyMark + "INSERT INTO scans (scan, operation) VALUES (randomblob(32), 'o');"
}
