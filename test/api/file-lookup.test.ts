/** Looking up files by their content. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { createTxt, hashBytes } from "../support/stored-files.ts";

const PATH = "/api/admin/files/lookup";
const hashText = (text: string) => hashBytes(createTxt(text));

describe("the lookup of files", () => {
  it("returns one entry for each place of the same bytes, also of an inactive file", async () => {
    const { make, admin } = await startApp();
    for (const code of ["es", "ar"]) await make.language(code);
    const well = await make.published("Well", "es", "same");
    const copy = await make.textFile(well.book.id, "ar", "same");
    const hill = await make.published("Hill", "es", "same");
    await make.textFile(hill.book.id, "es", "newer");
    await make.published("Moon", "es", "other");
    const client = await admin();
    const [same, newer] = [hashText("same"), hashText("newer")];
    const response = await client.post(PATH, { sha256: [same, newer, same, hashText("unknown")] });
    expect(response.status).toBe(200);
    const place = (bookId: string, fileId: string, languageCode = "es", sha256 = same) => ({
      sha256,
      bookId,
      fileId,
      languageCode,
      fileType: "txt",
    });
    const { files } = response.body;
    expect(files).toHaveLength(4);
    expect(files).toEqual(
      expect.arrayContaining([
        place(well.book.id, well.file.id),
        place(well.book.id, copy.id, "ar"),
        place(hill.book.id, hill.file.id),
        place(hill.book.id, expect.any(String), "es", newer),
      ]),
    );
    expect(files.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
      [same, same, same, newer].toSorted(),
    );
  });

  it("finds no deleted file", async () => {
    const { make, admin } = await startApp();
    const { book, file } = await make.published("Well", "es", "gone");
    const client = await admin();
    await client.delete(`/api/admin/books/${book.id}/files/${file.id}`);
    expect((await client.post(PATH, { sha256: [hashText("gone")] })).body).toEqual({
      files: [],
      replaced: [],
      examined: [],
    });
  });

  it("says which bytes were examined, so that they needn't be sent again until they are forgotten", async () => {
    const { admin, make, clock, container } = await startApp();
    const client = await admin();
    const editor = await make.login("editor");
    const file = { name: "well.txt", bytes: createTxt("examined") };
    const [examined, unknown] = [hashText("examined"), hashText("unknown")];
    expect((await client.upload("post", "/api/admin/files/examine", { file })).status).toBe(200);
    const lookUp = async () => (await editor.post(PATH, { sha256: [unknown, examined, examined] })).body;
    expect(await lookUp()).toEqual({ files: [], replaced: [], examined: [examined] });
    clock.advance(2 * 60 * 60 * 1000);
    await container.services.examinations.forgetOld();
    expect(await lookUp()).toEqual({ files: [], replaced: [], examined: [] });
  });
});
