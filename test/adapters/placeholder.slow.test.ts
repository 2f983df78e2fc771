/** Covers that are drawn from a title: in every script, in its direction, whole or with an ellipsis, and nothing of the system. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import type { PlaceholderOptions } from "../../src/adapters/images/placeholder.ts";
import { createCanvas, PlaceholderFonts } from "../../src/adapters/images/placeholder-fonts.ts";
import { layOutTitle, splitIntoPieces } from "../../src/adapters/images/placeholder-title.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const fonts = new PlaceholderFonts();
const images = new CoverImages();
const BOX = { width: 300, height: 420 };

/** The layout, with how wide each line is in the units of the drawing. */
async function layOutOf(title: string, languageCode = "en", direction: "ltr" | "rtl" = "ltr") {
  const context = createCanvas(1, 1).getContext("2d");
  const layout = await layOutTitle(context, { title, languageCode, direction });
  const widthOf = (text: string) => (context.measureText(text).width * layout.fontSize) / 1000;
  return { ...layout, lines: layout.lines.map((line) => ({ ...line, width: widthOf(line.text) })) };
}

const linesOf = async (...of: Parameters<typeof layOutOf>) =>
  (await layOutOf(...of)).lines.map(({ text }) => text);

const draw = (title: string, options: Partial<PlaceholderOptions> = {}) =>
  images.drawPlaceholder({
    title,
    languageCode: "en",
    direction: "ltr",
    width: 320,
    contentType: "image/png",
    ...options,
  });

/** The pixels of letters: above the rule, in the colour of letters alone, on any ground. */
async function lettersOf(title: string, options: Partial<PlaceholderOptions> = {}): Promise<string> {
  const { bytes } = await draw(title, options);
  const pixels = await sharp(bytes).removeAlpha().toColourspace("b-w").threshold(200).raw().toBuffer();
  return createHash("sha256").update(pixels).digest("hex");
}

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

describe("the letters of a generated cover", () => {
  it.each(TITLES)("are complete: %s %s", async (languageCode, title, direction) => {
    expect((await fonts.findLettering(title, languageCode)).text).toBe(title);
    const blank = await lettersOf("😀", { languageCode, ...(direction && { direction }) });
    expect(await lettersOf(title, { languageCode, ...(direction && { direction }) })).not.toBe(blank);
  });

  it("take the forms that their neighbours require", async () => {
    const widthOf = async (...of: Parameters<typeof layOutOf>) =>
      (await layOutOf(...of)).lines[0]?.width ?? 0;
    const alone = await widthOf("س", "ar", "rtl");
    expect(await widthOf("سس", "ar", "rtl")).toBeLessThan(1.9 * alone);
    const [ka, ssa] = [await widthOf("क", "hi"), await widthOf("ष", "hi")];
    expect(await widthOf("क्ष", "hi")).toBeLessThan(ka + ssa);
  });

  it("are those that readers of the language expect", async () => {
    const drawn = await Promise.all(
      ["zh", "zh-Hant", "ja"].map((languageCode) => lettersOf("骨直", { languageCode })),
    );
    expect(new Set(drawn).size).toBe(3);
  });

  it("without a font are omitted, and the others stay", async () => {
    // Emoji and hieroglyphs, a letter that the index names for a file that lacks it, one that is unassigned.
    for (const missing of ["😀", "𓀀", "\u{A7CB}", "\u{10FFFF}"]) {
      expect(await linesOf(`A${missing}B`)).toEqual(["AB"]);
    }
    expect(await linesOf("😀𓀀")).toEqual([]);
    expect((await draw("😀")).width).toBe(320);
    expect((await draw("\u{200D}\u{FE0F}")).width).toBe(320);
  });
});

describe("the system's fonts", () => {
  const MODULE = new URL("../../src/adapters/images/cover-images.ts", import.meta.url).href;
  const FONTS = new URL("../../src/adapters/images/placeholder-fonts.ts", import.meta.url).href;
  /** A font as a system may have it. */
  const ETHIOPIC = fileURLToPath(
    import.meta.resolve(
      "@fontsource-variable/noto-sans-ethiopic/files/noto-sans-ethiopic-ethiopic-wght-normal.woff2",
    ),
  );
  const CANVAS = import.meta.resolve("@napi-rs/canvas");

  /** What a process of its own prints, with a home folder of its own. */
  const inProcess = (script: string, home: string): string =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      env: { ...process.env, HOME: home, USERPROFILE: home, DISABLE_SYSTEM_FONTS_LOAD: undefined },
      encoding: "utf8",
    });

  const DRAW = `
    import { createHash } from "node:crypto";
    const { CoverImages } = await import(${JSON.stringify(MODULE)});
    const options = { title: "The well ✂ 😀", languageCode: "en", direction: "ltr", width: 320 };
    const { bytes } = await new CoverImages().drawPlaceholder({ ...options, contentType: "image/png" });
    console.log(createHash("sha256").update(bytes).digest("hex"));`;
  const FAMILIES = `
    const { GlobalFonts } = await import(${JSON.stringify(CANVAS)});
    console.log(GlobalFonts.families.map(({ family }) => family).join());`;

  it("change nothing", () => {
    const home = createTempFolder();
    const folder = join(home, ".fonts");
    mkdirSync(folder);
    copyFileSync(ETHIOPIC, join(folder, "font.woff2"));
    if (process.platform === "linux") expect(inProcess(FAMILIES, home)).toContain("Noto Sans Ethiopic");
    expect(inProcess(DRAW, home)).toBe(inProcess(DRAW, createTempFolder()));
    expect(inProcess(`await import(${JSON.stringify(FONTS)}); ${FAMILIES}`, home).trim()).toBe("");
  });
});

