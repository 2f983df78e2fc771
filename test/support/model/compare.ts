/** Holds every list of the service against the model. */
import { expect } from "vitest";
import { bodyOf } from "../client.ts";
import type { CatalogueModel, ModelChannel, ModelLanguage } from "./catalogue-model.ts";
import type { Service } from "./steps.ts";

export async function compareLists(model: CatalogueModel, { admin, api }: Service): Promise<void> {
  await comparePublicLists(model, api);
  await compareAdminLists(model, admin);
}

/** In every language and on every channel, and in all of them together. */
async function comparePublicLists(model: CatalogueModel, api: Service["api"]): Promise<void> {
  for (const language of [undefined, ...model.languages])
    for (const channel of [undefined, ...model.channels]) {
      const path = `/api/books?limit=200${query(language, channel)}`;
      const isThere = (language?.isActive ?? true) && (channel?.isActive ?? true);
      const { books } = await bodyOf(api.get(path), isThere ? 200 : 404);
      if (isThere) expect(books.map(publicView), path).toEqual(model.publicList(language, channel));
    }
}

async function compareAdminLists(model: CatalogueModel, admin: Service["admin"]): Promise<void> {
  for (const language of [undefined, ...model.languages]) {
    const path = `/api/admin/books?limit=200${query(language, undefined)}`;
    const { books } = await bodyOf(admin.get(path));
    expect(books.map(adminView), path).toEqual(model.adminList(language));
    if (!language) continue;
    const matrix = await bodyOf(admin.get(`/api/admin/channels/matrix?languageId=${language.id}`));
    expect(matrix.books.map(matrixView), `matrix of ${language.code}`).toEqual(model.matrix(language));
  }
}

const query = (language: ModelLanguage | undefined, channel: ModelChannel | undefined): string =>
  (language ? `&languageCode=${language.code}` : "") + (channel ? `&channel=${channel.slug}` : "");

interface ShownBook {
  id: string;
  slug: string;
  title: string;
  titleEn: string;
  sortOrder: number;
  isActive: 0 | 1;
  translationsCount: number;
  filesCount: number;
  languages: string[];
  files: { id: string }[];
  publications: Record<string, boolean>;
}

const publicView = ({ id, slug, title, languages, files }: ShownBook) => ({
  id,
  slug,
  title,
  languages: languages.toSorted(),
  files: files.map((file) => file.id).sort(),
});

const adminView = (book: ShownBook) => {
  const { id, slug, titleEn, sortOrder, isActive, translationsCount, filesCount, languages } = book;
  const counts = { translationsCount, filesCount };
  return {
    id,
    slug,
    titleEn,
    sortOrder,
    isActive: isActive === 1,
    ...counts,
    languages: languages.toSorted(),
  };
};

const matrixView = ({ id, publications }: ShownBook) => ({
  id,
  channels: Object.keys(publications)
    .filter((channel) => publications[channel])
    .sort(),
});
