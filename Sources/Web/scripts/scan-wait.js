// The page `/go/…` of a scan, in the browser that began it.

import { reloadAtEnd } from "./progress.js";

// Another browser may have begun the scan again: loading the page by itself would take it back from there.
reloadAtEnd("scanElsewhere");
