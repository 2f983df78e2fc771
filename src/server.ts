/** The entry: configuration, container, listening, signals and a graceful stop. */
import { refuseOldNode } from "./node-version.ts";

refuseOldNode();
const { main } = await import("./serve.ts");
await main();
