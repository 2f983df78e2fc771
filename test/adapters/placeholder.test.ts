/** Covers that are drawn from a title: in every script, in its direction, whole or with an ellipsis, and nothing of the system. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import { drawPlaceholder, type PlaceholderOptions } from "../../src/adapters/images/placeholder.ts";
import { PlaceholderFonts, type Run } from "../../src/adapters/images/placeholder-fonts.ts";
import { type Layout, layOut, piecesOf } from "../../src/adapters/images/placeholder-layout.ts";
import { PlaceholderText } from "../../src/adapters/images/placeholder-text.ts";

const fonts = new PlaceholderFonts();
const images = new CoverImages();
const BOX = { width: 300, height: 420 };

const prepare = (text: string, languageCode = "en", direction: "ltr" | "rtl" = "ltr") =>
  PlaceholderText.prepare({ text, languageCode, direction }, fonts);

const layOutOf = async (...of: Parameters<typeof prepare>): Promise<Layout> =>
  layOut(await prepare(...of), BOX);

const runsOf = async (...of: Parameters<typeof prepare>): Promise<Run[]> => {
  const text = await prepare(...of);
  return text.runs(0, text.wording.text.length);
};

const glyphsOf = (runs: readonly Run[]): number[] => runs.flatMap((run) => run.glyphs.map(({ id }) => id));

const draw = (title: string, options: Partial<PlaceholderOptions> = {}) =>
  images.placeholder({
    title,
    languageCode: "en",
    direction: "ltr",
    width: 320,
    contentType: "image/png",
    ...options,
  });

/** A title in each script; some with marks above and below, with ligatures and with signs that change their place. */
const TITLES: [languageCode: string, title: string, direction?: "rtl"][] = [
  ["en", "The Deep Well"],
  ["fr", "Le cœur du puits"],
  ["vi", "Giếng nước sâu ở phố Huế"],
  ["ee", "Vudo globoe ɛ̀ ɔ̃ ŋ"],
  ["ru", "Глубокий колодец"],
  ["uk", "Ґанок і криниця"],
  ["el", "Το βαθύ πηγάδι, ᾧ"],
  ["ka", "ღრმა ჭა"],
  ["hy", "Խոր ջրհոր"],
  ["am", "ጥልቅ፡ጉድጓድ።"],
  ["he", "הַבְּאֵר הָעֲמֻקָּה", "rtl"],
  ["ar", "البئر العميقة لله", "rtl"],
  ["fa", "چاه عمیق، می‌روم ۱۲۳", "rtl"],
  ["ur", "گہرا کنواں ٹھنڈا ہے", "rtl"],
  ["dv", "ފުން ވަޅެއް", "rtl"],
  ["hi", "गहरा कुआँ, क्षत्रिय"],
  ["bn", "গভীর কুয়ো, শ্রী"],
  ["gu", "ઊંડો કૂવો"],
  ["pa", "ਡੂੰਘਾ ਖੂਹ"],
  ["or", "ଗଭୀର କୂଅ"],
  ["ta", "ஆழமான கிணறு"],
  ["te", "లోతైన బావి"],
  ["kn", "ಆಳವಾದ ಬಾವಿ"],
  ["ml", "ആഴമുള്ള കിണർ"],
  ["si", "ගැඹුරු ළිඳ, ශ්‍රී"],
  ["th", "บ่อน้ำลึกที่นั่น"],
  ["lo", "ນ້ຳສ້າງເລິກ"],
  ["km", "អណ្តូងជ្រៅណាស់"],
  ["my", "နက်ရှိုင်းသော ရေတွင်း"],
  ["bo", "ཁྲོན་པ་གཏིང་ཟབ་བསྒྲུབས།"],
  ["zh", "深井边的龙与龟"],
  ["zh-Hant", "深井邊的龍與龜"],
  ["ja", "深い井戸のそばで。"],
  ["ko", "깊은 우물 곁에서"],
];