describe("the direction of a generated cover", () => {
  /** The columns where letters are, at a width of 640 pixels. */
  async function inkColumns(title: string, direction: "ltr" | "rtl"): Promise<number[]> {
    const options = { direction, languageCode: "he", width: 640 } as const;
    const { data, info } = await sharp((await draw(title, options)).bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return Array.from({ length: info.width }, (_, x) => x).filter((x) =>
      Array.from({ length: info.height }, (_, y) => y).some(
        (y) => (data[(y * info.width + x) * 3] ?? 0) > 230,
      ),
    );
  }

  async function inkOf(title: string, direction: "ltr" | "rtl") {
    const columns = await inkColumns(title, direction);
    return [Math.min(...columns) / 640, Math.max(...columns) / 640] as const;
  }

  /** How wide each letter is, from left to right, in steps of three pixels. */
  async function inkWidths(title: string, direction: "ltr" | "rtl"): Promise<number[]> {
    const columns = await inkColumns(title, direction);
    const starts = columns.filter((x) => !columns.includes(x - 1));
    const ends = columns.filter((x) => !columns.includes(x + 1));
    return starts.map((start, index) => Math.round(((ends[index] ?? start) - start) / 3));
  }

  it("aligns its lines right in Hebrew, left in English", async () => {
    const [english, hebrew] = [await inkOf("Well", "ltr"), await inkOf("באר", "rtl")];
    expect(english[0]).toBeCloseTo(0.155, 1);
    expect(english[1]).toBeLessThan(0.7);
    expect(hebrew[1]).toBeCloseTo(1 - 0.155, 1);
    expect(hebrew[0]).toBeGreaterThan(0.3);
  });

  it("orders mixed text correctly", async () => {
    const [wide = 0, narrow = 0] = await inkWidths("W א", "ltr");
    expect(wide).toBeGreaterThan(1.2 * narrow);
    expect(await inkWidths("א W", "ltr")).toEqual([narrow, wide]);
    expect(await inkWidths("א W", "rtl")).toEqual([wide, narrow]);
    // Numbers run from left to right inside.
    const [one = 0, two = 0] = await inkWidths("12", "ltr");
    expect(one).toBeLessThan(two);
    expect(await inkWidths("א 12", "rtl")).toEqual([one, two, narrow]);
  });
});

describe("the lines of a generated cover", () => {
  const brokenUp = (text: string, languageCode: string) =>
    splitIntoPieces(text, languageCode).map((piece) => piece.text);

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
    "stay in their box, regardless of the title's length: %s",
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

  it("become smaller before anything is omitted, and then end in an ellipsis", async () => {
    const repeated = (times: number) => "deep ".repeat(times).trim();
    const [short, longer] = [await layOutOf(repeated(2)), await layOutOf(repeated(30))];
    expect(short.fontSize).toBeGreaterThan(longer.fontSize);
    expect(longer.lines.map(({ text }) => text).join(" ")).toBe(repeated(30));
    expect((await linesOf(repeated(99))).at(-1)).toMatch(/deep…$|dee…$|de…$|d…$/);
    for (const times of [1, 2, 4, 7, 9]) {
      expect((await linesOf(`${"m".repeat(times)} `.repeat(300).trim())).at(-1)).toMatch(/m…$/);
    }
    expect((await linesOf("بئر عميقة ".repeat(50).trim(), "ar", "rtl")).at(-1)).toMatch(/\p{L}…$/u);
  });

  it("break a word only if it is wider than a line at the smallest size, and never inside a grapheme", async () => {
    expect(await linesOf("Brunnenbohrmeister")).toHaveLength(1);
    for (const [grapheme, languageCode] of [
      ["को", "hi"],
      ["கொ", "ta"],
      ["སྒྲུ", "bo"],
    ] as const) {
      const lines = await linesOf(grapheme.repeat(120), languageCode);
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines) expect(line.replaceAll(grapheme, "")).toMatch(/^…?$/);
    }
  });

  it("leave room for marks above and below letters", async () => {
    const leadingOf = async (title: string, languageCode: string) => {
      const { leading, fontSize } = await layOutOf(title, languageCode);
      return leading / fontSize;
    };
    const latin = await leadingOf("Deep well", "en");
    expect(await leadingOf("སྒྲུབ་ཀྱི་བསྒྲུབས་བསྒྲུབས་བསྒྲུབས", "bo")).toBeGreaterThan(latin * 1.1);
    // Marks that a font moves below others, and letters of a second font, count as well.
    expect(await leadingOf("អណ្តូងជ្រៅណាស់", "km")).toBeGreaterThan(latin * 1.1);
  });
});

describe("a generated cover", () => {
  it("is 2:3 at each width, in each type, and the same bytes each time", async () => {
    for (const width of [160, 320, 640, 1200] as const) {
      const { bytes, ...facts } = await draw("The Deep Well", { width });
      expect(facts).toEqual({ contentType: "image/png", width, height: width * 1.5 });
      expect((await images.drawPlaceholder({ ...OPTIONS, width })).bytes).toEqual(bytes);
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

  it("has a colour derived from its title, dark enough for the letters on it", async () => {
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
