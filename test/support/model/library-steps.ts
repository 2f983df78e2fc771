/** Steps that concern what the organisation sets of the library for readers. */
import { bodyOf } from "../client.ts";
import type { StepKind } from "./steps.ts";

export const librarySteps: Readonly<Record<string, StepKind>> = {
  setLibrary: {
    async run({ admin, pick, number }) {
      const field = {
        name: `Library ${number}`,
        accentColor: `#${String(number % 1_000_000).padStart(6, "0")}`,
      };
      const contactFields = { phone: pick(["off", "optional", "required"]) };
      await bodyOf(
        admin.put("/api/admin/library", { ...field, contactFields, offersAll: pick([true, false]) }),
      );
    },
  },
  showChannel: {
    async run({ model, admin, pick }) {
      const channelId = pick([null, ...model.channels.map(({ id }) => id)]);
      await bodyOf(admin.put("/api/admin/library", { channelId }));
    },
  },
  setLibraryTexts: {
    can: ({ languages }) => languages.length > 0,
    async run({ model, admin, pick, number }) {
      const { code } = pick(model.languages);
      const name = pick(["name", "introduction", "footer", "about"]);
      const text = pick(["", `Text ${number}`]);
      await bodyOf(admin.put(`/api/admin/library/texts/${code}`, { [name]: text }));
    },
  },
};
