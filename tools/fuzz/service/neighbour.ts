// A server beside the service: the cloud in which linked files lie, a receiver of events, and the provider of City databases.
import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { listen } from "../../lib/listening.ts";
import { createCityRecord, createUsualEntries, packTarGz, writeMmdb } from "../../lib/mmdb-writer.ts";
import { LICENSE_KEY } from "./log.ts";

const DATABASE = "/GeoLite2-City.tar.gz";

export class Neighbour {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(): Promise<Neighbour> {
    const places = { "127.0.0.0/8": createCityRecord("GB", "United Kingdom", "London") };
    const archive = await packTarGz(createUsualEntries(writeMmdb(places)));
    const checksum = hash("sha256", archive);
    const server = createServer(({ url = "" }, response) => {
      const isChecksum = url.startsWith(`${DATABASE}.sha256`);
      const content = isChecksum ? checksum : url.startsWith(DATABASE) ? archive : "A book.";
      response.writeHead(200, { "Content-Length": content.length }).end(content);
    });
    return new Neighbour(server, await listen(server));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What lets the service come here. */
  get variables() {
    return {
      MAXMIND_ACCOUNT_ID: "123456",
      MAXMIND_LICENSE_KEY: LICENSE_KEY,
      GEOIP_DOWNLOAD_URL: this.origin + DATABASE,
      GEOIP_AUTO_UPDATE: "false",
      CLOUD_FETCH_ALLOW_HOSTS: `127.0.0.1:${this.port}`,
      WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${this.port}`,
      // Letters are written, and none arrives.
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "books@example.org",
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
