/** How the instances reach the database: as a role with a password, by TLS with a certificate that they verify. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onServer, type PostgresProcess, withDatabase } from "../lib/postgres-process.ts";

const ROLE = "service";
const RULES = "pg_hba.conf";
/** With what every database of a server has, from which the others are renamed. */
const MAINTENANCE = "template1";
const AWAY = "away";
const NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1";
const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** A certificate that instances accept, and those that they refuse. */
type Certificate = "valid" | "expired" | "of another authority";

export class DatabaseAccess {
  readonly #folder: string;
  readonly #password = randomBytes(18).toString("base64url");

  /** @param folder for the authorities and their certificates */
  constructor(folder: string) {
    this.#folder = folder;
    for (const authority of ["own", "other"])
      this.#openssl(
        "req",
        "-x509",
        ...KEY,
        "-subj",
        `/CN=${authority}`,
        "-days",
        "2",
        ...this.#files(authority),
      );
  }

  /** @returns the URL for the instances */
  async open(database: PostgresProcess): Promise<string> {
    await onServer(database.url, async (client) => {
      await client.query(`create role ${ROLE} login password '${this.#password}'`);
      await client.query(`alter database postgres owner to ${ROLE}`);
      await client.query("alter system set ssl = on");
    });
    await this.allow(database);
    await this.present(database, "valid");
    const url = new URL(database.url);
    url.username = ROLE;
    url.password = this.#password;
    url.searchParams.set("sslmode", "verify-full");
    url.searchParams.set("sslrootcert", join(this.#folder, "own.crt"));
    return url.href;
  }

  /** The tool itself connects as another role. */
  async allow(database: PostgresProcess): Promise<void> {
    await this.#rule(database, `hostssl all ${ROLE} all scram-sha-256\nhost all ${ROLE} all reject\n`);
  }

  /** 28000. */
  async refuse(database: PostgresProcess): Promise<void> {
    await this.#rule(database, `host all ${ROLE} all reject\n`);
    await this.endConnections(database);
  }

  /** 28P01. @param isRight whether the instances have it */
  async setPassword(database: PostgresProcess, { isRight }: { isRight: boolean }): Promise<void> {
    const password = isRight ? this.#password : "another";
    await onServer(database.url, (client) => client.query(`alter role ${ROLE} password '${password}'`));
    await this.endConnections(database);
  }

  /** 3D000: it has another name until `bringBack`. */
  async takeAway({ url }: PostgresProcess): Promise<void> {
    await onServer(maintenanceOf(url), async (client) => {
      await client.query("alter database postgres allow_connections false");
      await client.query(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'postgres'",
      );
      await client.query(`alter database postgres rename to ${AWAY}`);
    });
  }

  async bringBack({ url }: PostgresProcess): Promise<void> {
    await onServer(maintenanceOf(url), async (client) => {
      await client.query(`alter database ${AWAY} rename to postgres`);
      await client.query("alter database postgres allow_connections true");
    });
  }

  /** For new connections: present ones aren't asked again. */
  async present(database: PostgresProcess, certificate: Certificate): Promise<void> {
    const authority = certificate === "of another authority" ? "other" : "own";
    const days = certificate === "expired" ? "-1" : "2";
    const [request, signed] = [join(this.#folder, "request"), join(this.#folder, "signed")];
    const requested = ["-subj", "/CN=localhost", "-addext", NAMES, "-out", request];
    this.#openssl("req", "-new", ...KEY, ...requested, "-keyout", join(this.#folder, "server.key"));
    const authorityFiles = [
      "-CA",
      join(this.#folder, `${authority}.crt`),
      "-CAkey",
      join(this.#folder, `${authority}.key`),
    ];
    this.#openssl(
      "x509",
      "-req",
      "-in",
      request,
      ...authorityFiles,
      "-copy_extensions",
      "copy",
      "-days",
      days,
      "-out",
      signed,
    );
    database.replaceFile("server.crt", readFileSync(signed, "utf8"));
    database.replaceFile("server.key", readFileSync(join(this.#folder, "server.key"), "utf8"));
    await database.reload();
  }

  /** Those of the instances: new ones meet what has changed. */
  async endConnections({ url }: PostgresProcess): Promise<void> {
    await onServer(url, (client) =>
      client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [ROLE]),
    );
  }

  async #rule(database: PostgresProcess, rules: string): Promise<void> {
    const others =
      "local all postgres trust\nhost all postgres 127.0.0.1/32 trust\nhost replication postgres 127.0.0.1/32 trust\n";
    database.replaceFile(RULES, rules + others);
    await database.reload();
  }

  #files(authority: string): string[] {
    return [
      "-keyout",
      join(this.#folder, `${authority}.key`),
      "-out",
      join(this.#folder, `${authority}.crt`),
    ];
  }

  #openssl(...args: string[]): void {
    execFileSync("openssl", args, { stdio: "pipe" });
  }
}

const maintenanceOf = (url: string): string => withDatabase(url, MAINTENANCE);
