/** Makes MOBI books with given headers. */

/** EXTH records by the number of their type; a text several times for several values. */
type Records = readonly (readonly [number, string | Buffer])[];

interface MobiParts {
  title: string;
  records?: Records;
  /** A language of Windows. */
  locale?: number;
  encoding?: "utf8" | "latin1";
  /** The first and only image. */
  cover?: Buffer;
}

const MOBI_BYTES = 232;
const HEADER_BYTES = 78;
const NONE = 0xffffffff;

export function createMobi({ title, records = [], locale = 0, encoding = "utf8", cover }: MobiParts): Buffer {
  const exth = createExth([...records, ...(cover ? [[201, Buffer.alloc(4)] as const] : [])], encoding);
  const name = Buffer.from(title, encoding);
  const header = Buffer.alloc(16 + MOBI_BYTES);
  header.write("MOBI", 16, "latin1");
  header.writeUInt32BE(MOBI_BYTES, 20);
  header.writeUInt32BE(encoding === "utf8" ? 65_001 : 1252, 28);
  header.writeUInt32BE(header.length + exth.length, 84);
  header.writeUInt32BE(name.length, 88);
  header.writeUInt32BE(locale, 92);
  header.writeUInt32BE(cover ? 1 : NONE, 108);
  header.writeUInt32BE(0x40, 128);
  return createPalmDatabase([Buffer.concat([header, exth, name]), ...(cover ? [cover] : [])]);
}

function createExth(records: Records, encoding: BufferEncoding): Buffer {
  const parts = records.map(([type, value]) => {
    const content = typeof value === "string" ? Buffer.from(value, encoding) : value;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(type);
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  });
  const head = Buffer.alloc(12);
  head.write("EXTH", "latin1");
  head.writeUInt32BE(records.length, 8);
  return Buffer.concat([head, ...parts]);
}

function createPalmDatabase(records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + 8 * records.length);
  header.write("BOOKMOBI", 60, "latin1");
  header.writeUInt16BE(records.length, 76);
  let position = header.length;
  for (const [index, record] of records.entries()) {
    header.writeUInt32BE(position, HEADER_BYTES + 8 * index);
    position += record.length;
  }
  return Buffer.concat([header, ...records]);
}
