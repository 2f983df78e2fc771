/** An instance whose clock isn't that of the database: what it says, and when it leaves the balancer. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";

const MINUTE = 60_000;

it("isn't admitted and isn't ready while its clock is further off than the life of a link", async () => {
  // The clock of tests is not that of the server.
  const { container, clock, api } = await startApp();
  const ready = async () => {
    const { status, body } = await api.get("/api/health/ready");
    return [status, body.code ?? body.clockOffsetSeconds];
  };
  const find = async () => {
    const { findings } = await container.services.doctor.examine({ deep: false, cloud: false });
    return findings.filter(({ check }) => check === "clock_differs");
  };
  await expect(container.admit(false)).rejects.toThrow(
    /^The clock of this machine is \d+ s .* Correct the clock/,
  );
  expect(await ready()).toEqual([503, "clock_wrong"]);

  clock.advance(Date.now() - clock.now());
  await container.clocks.assertUsable();
  expect(await ready()).toEqual([200, undefined]);

  clock.advance(MINUTE);
  await container.clocks.assertUsable();
  const [status, offset] = await ready();
  expect(status).toBe(200);
  expect(offset).toBeGreaterThan(50);
  expect(offset).toBeLessThan(61);
  expect(await find()).toMatchObject([{ severity: "warning", object: { kind: "clock" } }]);
  await container.admit(false);
});
