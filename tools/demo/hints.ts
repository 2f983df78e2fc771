// What to look at and to try while the demo keeps running. Lines fit into 80 columns.
import { styleText } from "node:util";
import type { Login } from "./load.ts";
import { layOutTable } from "./text-width.ts";

export type Running = { baseUrl: string; login: Login; key: string; cookieJar: string };

export type Try = { purpose: string; command: string };

/** The addresses, the log-in and the commands, as lines. */
export function createHints(running: Running): string[] {
  const commands = createTries(running).flatMap(({ purpose, command }) => [
    "",
    `   ${styleText("dim", `# ${purpose}`)}`,
    ...command.split("\n").map((line) => `   ${line}`),
  ]);
  const places = layOutTable(listAddresses(running), ["left", "left"]).map((line) => `   ${line}`);
  return ["", ...places, "", ` ${styleText("bold", "Try in another terminal")}`, ...commands, ""];
}

function listAddresses({ baseUrl, login, key }: Running): string[][] {
  return [
    ["Library", `${baseUrl}/`],
    ["Console", `${baseUrl}/console/`],
    ["Published books", `${baseUrl}/api/books`],
    ["Interactive reference", `${baseUrl}/api/docs`],
    ["OpenAPI document", `${baseUrl}/api/openapi.json`],
    ["E-mail", login.email],
    ["Password", login.password],
    ["API key", key],
  ];
}

/** Commands for a POSIX shell; nothing in them needs editing. They share the variables of the first one. */
function createTries({ baseUrl, login, key, cookieJar }: Running): Try[] {
  const contact = '"contact":{"firstName":"Asha","email":"asha@example.org"}';
  const one = `{"slug":"counting-stars","languageCode":"zh","fileType":"epub",\n    ${contact}}`;
  const all = `{"languageCode":"ar",\n    ${contact}}`;
  return [
    {
      purpose: "List the published books in Arabic",
      command: [
        `S=${baseUrl}`,
        "JSON='content-type: application/json'",
        `curl -s -w '\\n' "$S/api/books?languageCode=ar"`,
      ].join("\n"),
    },
    {
      purpose: "Request a link to one book, then download it",
      command: download("submit", one, "stars-zh.epub"),
    },
    {
      purpose: "Download all books in Arabic as one ZIP",
      command: download("submit-all", all, "books-ar.zip"),
    },
    {
      purpose: "List the catalogue as an API client",
      command: `KEY=${key}\ncurl -s -w '\\n' -H "authorization: Bearer $KEY" "$S/api/admin/books"`,
    },
    {
      purpose: "Log in, then read the download events",
      command: [
        `JAR='${cookieJar}'`,
        `curl -s -w '\\n' -c "$JAR" -H "$JSON" "$S/api/auth/login" \\`,
        `  -d '${JSON.stringify(login)}'`,
        `curl -s -w '\\n' -b "$JAR" "$S/api/admin/analytics/downloads"`,
      ].join("\n"),
    },
  ];
}

/** A link by one request, the file by another. */
function download(form: string, body: string, fileName: string): string {
  return [
    `LINK=$(curl -s -H "$JSON" "$S/api/download/${form}" \\`,
    `  -d '${body}' |`,
    `  sed -n 's/.*"downloadUrl":"\\([^"]*\\)".*/\\1/p')`,
    `curl -s -o ${fileName} -w 'saved %{size_download} bytes\\n' "$S$LINK"`,
  ].join("\n");
}
