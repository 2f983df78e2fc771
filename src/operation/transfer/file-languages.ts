/** The language of each file of a folder without a catalogue: by its path, its metadata, or the files of the same name. */
import { askWhether, findLanguageAmong, findNearLanguage } from "../../lib/language-names.ts";
import { type Examined, examineAll } from "./examine.ts";
import { findBaseCode } from "./language-codes.ts";
import type { Place } from "./layout.ts";
import type { BookFile } from "./library.ts";
import type { LocalFile } from "./local-files.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";

export interface Placed {
  file: LocalFile;
  place: Place;
}

interface PlacedFiles {
  examined: (BookFile & Placed)[];
  /** The place without the parts that the metadata contradicts. */
  settle: (place: Place) => Place;
}

/**
 * Examines files and finds their languages. A file that fails, or has no language, is added to the failures.
 * @param usual the language of files without one
 */
export async function examinePlaced(
  books: readonly Placed[],
  usual: string | undefined,
  deps: SourceDeps,
): Promise<PlacedFiles> {
  const results = await readMetadata(books, deps);
  const settle = settlePlaces(results);
  const settled = results.map((each) => ({ ...each, place: settle(each.place) }));
  deps.remarks.push(...remarkOnNames(settled));
  const languageOf = findSiblingLanguages(settled);
  const examined = settled.flatMap((each) => {
    const languageCode = each.file.correction?.languageCode ?? languageOf(each) ?? usual;
    if (languageCode !== undefined) return [{ ...each, languageCode }];
    const detail = formatQuestion(each.place);
    deps.failures.push({ subject: each.file.place, reason: NO_LANGUAGE, detail, code: "language_unknown" });
    return [];
  });
  return { examined, settle };
}

interface Result extends Examined, Placed {
  /** The language in its metadata. */
  inMetadata: string | undefined;
}

async function readMetadata(
  books: readonly Placed[],
  { languages, reader, failures, remarks, progress }: SourceDeps,
): Promise<Result[]> {
  let done = 0;
  progress.begin("Reading metadata", books.length, () => done);
  const candidates = books.map(({ file }) => ({
    file,
    fileType: file.correction?.fileType,
    isFound: file.correction?.fileType === undefined,
  }));
  const found = await examineAll(candidates, { reader, failures, remarks }, () => {
    done += 1;
  });
  const codes = found.flatMap((result) => result?.metadata.languageCode ?? []);
  await languages.learn(codes.flatMap((code) => [code, findBaseCode(code)]));
  return books.flatMap((placed, index) => {
    const result = found[index];
    const code = result?.metadata.languageCode;
    return result ? [{ ...placed, ...result, inMetadata: code && languages.resolve(code) }] : [];
  });
}

/** Each name that was read as a language, once. */
function remarkOnNames(files: readonly Placed[]): Remark[] {
  const codes = new Map(
    files.flatMap(({ place: { languageName, languageCode } }) =>
      languageName && languageCode ? [[languageName, languageCode]] : [],
    ),
  );
  return [...codes].map(([subject, detail]) => ({ kind: "languageName", subject, detail }));
}

/** The last word of a name is no language if the EPUB of that name is in another one: `learn-french.epub` in English. */
function settlePlaces(files: readonly Result[]): PlacedFiles["settle"] {
  const contradicted = new Set(
    files.filter(isEpub).flatMap(({ place: { withoutLastWord, languageCode }, inMetadata }) => {
      const isOther = inMetadata !== undefined && mainCode(inMetadata) !== mainCode(languageCode ?? "");
      return withoutLastWord && isOther ? [nameIn(withoutLastWord)] : [];
    }),
  );
  return (place) => {
    const { withoutLastWord: other } = place;
    return other && contradicted.has(nameIn(other)) ? other : place;
  };
}

const mainCode = (code: string): string | undefined => code.split("-")[0];

/** Of the files with the same name. */
const nameIn = ({ folders, stem }: Place): string => [...folders, stem].join("/");

/**
 * The language of a file, or of those with the same name: few PDFs have one, and word processors write their own into
 * them.
 */
function findSiblingLanguages(files: readonly Result[]): (file: Result) => string | undefined {
  const own = ({ place, inMetadata }: Result) => place.languageCode ?? inMetadata;
  const findSole = (siblings: readonly Result[]): Map<string, string | undefined> =>
    new Map(
      [...Map.groupBy(siblings, ({ place }) => nameIn(place))].map(([name, same]) => {
        const [code, another] = new Set(same.map(own).filter((each) => each !== undefined));
        return [name, another === undefined ? code : undefined];
      }),
    );
  const ofEpubs = findSole(files.filter(isEpub));
  const ofAll = findSole(files);
  return (file) => {
    const name = nameIn(file.place);
    const isCertain =
      file.place.languageCode !== undefined || (isEpub(file) && file.inMetadata !== undefined);
    return isCertain ? own(file) : (ofEpubs.get(name) ?? own(file) ?? ofAll.get(name));
  };
}

const isEpub = ({ fileType }: Examined): boolean => fileType === "epub" || fileType === "kepub";

export const NO_LANGUAGE =
  "Its language is unknown. Put it in a folder such as en/ or English/, name it book.en.pdf, or set --language.";

/** The language that the file name or a folder probably means. */
function formatQuestion({ folders, stem }: Place): string | undefined {
  const language = findLanguageAmong([stem, ...folders].join(" ")) ?? findNearLanguage(folders.join(" "));
  return language && askWhether(language);
}
