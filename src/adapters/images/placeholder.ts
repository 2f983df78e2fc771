/** Draws placeholder covers. Imported with canvas and sharp, when the first one is drawn. */
import { createHash } from "node:crypto";
import type { SKRSContext2D } from "@napi-rs/canvas";
import { createYielder } from "../../lib/event-loop.ts";
import type { CoverContentType, CoverWidth } from "../../schemas/covers.schemas.ts";
import { createFromRgba, encodePicture, type Picture } from "./pictures.ts";
import { createCanvas } from "./placeholder-fonts.ts";
import { drawNow, EM, type Layout, layOutTitle, TITLE_BOX, type Title } from "./placeholder-title.ts";

export interface PlaceholderOptions extends Title {
  width: CoverWidth;
  contentType: CoverContentType;
}

/** The size of the drawing in its own units: 2:3, as most covers. */
const WIDTH = 400;
const HEIGHT = 600;
const SPINE = 20;
const MARGIN = (WIDTH - SPINE - TITLE_BOX.width) / 2;
const TITLE_TOP = 64;
const RULE = { width: 56, height: 3, gap: 34 };

export async function drawPlaceholder(options: PlaceholderOptions): Promise<Picture> {
  const { width, contentType, direction } = options;
  const size = { width, height: (width * HEIGHT) / WIDTH };
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  context.scale(width / WIDTH, width / WIDTH);
  const layout = await layOutTitle(context, options);
  await drawCover(context, { layout, direction, hue: computeHue(options.title) });
  return encodePicture(createFromRgba(canvas.data(), size).removeAlpha(), contentType, "sending");
}

const computeHue = (title: string): number =>
  createHash("sha256").update(title).digest().readUInt16BE() % 360;

interface Cover {
  layout: Layout;
  direction: "ltr" | "rtl";
  hue: number;
}

async function drawCover(context: SKRSContext2D, { layout, direction, hue }: Cover): Promise<void> {
  const pause = createYielder();
  const fill = (colour: string, x: number, y: number, width: number, height: number): void => {
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  };
  const isRtl = direction === "rtl";
  // The spine is on the side where readers of the script begin.
  const left = isRtl ? MARGIN : SPINE + MARGIN;
  const start = isRtl ? left + TITLE_BOX.width : left;
  fill(`hsl(${hue}, 30%, 31%)`, 0, 0, WIDTH, HEIGHT);
  fill(`hsl(${hue}, 34%, 24%)`, isRtl ? WIDTH - SPINE : 0, 0, SPINE, HEIGHT);
  const ruleTop = TITLE_TOP + layout.height + RULE.gap;
  fill(`hsl(${hue}, 42%, 68%)`, isRtl ? start - RULE.width : start, ruleTop, RULE.width, RULE.height);
  context.fillStyle = "#faf6ee";
  context.textAlign = isRtl ? "right" : "left";
  for (const { text, y } of layout.lines) {
    context.save();
    context.translate(start, TITLE_TOP + y);
    context.scale(layout.fontSize / EM, layout.fontSize / EM);
    context.fillText(text, 0, 0);
    context.restore();
    drawNow(context);
    await pause();
  }
}
