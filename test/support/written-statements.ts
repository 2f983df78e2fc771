/** Records the statements that run on connections to SQLite that write, also those around a write. */
import Database, { type Statement } from "better-sqlite3";
import { vi } from "vitest";

export async function recordWrittenStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statement = Object.getPrototypeOf(new Database(":memory:").prepare("select 1"));
  const ran: string[] = [];
  const spies = (["run", "get", "all"] as const).map((method) => {
    const original = statement[method];
    return vi.spyOn(statement, method).mockImplementation(function (this: Statement, ...values: unknown[]) {
      if (!this.database.readonly) ran.push(this.source);
      return original.apply(this, values);
    });
  });
  await work().finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return ran;
}
