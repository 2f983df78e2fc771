/** Tables with a single row, which holds one value. */
import { sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import { Repository } from "./repository.ts";

interface SingleRow<T extends keyof Schema> {
  table: T;
  column: keyof Schema[T] & string;
  id: string;
}

const singleValueOf = <V extends string | number, T extends keyof Schema>({
  table,
  column,
  id,
}: SingleRow<T>) =>
  class extends Repository {
    /** Undefined if none was recorded yet. */
    async find(): Promise<V | undefined> {
      const { rows } = await sql<{ value: V }>`
        select ${sql.ref(column)} as value from ${sql.table(table)} where id = ${id}`.execute(this.db);
      return rows[0]?.value;
    }

    async record(value: V): Promise<void> {
      const name = sql.ref(column);
      await sql`insert into ${sql.table(table)} (id, ${name}) values (${id}, ${value})
        on conflict (id) do update set ${name} = excluded.${name}`.execute(this.db);
    }
  };

/** The last hour in which the service was running, in epoch milliseconds. */
export class RecordedHourRepository extends singleValueOf<number, "recorded_hour">({
  table: "recorded_hour",
  column: "recordedAt",
  id: "last",
}) {}

/** The fingerprint with which the instances on one database check that they have the same secret. */
export class SecretFingerprintRepository extends singleValueOf<string, "secret_fingerprint">({
  table: "secret_fingerprint",
  column: "fingerprint",
  id: "current",
}) {}

/** The id of the service, which is also recorded beside its files. */
export class ServiceIdRepository extends singleValueOf<string, "service_id">({
  table: "service_id",
  column: "serviceId",
  id: "current",
}) {}
