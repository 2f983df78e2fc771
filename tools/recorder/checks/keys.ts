/** API keys: those that were made work, those that were revoked don't. */
import { apiKeyList } from "../../../src/schemas/api-keys.schemas.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Ledger } from "../ledger.ts";
import type { Findings } from "./findings.ts";

export async function checkKeys(
  ledger: Ledger,
  { admin, reader }: { admin: ServiceClient; reader: ServiceClient },
  findings: Findings,
): Promise<void> {
  const { apiKeys } = await admin.read("/api/admin/api-keys", apiKeyList);
  const names = new Set(apiKeys.map(({ name }) => name));
  for (const name of new Set([...ledger.keys.keys, ...names])) {
    findings.compare(`the API key ${name}`, ledger.keys, name, names.has(name) ? "in force" : undefined);
  }
  for (const [name, { key }] of ledger.secrets) {
    const bearer = reader.with({ authorization: `Bearer ${key}` });
    const { status } = await bearer.send("/api/admin/books?limit=1");
    const right = names.has(name) ? 200 : 401;
    if (status !== right) findings.addLoss(`the API key ${name} is answered with ${status}, not ${right}`);
    if (right === 401) ledger.secrets.delete(name);
  }
}