describe("a placeholder's letters", () => {
  it.each(TITLES)("are all there: %s %s", async (languageCode, title, direction) => {
    const characters = [...title].filter((character) => !/\p{Cf}/u.test(character));
    for (const character of characters) {
      const typeface = await fonts.typefaceFor([character.codePointAt(0) ?? 0], languageCode);
      expect(typeface, character).toBeDefined();
    }
    const glyphs = glyphsOf(await runsOf(title, languageCode, direction));
    // Glyph 0 is the box that stands for what a font hasn't.
    expect(glyphs).not.toContain(0);
    expect(glyphs.length).toBeGreaterThan(title.length / 3);
    const other = title.replaceAll(/[\p{L}\p{M}]/gu, "\u{FFFD}");
    expect((await draw(title, { languageCode })).bytes).not.toEqual(
      (await draw(other, { languageCode })).bytes,
    );
  });

  it("take the forms that their neighbours ask for", async () => {
    const [[alone], [first, last]] = await Promise.all([
      runsOf("س", "ar", "rtl").then(glyphsOf),
      runsOf("سس", "ar", "rtl").then(glyphsOf),
    ]);
    expect(new Set([alone, first, last]).size).toBe(3);
    const widths = await Promise.all(
      ["क", "्", "ष", "क्ष"].map(async (text) => (await prepare(text, "hi")).width(0, 9)),
    );
    const [ka = 0, , ssa = 0, conjunct = 0] = widths;
    expect(conjunct).toBeLessThan(ka + ssa);
  });

  it("are those that readers of the language expect", async () => {
    const drawn = await Promise.all(
      ["zh", "zh-Hant", "ja"].map(async (languageCode) => (await draw("骨直", { languageCode })).bytes),
    );
    expect(new Set(drawn.map((bytes) => bytes.toString("base64"))).size).toBe(3);
  });

  it("without a font are left out, and the others stay", async () => {
    expect(glyphsOf(await runsOf("A😀𓀀B"))).toEqual(glyphsOf(await runsOf("AB")));
    const { lines, height } = await layOutOf("😀𓀀");
    expect([lines.flatMap(({ runs }) => runs), height]).toEqual([[], 0]);
    expect((await draw("😀")).width).toBe(320);
  });

  it("are drawn as outlines: no font, no text and no markup of the title is in the drawing", async () => {
    const title = `</svg><text font-family="DejaVu">&amp; "well"</text>`;
    const svg = drawPlaceholder(await prepare(title), 640).toString();
    expect(svg).toMatch(/^(<svg [^>]*>|<\/svg>|<(rect|path) [^>]*\/>|<g [^>]*>|<\/g>|\n)*$/);
    expect(svg).not.toMatch(/font|text|href|url|well/);
    expect(glyphsOf(await runsOf("<&>"))).toHaveLength(3);
  });
});

describe("a placeholder's direction", () => {
  /** The columns where letters are, as parts of the width. */
  async function inkOf(title: string, direction: "ltr" | "rtl") {
    const { bytes } = await draw(title, { direction, languageCode: direction === "rtl" ? "he" : "en" });
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const columns = Array.from({ length: info.width }, (_, x) => x).filter((x) =>
      Array.from({ length: info.height }, (_, y) => y).some(
        (y) => (data[(y * info.width + x) * 3] ?? 0) > 230,
      ),
    );
    return [Math.min(...columns) / info.width, Math.max(...columns) / info.width] as const;
  }

  it("begins its lines at the right in Hebrew, at the left in English", async () => {
    const [english, hebrew] = [await inkOf("Well", "ltr"), await inkOf("באר", "rtl")];
    expect(english[0]).toBeCloseTo(0.155, 1);
    expect(english[1]).toBeLessThan(0.7);
    expect(hebrew[1]).toBeCloseTo(1 - 0.155, 1);
    expect(hebrew[0]).toBeGreaterThan(0.3);
  });

  it("puts what is mixed in its right order", async () => {
    const [latin] = glyphsOf(await runsOf("W"));
    const [alef] = glyphsOf(await runsOf("א", "he", "rtl"));
    const shown = async (direction: "ltr" | "rtl") => glyphsOf(await runsOf("א W", "he", direction));
    expect((await shown("rtl")).filter((id) => id === latin || id === alef)).toEqual([latin, alef]);
    expect((await shown("ltr")).filter((id) => id === latin || id === alef)).toEqual([alef, latin]);
    // Numbers run from left to right inside, and brackets turn.
    const number = glyphsOf(await runsOf("12", "he", "ltr"));
    expect(glyphsOf(await runsOf("א 12", "he", "rtl")).slice(0, 2)).toEqual(number);
    const [opening, , closing] = glyphsOf(await runsOf("(א)", "he", "rtl"));
    expect([opening, closing]).toEqual(glyphsOf(await runsOf("()", "he", "ltr")));
  });
});

