// What to look at and to try while the demo stays up.
import { styleText } from "node:util";
import type { Login } from "./server-process.ts";
import { table } from "./text-width.ts";

export type Running = { baseUrl: string; login: Login; key: string; cookieJar: string };

export type Try = { purpose: string; command: string };

/** The addresses, the log-in and the commands, as lines. */
export function hints(running: Running): string[] {
  const commands = tries(running).flatMap(({ purpose, command }) => [
    "",
    `   ${styleText("dim", `# ${purpose}`)}`,
    ...command.split("\n").map((line) => `   ${line}`),
  ]);
  const places = table(addresses(running), ["left", "left"]).map((line) => `   ${line}`);
  return ["", ...places, "", ` ${styleText("bold", "Try in another terminal")}`, ...commands, ""];
}

function addresses({ baseUrl, login, key }: Running): string[][] {
  return [
    ["Published books", `${baseUrl}/api/books`],
    ["Interactive reference", `${baseUrl}/api/docs`],
    ["OpenAPI document", `${baseUrl}/api/openapi.json`],
    ["Log-in", `${login.email}   password  ${login.password}`],
    ["API key", key],
  ];
}

/** Commands for a POSIX shell; nothing in them needs editing. */
export function tries({ baseUrl, login, key, cookieJar }: Running): Try[] {
  const contact = '"contact":{"firstName":"Asha","email":"asha@example.org"}';
  const one = `{"slug":"counting-stars","languageCode":"zh","fileType":"epub",\n         ${contact}}`;
  const all = `{"languageCode":"ar",${contact}}`;
  return [
    { purpose: "the published books in Arabic", command: `curl '${baseUrl}/api/books?languageCode=ar'` },
    {
      purpose: "one book: ask for a link, then download it",
      command: download(baseUrl, "submit", one, "counting-stars.epub"),
    },
    {
      purpose: "all books in Arabic as one ZIP",
      command: download(baseUrl, "submit-all", all, "books-ar.zip"),
    },
    {
      purpose: "the catalogue as an API client sees it",
      command: `curl -H 'authorization: Bearer ${key}' \\\n  '${baseUrl}/api/admin/books'`,
    },
    {
      purpose: "log in, then read the download events",
      command: [
        `curl -c '${cookieJar}' -H 'content-type: application/json' \\`,
        `  -d '${JSON.stringify(login)}' \\`,
        `  '${baseUrl}/api/auth/login'`,
        `curl -b '${cookieJar}' '${baseUrl}/api/admin/analytics/downloads'`,
      ].join("\n"),
    },
  ];
}

/** A link by one request, the file by another, as one line of the shell would do it. */
function download(baseUrl: string, form: string, body: string, fileName: string): string {
  return [
    `curl -o ${fileName} "${baseUrl}$(`,
    `  curl -s '${baseUrl}/api/download/${form}' -H 'content-type: application/json' \\`,
    `    -d '${body}' |`,
    `    sed -n 's/.*"downloadUrl":"\\([^"]*\\)".*/\\1/p')"`,
  ].join("\n");
}
