"""An SMTP server for tests: keeps what it takes as JSON lines, and refuses by the recipient's name.

  temporary-N@…   451 to the first N tries
  bounced@…       550 after RCPT
  rejected@…      554 after DATA
  slow@…          never answers DATA
Prints "listening PORT" when it can be connected to.
"""

import argparse
import asyncio
import base64
import json
import ssl

from aiosmtpd.smtp import SMTP, AuthResult


class Keeper:
    def __init__(self, path):
        self.path = path
        self.tries = {}

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "bounced":
            return f"550 5.1.1 <{address}> is unknown here"
        if name.startswith("temporary-"):
            self.tries[name] = self.tries.get(name, 0) + 1
            if self.tries[name] <= int(name.split("-")[1]):
                return "451 4.3.0 not now"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        name = envelope.rcpt_tos[0].split("@")[0]
        if name == "rejected":
            return "554 5.7.1 not wanted"
        if name == "slow":
            await asyncio.sleep(3600)
        line = json.dumps({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "data": base64.b64encode(envelope.original_content).decode(),
            "host": session.host_name,
            "isEncrypted": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            "user": session.auth_data.login.decode() if session.auth_data else None,
        })
        with open(self.path, "a") as file:
            file.write(line + "\n")
        return "250 taken"


class Doorkeeper(Keeper):
    """Lets nobody in, whatever they bring."""

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        return ["550 5.7.1 not from there"]

    async def handle_HELO(self, server, session, envelope, hostname):
        return "550 5.7.1 not from there"


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--security", choices=["implicit", "starttls", "none"], required=True)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--mechanism", choices=["PLAIN", "LOGIN"])
    parser.add_argument("--kept", required=True)
    parser.add_argument("--turn-away", action="store_true", help="550 to EHLO and HELO")
    options = parser.parse_args()

    context = None
    if options.security != "none":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate, options.key)
    keeper = (Doorkeeper if options.turn_away else Keeper)(options.kept)

    def authenticate(server, session, envelope, mechanism, data):
        fits = data.login.decode() == options.user and data.password.decode() == options.password
        return AuthResult(success=fits, handled=False, auth_data=data)

    def connection():
        others = [name for name in ("PLAIN", "LOGIN") if options.mechanism and name != options.mechanism]
        return SMTP(
            keeper,
            hostname="mail.example.com",
            enable_SMTPUTF8=True,
            tls_context=context if options.security == "starttls" else None,
            require_starttls=options.security == "starttls",
            auth_required=options.user is not None,
            auth_require_tls=options.security == "starttls",
            auth_exclude_mechanism=others,
            authenticator=authenticate,
            loop=asyncio.get_running_loop(),
        )

    server = await asyncio.get_running_loop().create_server(
        connection,
        "127.0.0.1",
        options.port,
        ssl=context if options.security == "implicit" else None,
    )
    print("listening", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
