"""Makes the peer's database and signing key, and the paths that wrk asks for.

    seed.py FOLDER {pending|approved|refresh} COUNT PATHS
"""

import hashlib
import secrets
import sqlite3
import sys
import time
import uuid
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE accounts (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE logins (id TEXT PRIMARY KEY, account TEXT, ticket BLOB NOT NULL UNIQUE, cookie BLOB NOT NULL, state TEXT NOT NULL,
  session TEXT, created INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE TABLE sessions (id TEXT PRIMARY KEY, account TEXT NOT NULL, created INTEGER NOT NULL, revoked INTEGER) STRICT;
CREATE TABLE refresh_tokens (digest BLOB PRIMARY KEY, session TEXT NOT NULL, expires INTEGER NOT NULL, used INTEGER, parent BLOB)
  STRICT;
CREATE INDEX refresh_sessions ON refresh_tokens (session);
CREATE TABLE audit (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, subject TEXT NOT NULL) STRICT;
"""


def main(folder: Path, kind: str, count: int, paths: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    database = sqlite3.connect(folder / "peer.sqlite")
    database.executescript(SCHEMA)
    person, now, lines = str(uuid.uuid4()), int(time.time()), []
    database.execute("INSERT INTO accounts VALUES (?, 'person@example.com')", (person,))
    for _ in range(count):
        public, session, token = secrets.token_hex(16), str(uuid.uuid4()), secrets.token_urlsafe(32)
        if kind == "refresh":
            database.execute("INSERT INTO sessions (id, account, created) VALUES (?, ?, ?)", (session, person, now))
            database.execute(
                "INSERT INTO refresh_tokens (digest, session, expires) VALUES (?, ?, ?)",
                (hashlib.sha256(token.encode()).digest(), session, now + 86400),
            )
            lines.append(f"/auth/refresh {token}")
        else:
            state = "approved" if kind == "approved" else "created"
            database.execute(
                "INSERT INTO logins (id, account, ticket, cookie, state, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (public, person, secrets.token_bytes(32), secrets.token_bytes(32), state, now, now + 86400),
            )
            lines.append(f"/auth/biometric-login/poll/{public}")
    database.commit()
    database.close()
    paths.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
