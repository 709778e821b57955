"""Clients as Authlib, requests-oauthlib, oauthlib and idpyoidc make them, each through its flow at a running server.

The command is the name of a flow. Standard input: {"site": …, "email": …, "clients": {NAME: {"id": …, "secret": …, "key": …,
"redirect": …}}}. What goes wrong ends it with a traceback; the last line of the output says what was done.
"""

import json
import os
import sys
import time
from urllib.parse import parse_qs, urlsplit

# The server of the tests is on a loopback address, without TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from oauthlib.oauth2 import AccessDeniedError, DeviceClient
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidGrantError
from requests_oauthlib import OAuth2Session

import backchannel
from person import Page, Person
from tokens import both, verified

SCOPES = "openid profile email offline_access"


class Order:
    def __init__(self, given):
        self.site = given["site"]
        self.email = given["email"]
        self.clients = given["clients"]
        answer = requests.get(f"{self.site}/.well-known/openid-configuration", timeout=30)
        answer.raise_for_status()
        self.metadata = answer.json()

    def person(self):
        return Person(self.site, self.email)

    def audience(self, client_id):
        """What access tokens are for that name no resource."""
        return next(client["audience"] for client in self.clients.values() if client["id"] == client_id)

    def endpoint(self, name):
        return self.metadata[f"{name}_endpoint"]


def answered(order, address, state):
    """What the browser brings back, with the state and the issuer that it has to have (RFC 6749 §4.1.2, RFC 9207 §2.4)."""
    said = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert said.get("state") == state, f"another state came back: {sorted(said)}"
    assert said.get("iss") == order.metadata["issuer"], f"iss is {said.get('iss')}"
    assert "code" in said, f"no code came back: {said.get('error')} {said.get('error_description')}"
    return said


# Authlib


def authlib_session(order, name, **more):
    client = order.clients[name]
    session = AuthlibSession(
        client["id"],
        client.get("key") or client.get("secret"),
        scope=SCOPES,
        redirect_uri=client["redirect"],
        code_challenge_method="S256",
        token_endpoint=order.endpoint("token"),
        **more,
    )
    return session


def authlib_code(order, session, pushes=False):
    """From the authorization request to the tokens; `pushes`: by a pushed request (RFC 9126)."""
    verifier, nonce = generate_token(48), generate_token(20)
    address, state = session.create_authorization_url(
        order.endpoint("authorization"), code_verifier=verifier, nonce=nonce
    )
    if pushes:
        # Authlib has no call for it: its own parameters, shown to be the client's in its own way.
        fields = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
        if session.token_endpoint_auth_method == "client_secret_post":
            # Beside the secret the library writes it itself, and no parameter may come twice (RFC 6749 §3.1).
            del fields["client_id"]
        pushed = session.post(
            order.endpoint("pushed_authorization_request"),
            data=fields,
            auth=session.client_auth(session.token_endpoint_auth_method),
            withhold_token=True,
        )
        assert pushed.status_code == 201, f"{pushed.status_code} {pushed.text}"
        reference = pushed.json()["request_uri"]
        address = requests.Request(
            "GET",
            order.endpoint("authorization"),
            params={"client_id": session.client_id, "request_uri": reference},
        ).prepare().url
    back = order.person().authorize(address)
    assert back.startswith(session.redirect_uri), f"the browser was sent to {urlsplit(back).netloc}"
    answered(order, back, state)
    tokens = session.fetch_token(authorization_response=back, state=state, code_verifier=verifier)
    assert tokens["token_type"].lower() == "bearer" and tokens["expires_in"] > 0, f"{sorted(tokens)}"
    assert "refresh_token" in tokens, "offline_access brings a refresh token"
    return tokens, nonce


def authlib_rest(order, session, tokens, nonce, introspects):
    """Userinfo, refresh, introspection and revocation with what the code has brought."""
    client = session.client_id
    audience = order.audience(client)
    claims, _ = both(order.metadata, tokens, client, audience, nonce=nonce)
    told = session.get(order.endpoint("userinfo"))
    assert told.status_code == 200, f"{told.status_code} {told.text}"
    assert told.json()["sub"] == claims["sub"] and told.json()["email"] == order.email, f"{told.text}"
    first = dict(tokens)
    renewed = session.refresh_token(refresh_token=first["refresh_token"])
    assert renewed["access_token"] != first["access_token"], "a refresh brings another token"
    fresh = verified(order.metadata, renewed["access_token"], audience, sub=claims["sub"])
    if introspects:
        said = session.introspect_token(order.endpoint("introspection"), renewed["access_token"]).json()
        assert said["active"] is True and said["sub"] == claims["sub"], f"{said}"
        assert said["client_id"] == client and said["exp"] == fresh["exp"], f"{said}"
        said = session.introspect_token(order.endpoint("introspection"), "x" + renewed["access_token"]).json()
        assert said == {"active": False}, f"{said}"
    over = session.revoke_token(
        order.endpoint("revocation"), renewed["refresh_token"], token_type_hint="refresh_token"
    )
    assert over.status_code == 200, f"{over.status_code} {over.text}"
    if introspects:
        said = session.introspect_token(order.endpoint("introspection"), renewed["access_token"]).json()
        assert said == {"active": False}, "a revoked session's token is active"
    try:
        session.refresh_token(refresh_token=renewed["refresh_token"])
    except Exception as refusal:
        assert getattr(refusal, "error", None) == "invalid_grant", f"{refusal!r}"
    else:
        raise AssertionError("a revoked token was refreshed")
    told = requests.get(
        order.endpoint("userinfo"), headers={"Authorization": f"Bearer {renewed['access_token']}"}, timeout=30
    )
    assert told.status_code == 401, f"userinfo of a revoked session: {told.status_code}"


