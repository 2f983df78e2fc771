/** The doctor and kept ZIPs: one that may contain wrong bytes isn't served any longer. */
import { describe, expect, it } from "vitest";
import { openDoctor } from "../../src/services/doctor/open-doctor.ts";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkToAll } from "../support/reader.ts";
import { createTxt, hashBytes, replaceStored } from "../support/stored-files.ts";

const TEXT = createTxt("the well");

/** Two languages with a kept ZIP each; the stored bytes of the one in English are wrong. */
async function scene() {
  const app = await startApp();
  for (const code of ["en", "de"]) await app.make.language(code);
  await app.make.published("The Well", "en", TEXT.toString());
  await app.make.published("Der Baum", "de", "Baum");
  const [english = "", german = ""] = [await linkToAll(app.api, "en"), await linkToAll(app.api, "de")];
  for (const link of [english, german]) expect((await app.api.get(link)).status).toBe(200);
  await replaceStored(app.dataDir, hashBytes(TEXT), createTxt("the w?ll"));
  return { app, api: app.api, english, german };
}

describe("the doctor", () => {
  it.each(["the running service", "a command beside it"])(
    "deletes kept ZIPs that contain a file with changed bytes, by %s, and no other",
    async (by) => {
      const { app, api, english, german } = await scene();
      const examine = async (deep: boolean) => {
        if (by === "the running service") {
          return (await (await app.admin()).get(`/api/admin/doctor?deep=${deep}`)).body;
        }
        const { doctor, close } = await openDoctor(app.container.config);
        try {
          return await doctor.examine({ deep, cloud: false });
        } finally {
          await close();
        }
      };
      await examine(false);
      expect((await api.get(english)).status).toBe(200);
      expect((await examine(true)).isHealthy).toBe(false);
      expectProblem(await api.get(english), 503, { code: "archive_unavailable" });
      // The length is known only of a kept ZIP, and HEAD packs nothing.
      expect((await api.head(german)).headers["content-length"]).toBeDefined();
      expect((await api.head(english)).headers["content-length"]).toBeUndefined();

      await replaceStored(app.dataDir, hashBytes(TEXT), TEXT);
      app.clock.advance(60_000);
      expect((await examine(true)).isHealthy).toBe(true);
      const entries = await readZip((await api.get(english)).body);
      expect(entries.map(({ bytes }) => bytes.toString())).toEqual(["the well"]);
      expect((await examine(true)).isHealthy).toBe(true);
      expect((await api.head(english)).headers["content-length"]).toBeDefined();
    },
  );
});
