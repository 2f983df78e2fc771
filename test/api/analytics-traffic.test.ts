/** A day of readers from all over the world, with what they really send, and the figures of every report afterwards. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { ADDRESSES } from "../support/day/addresses.ts";
import { DayCatalogue } from "../support/day/catalogue.ts";
import { expectContacts, expectLog } from "../support/day/log.ts";
import { Replay } from "../support/day/replay.ts";
import { expectReports } from "../support/day/reports.ts";
import { countedScenes } from "../support/day/scene.ts";
import { USER_AGENTS } from "../support/day/seats.ts";
import { expectSummary } from "../support/day/summary.ts";
import { DAY_BEGINS, DAY_ENDS, visitsOf } from "../support/day/visits.ts";

it("a day of traffic has in every report the figures of an independent count", async () => {
  const visits = visitsOf(260);
  expect(new Set(visits.map(({ sent }) => sent)).size).toBe(ADDRESSES.length);
  expect(new Set(visits.map(({ userAgent }) => userAgent)).size).toBe(USER_AGENTS.length);

  const app = await startApp({ TRUST_PROXY: "1", SESSION_TTL_SECONDS: String(7 * 86_400) });
  const goTo = (time: number) => app.clock.advance(time - app.clock.now());
  goTo(DAY_BEGINS);
  const admin = await app.make.login("admin");
  const catalogue = await DayCatalogue.open(admin);
  const replay = new Replay(app.api, catalogue);
  await replay.run(visits, goTo);
  goTo(DAY_ENDS);

  const scene = { admin, catalogue, deeds: replay.deeds };
  for (const counted of countedScenes(scene)) {
    await expectLog(counted);
    await expectReports(counted);
    await expectSummary(counted, DAY_ENDS);
  }
  await expectContacts(scene);
});
