/** What the load needs before it begins: a session, an API key and the languages. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ServiceClient, sessionCookie } from "../lib/service-client.ts";
import { UPLOAD_LANGUAGES } from "./load/books.ts";
import { LINK_LANGUAGE } from "./load/bulk.ts";
import type { Callers } from "./load/load.ts";
import type { Scene } from "./scene.ts";

/** They outlive every kill: a session and a key are answered writes too. */
export interface Credentials {
  cookie: string;
  key: string;
}

export const newAdmin = () => ({
  ADMIN_EMAIL: "drill@example.org",
  ADMIN_PASSWORD: randomBytes(18).toString("base64url"),
});

export function callersOf(base: string, { cookie, key }: Credentials): Callers {
  const reader = new ServiceClient(base);
  return {
    reader,
    admin: reader.with({ cookie }),
    apiClient: reader.with({ authorization: `Bearer ${key}` }),
  };
}

const made = z.object({ id: z.string(), key: z.string() });

export async function setUp(
  scene: Scene,
  reader: ServiceClient,
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Readonly<Record<string, string>>,
): Promise<Credentials> {
  const response = await reader.send("/api/auth/login", { method: "POST", json: { email, password } });
  const cookie = sessionCookie(response);
  const admin = reader.with({ cookie });
  for (const code of [...UPLOAD_LANGUAGES, LINK_LANGUAGE]) {
    const json = { code, name: code, nativeName: code };
    await scene.write(admin, {
      path: "/api/admin/languages",
      request: { method: "POST", json },
      begin: () => [],
      lines: 1,
    });
  }
  return { cookie, key: await newKey(scene, admin, "drill") };
}

export async function newKey(scene: Scene, admin: ServiceClient, name: string): Promise<string> {
  const created = await scene.write(admin, {
    path: "/api/admin/api-keys",
    request: { method: "POST", json: { name } },
    begin: (requestId) => [scene.keys.begin(name, "in force", requestId)],
    lines: 1,
  });
  if (!created) throw new Error(scene.unexpected.join("\n"));
  return made.parse(JSON.parse(created.bytes.toString())).key;
}
