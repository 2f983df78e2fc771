/** A WordPress for one test file: MariaDB, PHP and nginx of Debian with files, ports and users of its own. */
import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { freePort } from "../../tools/lib/server-process.ts";
import { CHROMIUM } from "./chromium.ts";
import { type AtEnd, createFolder, has, pathOf, run, startProgram } from "./proxies.ts";

const SOURCE = "/usr/share/wordpress";
const [FPM] = globSync("/usr/sbin/php-fpm*");
const IS_ROOT = process.getuid?.() === 0;
const INSTALL = join(import.meta.dirname, "wordpress-site.php");

const themeFolder = (name: string): string => join(SOURCE, "wp-content/themes", name);

/** One that makes the head of a page before its text, and one that makes it after: blocks. */
export const THEMES = ["twentytwentyone", "twentytwentythree"] as const;

/** What is missing; empty where the tests can run. */
export function findMissing(): string[] {
  const programs = ["mariadbd", "mariadb-install-db", "php", "nginx"].filter((program) => !has(program));
  const themes = THEMES.filter((name) => globSync(themeFolder(name)).length === 0);
  return [
    ...programs,
    ...themes.map((name) => `wordpress-theme-${name}`),
    ...(FPM ? [] : ["php-fpm"]),
    ...(CHROMIUM ? [] : ["chromium"]),
  ];
}

/** The users of Debian's packages; another user than root runs everything itself. */
const asUser = (name: string): string[] => (IS_ROOT ? [`--user=${name}`] : []);

async function startDatabase(atEnd: AtEnd, folder: string): Promise<string> {
  const own = join(folder, "database");
  const data = join(own, "data");
  const socket = join(own, "socket");
  const first = join(own, "first.sql");
  mkdirSync(data, { recursive: true });
  writeFileSync(first, "CREATE DATABASE wordpress CHARACTER SET utf8mb4;\n");
  if (IS_ROOT) await run("chown", "--recursive", "mysql", own);
  const common = ["--no-defaults", ...asUser("mysql"), `--datadir=${data}`];
  await run("mariadb-install-db", ...common, "--auth-root-authentication-method=normal", "--skip-test-db");
  const listens = [`--socket=${socket}`, "--skip-networking", `--pid-file=${own}/pid`];
  await startProgram(
    atEnd,
    "mariadbd",
    [...common, ...listens, `--init-file=${first}`],
    "ready for connections",
  );
  return socket;
}

async function startPhp(atEnd: AtEnd, folder: string): Promise<string> {
  const socket = join(folder, "php.sock");
  const file = join(folder, "php-fpm.conf");
  const user = IS_ROOT ? "user = www-data\ngroup = www-data" : "";
  // Without kept code, a changed wp-config.php acts at once.
  writeFileSync(
    file,
    `[global]\ndaemonize = no\nerror_log = ${folder}/php.log\n[site]\n${user}\nlisten = ${socket}\nlisten.mode = 0666
pm = static\npm.max_children = 3\nphp_admin_flag[opcache.enable] = off\n`,
  );
  await startProgram(
    atEnd,
    FPM ?? "php-fpm",
    ["--force-stderr", "--fpm-config", file],
    "ready to handle connections",
  );
  return socket;
}

async function startWebServer(atEnd: AtEnd, folder: string, port: number, php: string): Promise<void> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr notice; events {}
     ${IS_ROOT ? "user www-data;" : ""}
     http {
       access_log off; include /etc/nginx/mime.types;
       ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(" ")}
       server {
         listen 127.0.0.1:${port}; root ${folder}/site; index index.php;
         location / { try_files $uri $uri/ /index.php?$args; }
         location ~ \\.php$ {
           include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
           # Debian's file has the name without the port.
           fastcgi_param HTTP_HOST 127.0.0.1:${port};
           fastcgi_pass unix:${php};
         }
       }
     }`,
  );
  await startProgram(atEnd, "nginx", ["-c", file, "-e", "stderr"], "start worker process");
}

const addresses = z.record(z.string(), z.string());

export class WordPress {
  readonly origin: string;
  /** What PHP has to say, of the plug-in as of WordPress itself. */
  readonly log: string;
  readonly #folder: string;
  readonly #database: string;

  private constructor(folder: string, port: number, database: string) {
    this.#folder = join(folder, "site");
    this.#database = database;
    this.origin = `http://127.0.0.1:${port}`;
    this.log = join(folder, "debug.log");
  }

  /** The site without pages, and with nothing installed. */
  static async start(atEnd: AtEnd): Promise<WordPress> {
    const folder = createFolder(atEnd);
    await chmod(folder, 0o755);
    const port = await freePort(0);
    const database = await startDatabase(atEnd, folder);
    await startWebServer(atEnd, folder, port, await startPhp(atEnd, folder));
    const site = new WordPress(folder, port, database);
    // Its own wp-config.php, which Debian's has below /etc, is that of the folder.
    cpSync(SOURCE, site.#folder, {
      recursive: true,
      dereference: true,
      filter: (path) => !/\.htaccess$/.test(path),
    });
    cpSync(pathOf("wordpress/book-library.php"), join(site.#folder, "wp-content/plugins/book-library.php"));
    return site;
  }

  /** @param service what wp-config.php names; undefined: nothing */
  configure(service: string | undefined): void {
    const line = service === undefined ? "" : `define('BOOK_LIBRARY_SERVICE', '${service}');`;
    const constants = {
      DB_NAME: "wordpress",
      DB_USER: "root",
      DB_PASSWORD: "",
      DB_HOST: `localhost:${this.#database}`,
      WP_HOME: this.origin,
      WP_SITEURL: this.origin,
      WP_DEBUG_LOG: this.log,
    };
    const flags = ["WP_DEBUG", "WP_HTTP_BLOCK_EXTERNAL", "AUTOMATIC_UPDATER_DISABLED", "DISABLE_WP_CRON"];
    writeFileSync(
      join(this.#folder, "wp-config.php"),
      `<?php\n$table_prefix = 'wp_';\n${line}
define('WP_DEBUG_DISPLAY', false);
${flags.map((name) => `define('${name}', true);`).join("\n")}
${Object.entries(constants)
  .map(([name, value]) => `define('${name}', '${value}');`)
  .join("\n")}
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';\n`,
    );
  }

  /** @returns the addresses of the pages */
  async install(pages: Readonly<Record<string, string>>, password: string): Promise<Record<string, string>> {
    return addresses.parse(await this.#setUp({ pages, user: "anna", password }));
  }

  async useTheme(theme: (typeof THEMES)[number]): Promise<void> {
    await this.#setUp({ theme });
  }

  async #setUp(todo: object): Promise<unknown> {
    const host = new URL(this.origin).host;
    const { stdout } = await run("php", INSTALL, this.#folder, JSON.stringify({ host, ...todo }));
    return JSON.parse(stdout);
  }
}
