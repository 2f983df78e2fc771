/** Writes docs/errors.md from the list of error codes. A test fails while it is out of date. */
import { writeFileSync } from "node:fs";
import { renderErrorPage } from "./error-page.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), renderErrorPage());
