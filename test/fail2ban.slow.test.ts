/** The fail2ban filter of docs/operation.md, on lines that the service really writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const ADMIN = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: "correct horse battery" };

/** The expression as fail2ban reads it: `<ADDR>` stands for an address. */
function documentedExpression(): RegExp {
  const [, expression = ""] = /^failregex = (.+)$/m.exec(readFileSync("docs/operation.md", "utf8")) ?? [];
  return new RegExp(expression.replace("<ADDR>", "(?<address>[\\da-f:.]+)"), "i");
}

it("the fail2ban filter finds failed log-ins with their address, and nothing else", async () => {
  const service = new ServiceProcess({
    ...ADMIN,
    DATA_DIR: join(createTempFolder(), "data"),
    RATE_LIMIT_LOGIN: "2",
  });
  const base = await service.waitUntilListening();
  const ids: (string | null)[] = [];
  const logIn = async (password: string, callerId: string) => {
    const { status, headers } = await fetch(`${base}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-id": callerId },
      body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password }),
    });
    if (status >= 400) ids.push(headers.get("x-request-id"));
    return status;
  };
  expect(await logIn(ADMIN.ADMIN_PASSWORD, "caller-0001")).toBe(200);
  expect(await logIn("wrong", "caller-0002")).toBe(401);
  expect(await logIn("wrong", '","address":"192.0.2.1')).toBe(401);
  expect(await logIn("wrong", "caller-0004")).toBe(429);
  expect((await fetch(`${base}/api/admin/books`)).status).toBe(401);
  expect((await fetch(`${base}/api/auth/login`)).status).toBe(405);
  await service.end();
  const expression = documentedExpression();
  const found = service.output.split("\n").flatMap((line) => {
    const address = expression.exec(line)?.groups?.address;
    return address === undefined ? [] : [{ id: JSON.parse(line).id, address }];
  });
  expect(found).toEqual(ids.map((id) => ({ id, address: "127.0.0.1" })));
  expect(found).toHaveLength(3);
});
