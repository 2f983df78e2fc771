/** Makes XLSX workbooks of the XML of their parts. */
import { buffer } from "node:stream/consumers";
import { ZipArchive } from "archiver";

interface Workbook {
  /** The rows of the first sheet. */
  rows: string;
  strings?: string;
  styles?: string;
  sheets?: string;
  /** The rows of the sheet `r4`. */
  more?: string;
  /** The path of a part that isn't written. */
  without?: string;
  workbook?: string;
  /** Before the root of the first sheet. */
  prolog?: string;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">';

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;

export async function createXlsx({
  rows,
  strings = "",
  styles = "",
  sheets,
  workbook = "",
  prolog = "",
  more,
  without,
}: Workbook) {
  const archive = new ZipArchive();
  const parts = {
    "_rels/.rels": `${RELATIONS}${relation("r1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}">${workbook}<sheets>${sheets ?? sheetOf("Books", "r1")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${RELATIONS}${relation("r1", "worksheet", "worksheets/sheet1.xml")}${relation("r2", "sharedStrings", "/xl/sharedStrings.xml")}${relation("r3", "styles", "styles.xml")}${relation("r4", "worksheet", "worksheets/sheet2.xml")}</Relationships>`,
    "xl/worksheets/sheet1.xml": `${prolog}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst ${MAIN}>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet ${MAIN}>${styles}</styleSheet>`,
  };
  for (const [name, content] of Object.entries(parts)) {
    if (name !== without) archive.append(content, { name });
  }
  if (more !== undefined) {
    const sheet = `<worksheet ${MAIN}><sheetData>${more}</sheetData></worksheet>`;
    archive.append(sheet, { name: "xl/worksheets/sheet2.xml" });
  }
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

export const sheetOf = (name: string, id: string, state = "visible"): string =>
  `<sheet name="${name}" sheetId="1" r:id="${id}" state="${state}"/>`;

/** A row of texts. */
export const rowOf = (number: number, texts: readonly string[]): string =>
  `<row r="${number}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
