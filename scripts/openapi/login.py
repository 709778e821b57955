"""Generates a client from the document that a server serves, and signs a person in with it.

Standard input: {"site": …, "email": …, "folder": …}. What goes wrong ends it with a traceback; each line of the output says
what was done.
"""

import base64
import hashlib
import json
import re
import secrets
import sys
import time
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urljoin
from uuid import uuid4

import httpx

from document import client_of


def served(site, folder):
    """The document as the server serves it, in a file."""
    answer = httpx.get(f"{site}/openapi.yaml", timeout=30)
    assert answer.status_code == 200, answer.status_code
    assert answer.headers["content-type"] == "application/yaml", answer.headers["content-type"]
    again = httpx.get(f"{site}/openapi.yaml", headers={"If-None-Match": answer.headers["etag"]}, timeout=30)
    assert again.status_code == 304 and not again.content
    Path(folder).mkdir(parents=True)
    path = Path(folder) / "openapi.yaml"
    path.write_bytes(answer.content)
    print(f"served: {len(answer.content)} bytes")
    return path


def scan(site, link):
    """What the person does in a browser: opens the link and presses the button, which leads to the provider."""
    with httpx.Client(timeout=30) as browser:
        page = browser.get(link)
        assert page.status_code == 200, page.status_code
        form = re.search(r"<form[^>]*>(.*?)</form>", page.text, re.DOTALL)
        assert form, "the landing page has no form"
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form.group(1)))
        answer = browser.post(urljoin(site, link), data=fields, headers={"Origin": site, "Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 303, answer.status_code


def play(order):
    site = order["site"]
    path = served(site, order["folder"])
    client_of(path, str(Path(order["folder"]) / "client"))
    sys.path.insert(0, str(Path(order["folder"]) / "client"))

    from vestibule_client import AuthenticatedClient, Client
    from vestibule_client.api.face_login import acknowledge_login, initiate_login, poll_login
    from vestibule_client.api.health import show_readiness
    from vestibule_client.api.o_auth import get_tokens
    from vestibule_client.api.signed_in import refresh, show_signed_in_user
    from vestibule_client.models import (
        CompletedLogin, InitiateLoginRequest, InitiateLoginResponse, OAuthError, OperationProofRequest, PendingLogin, Problem,
        ProblemCode, RefreshProof, RefreshResponse, SignedInUserResponse, TokenRequest,
    )

    client = Client(base_url=site, raise_on_unexpected_status=True)
    assert show_readiness.sync_detailed(client=client).status_code == HTTPStatus.OK

    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    begun = initiate_login.sync(
        client=client, body=InitiateLoginRequest(email=order["email"], code_challenge=challenge, client_id=None)
    )
    assert isinstance(begun, InitiateLoginResponse), begun
    waiting = poll_login.sync(begun.operation_id, client=client, x_code_verifier=verifier)
    assert isinstance(waiting, PendingLogin), waiting
    scan(site, begun.auth_id_url)
    deadline = time.monotonic() + 60
    polled = waiting
    while isinstance(polled, PendingLogin):
        assert time.monotonic() < deadline, "the login has no end"
        polled = poll_login.sync(begun.operation_id, client=client, x_code_verifier=verifier, wait=5)
    assert isinstance(polled, CompletedLogin), polled
    done = acknowledge_login.sync_detailed(
        begun.operation_id, client=client, body=OperationProofRequest(code_verifier=verifier)
    )
    assert done.status_code == HTTPStatus.OK, done
    signed_in = AuthenticatedClient(base_url=site, token=polled.access_token, raise_on_unexpected_status=True)
    user = show_signed_in_user.sync(client=signed_in)
    assert isinstance(user, SignedInUserResponse) and user.user.email == order["email"], user
    print(f"signed in: {user.user.email}")

    refreshing = AuthenticatedClient(base_url=site, token=polled.refresh_token, raise_on_unexpected_status=True)
    refreshed = refresh.sync(client=refreshing, body=RefreshProof(device_id=None))
    assert isinstance(refreshed, RefreshResponse) and refreshed.access_token != polled.access_token, refreshed
    print("refreshed")

    def refused(answer, status, body, code):
        assert answer.status_code == status and isinstance(answer.parsed, body), answer
        assert (answer.parsed.code if body is Problem else answer.parsed.error) == code, answer.parsed
        print(f"refused: {int(status)} {code}")

    nobody = poll_login.sync_detailed(uuid4(), client=client)
    refused(nobody, HTTPStatus.NOT_FOUND, Problem, ProblemCode.OPERATION_NOT_FOUND)
    odd = initiate_login.sync_detailed(client=client, body=InitiateLoginRequest(email="nobody"))
    refused(odd, HTTPStatus.BAD_REQUEST, Problem, ProblemCode.INVALID_EMAIL)
    stranger = AuthenticatedClient(base_url=site, token="none", raise_on_unexpected_status=True)
    unknown = show_signed_in_user.sync_detailed(client=stranger)
    refused(unknown, HTTPStatus.UNAUTHORIZED, Problem, ProblemCode.UNAUTHORIZED)
    grant = get_tokens.sync_detailed(client=client, body=TokenRequest(grant_type="authorization_code", client_id="nobody"))
    refused(grant, HTTPStatus.UNAUTHORIZED, OAuthError, "invalid_client")
    print("done")


if __name__ == "__main__":
    play(json.load(sys.stdin))
