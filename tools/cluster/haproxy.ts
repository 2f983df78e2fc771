/** HAProxy in front of the instances, with the configuration that docs/scaling.md shows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** @param ports of the instances */
const createConfig = (port: number, socket: string, ports: readonly number[]): string => `
global
  maxconn 4000
  stats socket ${socket}
defaults
  mode http
  maxconn 4000
  timeout connect 2s
  timeout client 60s
  timeout server 300s
  timeout check 3s
  retries 3
  option redispatch
frontend readers
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend instances
backend instances
  balance leastconn
  option httpchk GET /api/health/ready
  http-response set-header X-Instance %s
  default-server check inter 1s fall 2 rise 1
${ports.map((each, index) => `  server instance${index} 127.0.0.1:${each}`).join("\n")}
`;

export class Haproxy {
  readonly base: string;
  readonly #child: ChildProcess;
  readonly #socket: string;

  private constructor(base: string, child: ChildProcess, socket: string) {
    this.base = base;
    this.#child = child;
    this.#socket = socket;
  }

  static async start(folder: string, port: number, ports: readonly number[]): Promise<Haproxy> {
    const [path, socket] = [join(folder, "haproxy.cfg"), join(folder, "haproxy.sock")];
    await writeFile(path, createConfig(port, socket, ports));
    const child = spawn("haproxy", ["-db", "-f", path], { stdio: "ignore" });
    while (!existsSync(socket)) {
      if (child.exitCode !== null) throw new Error("HAProxy has ended");
      await sleep(20);
    }
    return new Haproxy(`http://127.0.0.1:${port}`, child, socket);
  }

  /** How often each instance has left the balancer, by its name. */
  async countDepartures(): Promise<ReadonlyMap<string, number>> {
    const connection = connect(this.#socket);
    connection.write("show stat\n");
    const [header = "", ...lines] = (await text(connection)).trim().split("\n");
    const columns = header.replace(/^# /, "").split(",");
    const rows = lines.map((line) => {
      const cells = line.split(",");
      return (column: string) => cells[columns.indexOf(column)] ?? "";
    });
    const servers = rows.filter((cell) => cell("svname").startsWith("instance"));
    return new Map(servers.map((cell) => [cell("svname"), Number(cell("chkdown"))]));
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    if (this.#child.exitCode === null) await once(this.#child, "close");
  }
}
