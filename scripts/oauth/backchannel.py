"""A client of idpyoidc: it finds the server by its discovery document, and has a person asked on another device (CIBA)."""

import time
from urllib.parse import urlsplit

import jwt
import requests
from idpyoidc.client.oidc import RP
from idpyoidc.client.oidc.backchannel_authentication import BackChannelAuthentication
from idpyoidc.client.service import Service
from idpyoidc.message.oauth2 import ResponseMessage, is_error_message
from idpyoidc.message.oidc import AccessTokenResponse
from idpyoidc.message.oidc.backchannel_authentication import TokenRequest

from tokens import verified


class BackchannelRequests(BackChannelAuthentication):
    """The library leaves to its user how a request is sent (CIBA Core §7.1)."""

    default_authn_method = "client_secret_basic"
    http_method = "POST"


class BackchannelTokens(Service):
    """The token endpoint as CIBA polls it: the library has the messages, and no service for them."""

    msg_type = TokenRequest
    response_cls = AccessTokenResponse
    error_msg = ResponseMessage
    endpoint_name = "token_endpoint"
    service_name = "backchannel_tokens"
    default_authn_method = "client_secret_basic"
    http_method = "POST"
    request_body_type = "urlencoded"
    response_body_type = "json"

    def gather_verify_arguments(self, response=None, behaviour_args=None):
        """What the id token in the answer is held against."""
        context = self.upstream_get("context")
        return {
            "iss": context.issuer,
            "client_id": self.upstream_get("unit").get_client_id(),
            "keyjar": self.upstream_get("attribute", "keyjar"),
            "verify": True,
            "skew": 5,
        }


SERVICES = {
    "discovery": {"class": "idpyoidc.client.oidc.provider_info_discovery.ProviderInfoDiscovery"},
    "backchannel_authentication": {"class": BackchannelRequests},
    "backchannel_tokens": {"class": BackchannelTokens},
}


def relying_party(issuer, client):
    return RP(
        config={
            "client_id": client["id"],
            "client_secret": client["secret"],
            "issuer": issuer,
            "redirect_uris": [client["redirect"]],
            "client_authn_methods": ["client_secret_basic", "bearer_header"],
            "add_ons": {},
        },
        services=SERVICES,
        httpc_params={"timeout": 40},
    )


def discovered(order, client):
    """The client, with all that it has read in the discovery document and the key set."""
    issuer = order.metadata["issuer"]
    party = relying_party(issuer, client)
    found = party.do_request("provider_info")
    assert not is_error_message(found), f"{found}"
    assert found["issuer"] == issuer, f"the issuer is {found['issuer']}"
    assert "urn:openid:params:grant-type:ciba" in found["grant_types_supported"], f"{found['grant_types_supported']}"
    assert "poll" in found["backchannel_token_delivery_modes_supported"], f"{found}"
    keys = party.get_attribute("keyjar").get_issuer_keys(issuer)
    assert keys, "no keys of the server were found"
    return party


def link_of(answer):
    """What the client hands the person over its own channel: the address of the page that asks."""
    for value in answer.to_dict().values():
        if isinstance(value, str) and "/go/" in urlsplit(value).path:
            return value
    return None


def poll(party, request_id):
    return party.do_request(
        "backchannel_tokens",
        request_args={"grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": request_id},
    )


def idpyoidc_discovery(order):
    discovered(order, order.clients["backchannel"])


def idpyoidc_backchannel(order):
    client = order.clients["backchannel"]
    party = discovered(order, client)
    asked = party.do_request(
        "backchannel_authentication",
        request_args={
            "scope": ["openid", "email"],
            "login_hint": order.email,
            "binding_message": "W4SCT",
        },
    )
    assert not is_error_message(asked), f"{asked}"
    interval = asked.get("interval", 5)
    waiting = poll(party, asked["auth_req_id"])
    assert waiting.get("error") == "authorization_pending", f"{waiting}"
    link = link_of(asked)
    assert link, f"the answer has no link for the person: {sorted(asked.keys())}"
    order.person().scan(link)
    deadline = time.monotonic() + 90
    while True:
        time.sleep(interval)
        tokens = poll(party, asked["auth_req_id"])
        if tokens.get("error") == "slow_down":
            interval += 5
        elif tokens.get("error") != "authorization_pending":
            break
        assert time.monotonic() < deadline, "the request has no end"
    assert not is_error_message(tokens), f"{tokens}"
    # What the client asks for, whatever access tokens are signed with (OpenID Connect Registration §2).
    assert jwt.get_unverified_header(tokens["id_token"])["alg"] == "RS256", f"{tokens['id_token']}"
    claims = tokens["__verified_id_token"]
    seen = verified(order.metadata, tokens["id_token"], client["id"], sub=claims["sub"])
    assert "face" in seen["amr"], f"{seen['amr']}"
    told = requests.get(
        order.endpoint("userinfo"), headers={"Authorization": f"Bearer {tokens['access_token']}"}, timeout=30
    )
    assert told.status_code == 200 and told.json()["sub"] == seen["sub"], f"{told.status_code} {told.text}"


FLOWS = {flow.__name__: flow for flow in [idpyoidc_discovery, idpyoidc_backchannel]}
