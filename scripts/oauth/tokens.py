"""Tokens as PyJWT and joserfc see them, from the key set that the server publishes."""

import base64
import hashlib

import jwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet


def verified(metadata, token, audience, **expected):
    """The claims, which both libraries have to find the same."""
    keys = jwt.PyJWKClient(metadata["jwks_uri"])
    document = keys.fetch_data()
    algorithms = metadata["id_token_signing_alg_values_supported"]
    claims = jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=algorithms,
        issuer=metadata["issuer"],
        audience=audience,
        options={"require": ["exp", "iat", "iss", "aud", "sub"]},
    )
    decoded = joserfc_jwt.decode(token, KeySet.import_key_set(document), algorithms=algorithms)
    rules = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": metadata["issuer"]},
        aud={"essential": True, "value": audience},
        exp={"essential": True},
        sub={"essential": True},
    )
    rules.validate(decoded.claims)
    assert decoded.claims == claims, "PyJWT and joserfc read different claims"
    for name, value in expected.items():
        assert claims.get(name) == value, f"{name} is {claims.get(name)!r}, and not {value!r}"
    return claims


def hash_of(access_token):
    """`at_hash` under an algorithm with SHA-256 (OpenID Connect Core §3.1.3.6)."""
    half = hashlib.sha256(access_token.encode("ascii")).digest()[:16]
    return base64.urlsafe_b64encode(half).rstrip(b"=").decode("ascii")


def both(metadata, tokens, client, audience, **expected):
    """The id token and the access token of one answer."""
    claims = verified(metadata, tokens["id_token"], client, at_hash=hash_of(tokens["access_token"]), **expected)
    access = verified(metadata, tokens["access_token"], audience, sub=claims["sub"])
    assert "face" in claims["amr"] and claims["acr"] == "face", f"amr {claims.get('amr')}, acr {claims.get('acr')}"
    return claims, access
