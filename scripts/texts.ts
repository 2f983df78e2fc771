/** Writes the types of the arguments of the console's texts. A test fails while they are out of date. `npm run texts` */
import { writeFileSync } from "node:fs";
import { ARGUMENT_TYPES, renderArgumentTypes } from "./text-arguments.ts";

writeFileSync(ARGUMENT_TYPES, renderArgumentTypes());
