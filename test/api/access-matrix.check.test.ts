/** Every operation of the route table with every kind of valid credential, and with some invalid ones. */
import { describe, expect, it } from "vitest";
import { expectAdmissions, expectRejections, guarded, makeOneInvalid } from "../support/access-checks.ts";

// Some hundred requests: a busy machine takes longer than one test may otherwise.
describe("every operation with every valid credential, and with some invalid ones", () => {
  it("rejects exactly what the route table rejects, without changing anything", async () => {
    const rejected = await expectRejections(makeOneInvalid);
    // Each guarded operation without a credential and mostly by another invalid one, and more by permission.
    expect(rejected).toBeGreaterThan(guarded.length * 4);
  });

  it("admits all other credentials", () => expectAdmissions(makeOneInvalid));
});
