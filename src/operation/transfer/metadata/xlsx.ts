/** The texts of the first sheet of an XLSX workbook (ECMA-376, part 1, 18.3), as a spreadsheet program shows them. */
import { posix } from "node:path";
import { describeCompoundFile } from "../../../adapters/file-types/compound-file.ts";
import { adviseOn } from "../../../adapters/file-types/content.ts";
import { ZipEntries } from "../../../adapters/file-types/zip-entries.ts";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { findEncoding } from "../../../lib/encodings.ts";
import type { SheetTexts } from "./metadata-messages.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { type CellDeps, SheetLines, StringTexts, type XmlListener } from "./xlsx-cells.ts";
import { patternOfId } from "./xlsx-numbers.ts";
import {
  createParser,
  decodeXml,
  findXmlEncoding,
  localName,
  parseElements,
  type XmlElement,
} from "./xml.ts";

/** Of the parts beside cells and strings: large workbooks have some hundred KiB. */
const MAX_PART_BYTES = 8 * 1024 * 1024;
/** Of a sheet, and of its strings. */
const MAX_SHEET_BYTES = 256 * 1024 * 1024;
const MAX_NAMES = 20;

export async function readFirstSheet(file: Inspectable): Promise<SheetTexts> {
  await using handle = await file.open();
  const other = await describeCompoundFile(handle);
  if (other) throw new UnreadableError([`It is ${other.name}.`, adviseOn(other)].join(" ").trim());
  const zip = await ZipEntries.open(handle, file.sizeBytes);
  if (zip.find("content.xml") !== undefined)
    throw new UnreadableError("It is an OpenDocument spreadsheet. Save it as XLSX.");
  const [path] = (await readRelations(zip, "")).filter(({ type }) => type === "officeDocument");
  const workbook = path?.target ?? "xl/workbook.xml";
  const elements = await readPart(zip, workbook);
  const relations = await readRelations(zip, workbook);
  const sheets = listVisibleSheets(elements, relations);
  if (sheets.length === 0) throw new UnreadableError("It has no sheet.");
  const findTarget = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const strings = await readStrings(zip, findTarget("sharedStrings"));
  const patterns = await readPatterns(zip, findTarget("styles"));
  const { date1904 = "0" } = Object.fromEntries(
    elements.find(({ name }) => name === "workbookpr")?.attributes ?? [],
  );
  const days = /^(?:1|true)$/.test(date1904) ? DAYS_BEFORE_1904 : 0;
  return await findFirstFilled(sheets, (path) => readLines(zip, path, { strings, patterns, days }));
}

interface Sheet {
  name: string;
  target: string;
}

/** New workbooks of some programs begin with an empty sheet. */
async function findFirstFilled(
  sheets: readonly Sheet[],
  read: (path: string) => Promise<Buffer>,
): Promise<SheetTexts> {
  for (const [index, { name, target }] of sheets.slice(0, MAX_NAMES).entries()) {
    const lines = await read(target);
    const others = sheets.slice(index + 1, index + 1 + MAX_NAMES).map((other) => other.name);
    if (lines.length > 0) return { name, others, lines };
  }
  return { name: sheets[0]?.name ?? "", others: [], lines: Buffer.alloc(0) };
}

/** Of workbooks whose dates count from 1904. */
const DAYS_BEFORE_1904 = 1462;

async function readPart(zip: ZipEntries, path: string): Promise<XmlElement[]> {
  const found = zip.find(path);
  const bytes = found === undefined ? undefined : await zip.read(found, MAX_PART_BYTES);
  if (!bytes) throw new UnreadableError(`It has no ${path}.`);
  return parseElements(decodeXml(bytes));
}

interface Relation {
  id: string;
  /** The last part of its URI: `worksheet`. */
  type: string;
  /** A path in the archive. */
  target: string;
}

/** Which parts belong to one; the archive itself has an empty path. */
async function readRelations(zip: ZipEntries, path: string): Promise<Relation[]> {
  const folder = posix.dirname(path);
  const elements = await readPart(zip, posix.join(folder, "_rels", `${posix.basename(path)}.rels`));
  return elements
    .filter(({ name }) => name === "relationship")
    .map(({ attributes }) => ({
      id: attributes.get("id") ?? "",
      type: posix.basename(attributes.get("type") ?? ""),
      target: posix.resolve("/", folder, attributes.get("target") ?? "").slice(1),
    }));
}

/** Those that the program shows, without charts. */
function listVisibleSheets(workbook: readonly XmlElement[], relations: readonly Relation[]): Sheet[] {
  return workbook
    .filter(({ name, parent }) => name === "sheet" && parent === "sheets")
    .filter(({ attributes }) => (attributes.get("state") ?? "visible") === "visible")
    .flatMap(({ attributes }) => {
      const relation = relations.find(({ id }) => id === attributes.get("id"));
      const name = (attributes.get("name") ?? "").slice(0, MAX_NAME);
      return relation?.type === "worksheet" ? [{ name, target: relation.target }] : [];
    });
}

const MAX_NAME = 100;

/** The number formats of the cells, by the index of their style. */
async function readPatterns(zip: ZipEntries, path: string | undefined): Promise<string[]> {
  // As with strings, programs that format nothing may not write the part.
  const elements = path === undefined || zip.find(path) === undefined ? [] : await readPart(zip, path);
  const own = new Map(
    elements
      .filter(({ name }) => name === "numfmt")
      .map(({ attributes }) => [attributes.get("numfmtid"), attributes.get("formatcode")]),
  );
  return elements
    .filter(({ name, parent }) => name === "xf" && parent === "cellxfs")
    .map(({ attributes }) => {
      const id = attributes.get("numfmtid") ?? "";
      return own.get(id) ?? patternOfId(Number(id));
    });
}

/** @throws Error if the part is damaged */
async function parsePart(zip: ZipEntries, path: string, listener: XmlListener): Promise<void> {
  const found = zip.find(path);
  const stream = found === undefined ? undefined : await zip.stream(found, MAX_SHEET_BYTES);
  if (!stream) throw new UnreadableError(`It has no ${path}.`);
  const parser = createParser();
  parser.on("opentag", ({ name, attributes }) => {
    listener.open(localName(name), new Map(Object.entries(attributes)));
  });
  parser.on("closetag", ({ name }) => listener.close(localName(name)));
  parser.on("text", (text) => listener.text(text));
  parser.on("cdata", (text) => listener.text(text));
  let decoder: TextDecoder | undefined;
  for await (const bytes of stream) {
    decoder ??= new TextDecoder(findEncoding(findXmlEncoding(bytes) ?? "utf-8"));
    parser.write(decoder.decode(bytes, { stream: true }));
  }
  parser.write(decoder?.decode() ?? "").close();
}

/** Texts that cells name by their index. */
async function readStrings(zip: ZipEntries, path: string | undefined): Promise<string[]> {
  const texts = new StringTexts();
  // Programs name a part for strings that they don't write, because no cell has any.
  if (path !== undefined && zip.find(path) !== undefined) await parsePart(zip, path, texts);
  return texts.all;
}

async function readLines(zip: ZipEntries, path: string, deps: CellDeps): Promise<Buffer> {
  const lines = new SheetLines(deps);
  await parsePart(zip, path, lines);
  return lines.bytes();
}