def authlib_public(order):
    session = authlib_session(order, "public")
    tokens, nonce = authlib_code(order, session)
    authlib_rest(order, session, tokens, nonce, introspects=False)


def authlib_basic(order):
    session = authlib_session(order, "secret", token_endpoint_auth_method="client_secret_basic")
    tokens, nonce = authlib_code(order, session)
    authlib_rest(order, session, tokens, nonce, introspects=True)


def authlib_post(order):
    session = authlib_session(
        order,
        "secret",
        token_endpoint_auth_method="client_secret_post",
        revocation_endpoint_auth_method="client_secret_post",
    )
    tokens, nonce = authlib_code(order, session, pushes=True)
    authlib_rest(order, session, tokens, nonce, introspects=True)


def authlib_private_key(order):
    session = authlib_session(
        order,
        "signing",
        token_endpoint_auth_method="private_key_jwt",
        revocation_endpoint_auth_method="private_key_jwt",
    )
    session.register_client_auth_method(PrivateKeyJWT(order.endpoint("token"), alg="RS256"))
    tokens, nonce = authlib_code(order, session, pushes=True)
    authlib_rest(order, session, tokens, nonce, introspects=True)


# requests-oauthlib


def requests_oauthlib_code(order):
    client = order.clients["secret"]
    session = OAuth2Session(client["id"], redirect_uri=client["redirect"], scope=SCOPES.split())
    verifier = generate_token(64)
    address, state = session.authorization_url(
        order.endpoint("authorization"),
        code_challenge=create_s256_code_challenge(verifier),
        code_challenge_method="S256",
    )
    back = order.person().authorize(address)
    answered(order, back, state)
    tokens = session.fetch_token(
        order.endpoint("token"),
        authorization_response=back,
        client_secret=client["secret"],
        code_verifier=verifier,
        timeout=30,
    )
    claims, _ = both(order.metadata, tokens, client["id"], order.audience(client["id"]))
    told = session.get(order.endpoint("userinfo"), timeout=30)
    assert told.status_code == 200 and told.json()["sub"] == claims["sub"], f"{told.text}"
    renewed = session.refresh_token(order.endpoint("token"), auth=(client["id"], client["secret"]), timeout=30)
    verified(order.metadata, renewed["access_token"], order.audience(client["id"]), sub=claims["sub"])


# oauthlib


def device_codes(order, client):
    """The library writes its parameters into an address; RFC 8628 §3.1 has them in the body."""
    request = urlsplit(client.prepare_request_uri(order.endpoint("device_authorization"), scope=SCOPES.split()))
    answer = requests.post(
        request._replace(query="").geturl(),
        data=request.query,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        timeout=30,
    )
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    assert answer.headers["Cache-Control"] == "no-store", answer.headers["Cache-Control"]
    return answer.json()


def device_poll(order, client, codes):
    body = client.prepare_request_body(codes["device_code"], scope=SCOPES.split(), include_client_id=True)
    answer = requests.post(
        order.endpoint("token"),
        data=body,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        timeout=30,
    )
    return client.parse_request_body_response(answer.text, scope=SCOPES.split())


def refused(poll, kind, code):
    try:
        poll()
    except kind as refusal:
        assert refusal.error == code, f"{refusal.error} and not {code}"
    else:
        raise AssertionError(f"no {code}")


def oauthlib_device(order):
    client_id = order.clients["device"]["id"]
    client = DeviceClient(client_id)
    codes = device_codes(order, client)
    assert codes["verification_uri_complete"] == f"{codes['verification_uri']}?user_code={codes['user_code']}"
    refused(lambda: device_poll(order, client, codes), CustomOAuth2Error, "authorization_pending")
    page = order.person().let_in(codes["verification_uri_complete"])
    assert isinstance(page, Page) and page.status == 200, f"{page}"
    time.sleep(codes["interval"])
    tokens = device_poll(order, client, codes)
    both(order.metadata, tokens, client_id, order.audience(client_id))
    time.sleep(codes["interval"])
    refused(lambda: device_poll(order, client, codes), InvalidGrantError, "invalid_grant")


def oauthlib_device_denied(order):
    client = DeviceClient(order.clients["device"]["id"])
    codes = device_codes(order, client)
    page = order.person().let_in(codes["verification_uri_complete"], says="deny")
    assert isinstance(page, Page) and page.status == 200, f"{page}"
    refused(lambda: device_poll(order, client, codes), AccessDeniedError, "access_denied")


FLOWS = {
    flow.__name__: flow
    for flow in [
        authlib_public, authlib_basic, authlib_post, authlib_private_key, requests_oauthlib_code, oauthlib_device,
        oauthlib_device_denied,
    ]
} | backchannel.FLOWS


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(FLOWS))
        return
    name = sys.argv[1]
    FLOWS[name](Order(json.load(sys.stdin)))
    print(f"{name}: done")


if __name__ == "__main__":
    main()
