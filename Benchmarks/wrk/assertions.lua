-- asserted(ASSERTION): the credentials of a client that shows itself by that (RFC 7523 §2.2), as a form has them.

local kind = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"

function asserted(assertion) return "client_assertion_type=" .. kind .. "&client_assertion=" .. assertion end
