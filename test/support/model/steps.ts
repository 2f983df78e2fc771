/** Steps of a random walk through the catalogue: each is asked of the service and done to the model. */
import fc from "fast-check";
import type { Client } from "../client.ts";
import type { FakeClock } from "../clock.ts";
import type { CatalogueModel } from "./catalogue-model.ts";

/** Chooses one of what is there. */
export type Pick = <T>(list: readonly T[]) => T;

/** The same service to an administrator and to a reader. */
export interface Service {
  admin: Client;
  api: Client;
  clock: FakeClock;
}

export interface StepKind {
  /** How often it is taken against others; once without it. What adds goes before what removes, or little is ever there. */
  weight?: number;
  /** What must be there before. */
  can?(model: CatalogueModel): boolean;
  run(at: {
    model: CatalogueModel;
    service: Service;
    admin: Client;
    pick: Pick;
    number: number;
  }): Promise<unknown>;
}

/** A step with the choices that it makes. */
class Step implements fc.AsyncCommand<CatalogueModel, Service> {
  readonly #name: string;
  readonly #kind: StepKind;
  readonly #choices: readonly number[];

  constructor(name: string, kind: StepKind, choices: readonly number[]) {
    this.#name = name;
    this.#kind = kind;
    this.#choices = choices;
  }

  check(model: Readonly<CatalogueModel>): boolean {
    return this.#kind.can?.(model) ?? true;
  }

  async run(model: CatalogueModel, service: Service): Promise<void> {
    let next = 0;
    const pick = <T>(list: readonly T[]): T => {
      const picked = list[(this.#choices[next++] ?? 0) % list.length];
      if (picked === undefined) throw new Error(`${this.#name} has nothing to pick from`);
      return picked;
    };
    const number = this.#choices.at(-1) ?? 0;
    await this.#kind.run({ model, service, admin: service.admin, pick, number });
  }

  toString(): string {
    return `${this.#name}(${this.#choices.join(",")})`;
  }
}

export const stepsOf = (kinds: Readonly<Record<string, StepKind>>): fc.Arbitrary<Step>[] =>
  Object.entries(kinds).flatMap(([name, kind]) => {
    const choices = fc.array(fc.nat(999_999), { minLength: 6, maxLength: 6 });
    const step = choices.map((chosen) => new Step(name, kind, chosen));
    return Array<typeof step>(kind.weight ?? 1).fill(step);
  });
