// Serves the public page of examples/public-site for a running service: npm run site -- [address of the service] [port].
import { serveSite } from "./site.ts";

const [service = "http://localhost:3000", port = "8080"] = process.argv.slice(2);
const { url } = await serveSite({ port: Number(port), service });
process.stdout.write(`
 The public page   ${url}
 for the service   ${service}, with CORS_ORIGINS=${url} and PUBLIC_SITE_URL=${url}

 Ctrl-C stops it.
`);
