extension EmbeddedConfig {
    /// The second half of ``main``: what the daemon itself does.
    static let running = #"""
        # What a request may cost.
        limits:
          # The largest request body, in bytes. (1024 to 1048576)
          bodyBytes: 65536
          # Turns the rate limiters off, for benches; laptop mode on loopback only.
          off: false
          # Starts of logins from one address. (A network of 64 bits for IPv6. The same holds below.)
          initiatePerAddress:
            # At once.
            burst: 300
            # In the long run: a number per s, m or h.
            rate: 5/s
          # Starts for one e-mail address by devices that are not linked to it; linked ones can always start.
          initiatePerAccount:
            burst: 15
            rate: 1/m
          # Polls of one login by whoever started it; faster ones are told to slow down.
          pollsPerOperation:
            burst: 20
            rate: 5/s
          # Requests from one address about ids that nobody was given, or about logins of others.
          strangersPerAddress:
            burst: 200
            rate: 20/s
          # Face scans asked for from one address.
          openingsPerAddress:
            burst: 300
            rate: 5/s
          # Accounts that people open from one address.
          registrationsPerAddress:
            burst: 100
            rate: 100/h
          # Options to make a passkey, of the surface with the cookie, from one address.
          passkeySignUpsPerAddress:
            burst: 5
            rate: 20/h
          # The same for its other three requests of a ceremony, each for itself.
          passkeySignInsPerAddress:
            burst: 10
            rate: 40/h
          # All requests about passkeys of the surface by challengeId, from one address.
          passkeyRequestsPerAddress:
            burst: 60
            rate: 1/s
          # Sign-ins by a password or a code from one address, right or wrong. (What an account itself bears is fixed: after
          # five wrong ones, delays that grow from 30 s to 15 min, apart for each device that is linked to it.)
          signInsPerAddress:
            burst: 300
            rate: 2/s
          # Looks of one session at its account's operations, and words of its that one was somebody else's.
          ownerViewsPerSession:
            burst: 60
            rate: 1/s
          # Mails with a link to prove an address that one address asks for.
          proofMailsPerAddress:
            burst: 100
            rate: 100/h
          # The same mails to one mailbox, whoever asks and for however many accounts.
          proofMailsPerMailbox:
            burst: 5
            rate: 5/h
          # Requests of one client at /oauth/bc-authorize, whomever they are for.
          backchannelPerClient:
            burst: 120
            rate: 600/m
          # Passwords that are hashed at one time; each takes a core for a tenth of a second, and 16 MiB.
          passwordsAtOnce: 1
          # How long an address gets decoys for an account whose owner said "This wasn't me" to it.
          quietPeriod: 15m

        # Where mail goes, and in whose name.
        mail:
          # Whom mail comes from, like Example <no-reply@example.com>. (Must be written with smtp.)
          from: Vestibule <vestibule@localhost>
          # Where answers go; by default to from.
          # replyTo: help@example.com
          # The folder of .eml files that mail is written to while there is no smtp.
          outbox: outbox
          # The mail server that takes the mail.
          # smtp:
          #   # Its name, which its certificate has to have. (Must be written.)
          #   host: smtp.example.com
          #   # Its port; 0 is 587 for starttls and 465 for implicit.
          #   port: 0
          #   # How the connection is encrypted: from the first byte, or by the command, without which nothing is
          #   # sent. (implicit or starttls; by default starttls.)
          #   tls: starttls
          #   # Whom to sign in as; by default nobody.
          #   username: vestibule
          #   # The password of username.
          #   password: env:SMTP_PASSWORD
          #   # The certificates (PEM) that are trusted in the place of this machine's.
          #   caFile: tls/mail-ca.pem
          #   # How long it may take to connect.
          #   connectTimeout: 10s
          #   # How long one delivery may take as a whole.
          #   timeout: 30s
          # Mails that may wait to be delivered at one time.
          maxQueued: 10000

        # The keys that sign tokens.
        secrets:
          # The folder of the signing keys.
          keyFolder: keys
          # The algorithm of new signing keys. (es256, eddsa or rs256)
          signingAlgorithm: es256
          # How long a key signs before the next one does; 0s leaves that to vestibule keys rotate. (Not shorter than
          # publishBeforeSigning.)
          rotateEvery: 90d
          # How long the next key is published before it signs: longer than verifiers keep a key set.
          publishBeforeSigning: 1d
          # Seals keyFolder, and rows that have to be read again, like queued mail; without it the folder is not sealed, and
          # a key of it seals the rows.
          # sealingKey: env:SEALING_KEY
          # What sealed earlier: they only open.
          # earlierSealingKeys: [env:OLD_SEALING_KEY]

        # How long rows are kept.
        retention:
          # How long finished operations are kept: a day at least.
          operations: 30d
          # How long sessions, refresh tokens and device links are kept that expired or were revoked.
          sessions: 7d
          # How long rows of the audit are kept; they go up to a checkpoint. (Not shorter than operations.)
          audit: 365d
          # How long mail is listed that bounced.
          mail: 30d
          # Between two sweeps.
          sweepInterval: 60s
          # Rows that one unit of work deletes. (1 to 10000)
          batch: 500

        # The signed checkpoints of the audit.
        audit:
          # The file that checkpoints are appended to; copy it elsewhere.
          checkpoints: audit/checkpoints.jws
          # Between two checkpoints, if there are new rows. (1s to 1d)
          checkpointInterval: 5m

        # What Prometheus reads, on a port of its own.
        metrics:
          # Whether anything is measured, and /metrics is served.
          enabled: false
          # The address; plain HTTP without a login, so keep it to loopback.
          host: 127.0.0.1
          # The TCP port; 0 picks a free one.
          port: 9464

        """#
}