describe("a placeholder's lines", () => {
  const brokenUp = (text: string, languageCode: string) =>
    piecesOf(text, languageCode).map(({ start, end }) => text.slice(start, end));

  it.each([
    [
      "en",
      "A well-known “deep” well (3.5 m): don’t fall / jump!",
      "A|well-|known|“deep”|well|(3.5|m):|don’t|fall|/|jump!",
    ],
    ["fr", "Le puits : « profond »", "Le|puits|:|«|profond|»"],
    ["fr", "Le puits\u{A0}: «\u{202F}profond\u{202F}»", "Le|puits\u{A0}:|«\u{202F}profond\u{202F}»"],
    ["th", "บ่อน้ำลึกมาก", "บ่อน้ำ|ลึก|มาก"],
    ["bo", "ཁྲོན་པ་གཏིང་ཟབ།", "ཁྲོན་|པ་|གཏིང་|ཟབ།"],
    ["am", "ጥልቅ፡ጉድጓድ።", "ጥልቅ፡|ጉድጓድ።"],
    ["ja", "「深い井戸」の本。", "「深い|井戸」|の|本。"],
    ["ko", "깊은 우물", "깊은|우물"],
    ["fa", "می‌روم، خوب", "می‌روم،|خوب"],
  ])("break between words: %s %s", (languageCode, text, pieces) => {
    expect(brokenUp(text, languageCode).join("|")).toBe(pieces);
  });

  it.each(TITLES)(
    "stay in their box, however long the title is: %s",
    async (languageCode, title, direction) => {
      for (const repeated of [title, `${title} `.repeat(5), title.replaceAll(" ", "").repeat(40)]) {
        const { lines, height, fontSize } = await layOutOf(repeated.slice(0, 500), languageCode, direction);
        expect(lines.length).toBeGreaterThan(0);
        for (const { width } of lines) expect(width).toBeLessThanOrEqual(BOX.width);
        expect(height).toBeLessThanOrEqual(BOX.height);
        expect(fontSize).toBeGreaterThanOrEqual(23.9);
      }
    },
  );

  it("shrink before anything is left out, and end in an ellipsis then", async () => {
    const ellipsis = glyphsOf(await runsOf("…"))[0];
    const [short, longer, tooLong] = await Promise.all(
      [2, 30, 99].map((times) => layOutOf("deep ".repeat(times).trim())),
    );
    expect(short?.fontSize).toBeGreaterThan(longer?.fontSize ?? 0);
    const lastOf = (layout: Layout | undefined) => glyphsOf(layout?.lines.at(-1)?.runs ?? []);
    expect(lastOf(longer)).not.toContain(ellipsis);
    expect(lastOf(tooLong).at(-1)).toBe(ellipsis);
    const [space] = glyphsOf(await runsOf(" "));
    for (const times of [1, 2, 4, 7, 9]) {
      const ended = lastOf(await layOutOf(`${"m".repeat(times)} `.repeat(300).trim()));
      expect([ended.at(-2) === space, ended.at(-1)]).toEqual([false, ellipsis]);
    }
    const arabic = lastOf(await layOutOf("بئر عميقة ".repeat(50).trim(), "ar", "rtl"));
    const [arabicEllipsis] = glyphsOf(await runsOf("…", "ar", "rtl"));
    expect(arabic[0]).toBe(arabicEllipsis);
  });

  it("tear a word only when it is wider than a line at the smallest size, and never inside a grapheme", async () => {
    const word = "Brunnenbohrmeister";
    expect((await layOutOf(word)).lines).toHaveLength(1);
    for (const [grapheme, languageCode] of [
      ["को", "hi"],
      ["கொ", "ta"],
      ["སྒྲུ", "bo"],
    ] as const) {
      const each = glyphsOf(await runsOf(grapheme, languageCode)).length;
      const { lines } = await layOutOf(grapheme.repeat(250), languageCode);
      const counts = lines.map(({ runs }) => glyphsOf(runs).length);
      expect(counts.length).toBeGreaterThan(5);
      expect(counts.map((count, index) => (count - (index === counts.length - 1 ? 1 : 0)) % each)).toEqual(
        counts.map(() => 0),
      );
    }
  });

  it("leave room for what stands above and below letters", async () => {
    const leadingOf = async (title: string, languageCode: string) => {
      const { leading, fontSize } = await layOutOf(title, languageCode);
      return leading / fontSize;
    };
    const latin = await leadingOf("Deep well", "en");
    expect(await leadingOf("སྒྲུབ་ཀྱི་བསྒྲུབས་བསྒྲུབས་བསྒྲུབས", "bo")).toBeGreaterThan(latin * 1.1);
  });
});

describe("a placeholder", () => {
  it("is 2:3 at each width, in each type, and the same bytes each time", async () => {
    for (const width of [160, 320, 640, 1200] as const) {
      const { bytes, ...facts } = await draw("The Deep Well", { width });
      expect(facts).toEqual({ contentType: "image/png", width, height: width * 1.5 });
      expect((await new CoverImages().placeholder({ ...OPTIONS, width })).bytes).toEqual(bytes);
    }
    for (const contentType of ["image/jpeg", "image/webp"] as const) {
      const { bytes } = await draw("The Deep Well", { contentType });
      expect(`image/${(await sharp(bytes).metadata()).format}`).toBe(contentType);
    }
  });

  const OPTIONS: PlaceholderOptions = {
    title: "The Deep Well",
    languageCode: "en",
    direction: "ltr",
    width: 320,
    contentType: "image/png",
  };

  it("has a colour of its title's own, dark enough for the letters on it", async () => {
    const ground = async (title: string) => [
      ...(
        await sharp((await draw(title)).bytes)
          .raw()
          .toBuffer()
      ).subarray(-3),
    ];
    const colours = await Promise.all(["The Deep Well", "Le puits", "Der Brunnen"].map(ground));
    expect(new Set(colours.map(String)).size).toBe(3);
    expect(await ground("Le puits")).toEqual(colours[1]);
    for (const [red = 0, green = 0, blue = 0] of colours)
      expect(Math.max(red, green, blue)).toBeLessThan(105);
  });
});
