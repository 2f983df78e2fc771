/** HAProxy in front of the instances, with the configuration that docs/scaling.md shows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** @param ports of the instances */
const configOf = (port: number, ports: readonly number[]): string => `
global
  maxconn 4000
defaults
  mode http
  maxconn 4000
  timeout connect 2s
  timeout client 60s
  timeout server 60s
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

  private constructor(base: string, child: ChildProcess) {
    this.base = base;
    this.#child = child;
  }

  static async start(folder: string, port: number, ports: readonly number[]): Promise<Haproxy> {
    const path = join(folder, "haproxy.cfg");
    await writeFile(path, configOf(port, ports));
    const child = spawn("haproxy", ["-db", "-f", path], { stdio: "ignore" });
    await once(child, "spawn");
    return new Haproxy(`http://127.0.0.1:${port}`, child);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    if (this.#child.exitCode === null) await once(this.#child, "close");
  }
}
