"""Verifies tokens with PyJWT and joserfc, from the key set that an issuer publishes.

Standard input: {"keySet": URL, "issuer": …, "audience": …, "algorithm": …, "tokens": {NAME: TOKEN}}.
Standard output: {NAME: {"PyJWT": CLAIMS or null, "joserfc": CLAIMS or null}}; null is a refusal, told on standard error.
"""

import json
import sys

import jwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet

order = json.load(sys.stdin)
client = jwt.PyJWKClient(order["keySet"])
document = client.fetch_data()


def with_pyjwt(token):
    return jwt.decode(
        token,
        client.get_signing_key_from_jwt(token).key,
        algorithms=[order["algorithm"]],
        issuer=order["issuer"],
        audience=order["audience"],
        options={"require": ["exp", "iat", "iss", "aud", "sub"]},
    )


def with_joserfc(token):
    decoded = joserfc_jwt.decode(token, KeySet.import_key_set(document), algorithms=[order["algorithm"]])
    rules = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": order["issuer"]},
        aud={"essential": True, "value": order["audience"]},
        exp={"essential": True},
        sub={"essential": True},
    )
    rules.validate(decoded.claims)
    return decoded.claims


def attempt(name, library, verify, token):
    try:
        return verify(token)
    except Exception as reason:  # Whatever a library throws is its refusal.
        print(f"{library} refuses {name}: {type(reason).__name__}: {reason}", file=sys.stderr)
        return None


json.dump(
    {
        name: {
            "PyJWT": attempt(name, "PyJWT", with_pyjwt, token),
            "joserfc": attempt(name, "joserfc", with_joserfc, token),
        }
        for name, token in order["tokens"].items()
    },
    sys.stdout,
)
