// The page that waits for the face scan of an authorization request.

import { element } from "./page.js";
import { reloadAtEnd } from "./progress.js";
import { draw } from "./qr.js";

const code = element("code");
if (code) draw(code, code.dataset.address);
reloadAtEnd("faceOver");
