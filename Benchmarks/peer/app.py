"""The same four calls as an engineer would write them in a week: FastAPI, uvicorn's fastest parts, SQLite.

Owns: begin a login, poll it, collect its tokens once, refresh them with rotation. Every begun login, every collection and
every refresh is durable (WAL, synchronous=FULL) before it is answered. Writes of one worker that wait at the same time
share one commit, as they do in the daemon, so that the disk is used as well as it can be from Python. The workers take turns
by a lock of the kernel: SQLite's own wait for another process sleeps for up to a tenth of a second.
"""

import asyncio
import fcntl
import hashlib
import os
import secrets
import sqlite3
import threading
import time
import uuid
from contextlib import asynccontextmanager
from queue import Empty, SimpleQueue

import jwt
import orjson
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel

DATABASE = os.environ["PEER_DATABASE"]
LOGIN_LIFETIME, ACCESS_LIFETIME, REFRESH_LIFETIME = 900, 3600, 30 * 86400
LARGEST_GROUP = 256
with open(os.environ["PEER_KEY"], "rb") as file:
    SIGNING_KEY = load_pem_private_key(file.read(), None)
assert isinstance(SIGNING_KEY, ec.EllipticCurvePrivateKey)


def connect() -> sqlite3.Connection:
    connection = sqlite3.connect(DATABASE, isolation_level=None, check_same_thread=False, cached_statements=64)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 10000")
    return connection


class Writer(threading.Thread):
    """One thread that writes: takes what waits, runs it in one transaction, commits, and then answers each."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        super().__init__(daemon=True)
        self.loop, self.queue, self.connection = loop, SimpleQueue(), connect()
        self.turn = open(f"{DATABASE}-turn", "w")

    def submit(self, work) -> asyncio.Future:
        future = self.loop.create_future()
        self.queue.put((work, future))
        return future

    def run(self):
        while True:
            group = [self.queue.get()]
            try:
                while len(group) < LARGEST_GROUP:
                    group.append(self.queue.get_nowait())
            except Empty:
                pass
            self.loop.call_soon_threadsafe(self.answer, self.commit(group))

    def commit(self, group):
        results = []
        fcntl.flock(self.turn, fcntl.LOCK_EX)
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            for work, future in group:
                results.append((future, work(self.connection), None))
            self.connection.execute("COMMIT")
            return results
        except Exception as error:  # Nothing of the group is durable, and nobody is told otherwise.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            return [(future, None, error) for _, future in group]
        finally:
            fcntl.flock(self.turn, fcntl.LOCK_UN)

    @staticmethod
    def answer(results):
        for future, value, error in results:
            if future.done():
                continue
            future.set_exception(error) if error else future.set_result(value)


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.reader = connect()
    app.state.writer = Writer(asyncio.get_running_loop())
    app.state.writer.start()
    yield


app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)


class Begin(BaseModel):
    email: str
    deviceId: str | None = None


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def signed(session: str, account: str, kind: str, lifetime: int, now: int) -> str:
    claims = {
        "iss": "http://localhost", "aud": "bbms", "sub": account, "sid": session, "jti": str(uuid.uuid4()),
        "typ": kind, "iat": now, "exp": now + lifetime, "auth_time": now, "amr": ["face"], "acr": "face",
    }
    return jwt.encode(claims, SIGNING_KEY, algorithm="ES256", headers={"kid": "1"})


def tokens(session: str, account: str, refresh: str, now: int) -> dict:
    return {
        "accessToken": signed(session, account, "access", ACCESS_LIFETIME, now), "refreshToken": refresh,
        "idToken": signed(session, account, "id", ACCESS_LIFETIME, now), "expiresIn": ACCESS_LIFETIME, "tokenType": "Bearer",
    }


def reply(body: dict, status: int = 200) -> Response:
    # RFC 6749 §5.1: no cache keeps tokens.
    return Response(orjson.dumps(body), status, {"Cache-Control": "no-store"}, "application/json")


def failure(status: int, code: str) -> Response:
    return reply({"error": code}, status)


@app.post("/auth/biometric-login/initiate")
async def initiate(body: Begin, request: Request):
    public, ticket, cookie, now = secrets.token_hex(16), new_secret(), new_secret(), int(time.time())

    def work(database: sqlite3.Connection):
        person = database.execute("SELECT id FROM accounts WHERE email = ?", (body.email.lower(),)).fetchone()
        database.execute(
            "INSERT INTO logins (id, account, ticket, cookie, state, created, expires) VALUES (?, ?, ?, ?, 'created', ?, ?)",
            (public, person and person[0], digest(ticket), digest(cookie), now, now + LOGIN_LIFETIME),
        )
        database.execute("INSERT INTO audit (at, event, subject) VALUES (?, 'begun', ?)", (now, public))

    await app.state.writer.submit(work)
    answer = reply({
        "operationId": public, "authUrl": f"http://localhost/go/{ticket}", "expiresIn": LOGIN_LIFETIME, "interval": 2,
    })
    answer.set_cookie("login", cookie, max_age=LOGIN_LIFETIME, httponly=True, samesite="lax")
    return answer


@app.get("/auth/biometric-login/poll/{public}")
async def poll(public: str):
    now = int(time.time())
    row = app.state.reader.execute(
        "SELECT state, expires, account FROM logins WHERE id = ?", (public,)
    ).fetchone()
    if row is None or row[1] < now:
        return failure(404, "operation_not_found")
    if row[0] == "redeemed":
        return failure(409, "already_redeemed")
    if row[0] != "approved":
        return reply({"status": "pending", "hint": row[0], "operationExpiresIn": row[1] - now, "interval": 2})
    session, refresh, account = str(uuid.uuid4()), new_secret(), row[2]

    def work(database: sqlite3.Connection):
        taken = database.execute(
            "UPDATE logins SET state = 'redeemed', session = ? WHERE id = ? AND state = 'approved'", (session, public)
        ).rowcount
        if taken != 1:
            return False
        database.execute("INSERT INTO sessions (id, account, created) VALUES (?, ?, ?)", (session, account, now))
        database.execute(
            "INSERT INTO refresh_tokens (digest, session, expires) VALUES (?, ?, ?)",
            (digest(refresh), session, now + REFRESH_LIFETIME),
        )
        database.execute("INSERT INTO audit (at, event, subject) VALUES (?, 'redeemed', ?)", (now, public))
        return True

    if not await app.state.writer.submit(work):
        return failure(409, "already_redeemed")
    return reply({"status": "completed", **tokens(session, account, refresh, now)})


@app.post("/auth/refresh")
async def renew(request: Request):
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not presented:
        return failure(401, "bad_token")
    now, fresh = int(time.time()), new_secret()

    def work(database: sqlite3.Connection):
        row = database.execute(
            "SELECT r.session, s.account FROM refresh_tokens r JOIN sessions s ON s.id = r.session "
            "WHERE r.digest = ? AND r.used IS NULL AND r.expires > ? AND s.revoked IS NULL",
            (digest(presented), now),
        ).fetchone()
        if row is None:
            return None
        database.execute("UPDATE refresh_tokens SET used = ? WHERE digest = ?", (now, digest(presented)))
        database.execute(
            "INSERT INTO refresh_tokens (digest, session, expires, parent) VALUES (?, ?, ?, ?)",
            (digest(fresh), row[0], now + REFRESH_LIFETIME, digest(presented)),
        )
        return row

    row = await app.state.writer.submit(work)
    if row is None:
        return failure(401, "bad_token")
    return reply(tokens(row[0], row[1], fresh, now))
