/** Who may call what: every operation of the route table with every kind of credential, also every invalid one. */
import { describe, expect, it } from "vitest";
import { all, expectAdmissions, expectRejections, guarded } from "../support/access-checks.ts";

// Some thousand requests: a busy machine takes longer than one test may otherwise.
describe("every operation with every credential", () => {
  it("rejects exactly what the route table rejects, without changing anything", async () => {
    // No credential, junk and other invalid ones, for each guarded operation, and more by permission.
    expect(await expectRejections(all)).toBeGreaterThan(guarded.length * 17);
  });

  it("admits all other credentials", () => expectAdmissions(all));
});
