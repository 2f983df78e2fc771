// A copy of src/lib/colors.ts, written by `npm run languages`.

/** Colours that can be read: an accent colour is darkened or lightened until its contrast is enough (WCAG 2.2, 1.4.3). */

/** Of text of any size. */
export const READABLE_CONTRAST = 4.5;

/**
 * Of the pages for readers, those with the least contrast: the darkest one of light pages, and the lightest one of dark
 * pages. Text in the colour of the other scheme's background has more contrast.
 */
export const BACKGROUNDS = { light: "#f5f3ee", dark: "#211f1c" };

export const COLOR_PATTERN = /^#[0-9a-f]{6}$/i;

/** Red, green and blue from 0 to 1, proportional to light. */
type Linear = readonly [number, number, number];

/** @param color `#rrggbb`; anything else is black */
function parseColor(color: string): Linear {
  const value = COLOR_PATTERN.test(color) ? Number.parseInt(color.slice(1), 16) : 0;
  return [toLinear(value >> 16), toLinear((value >> 8) & 255), toLinear(value & 255)];
}

const toLinear = (byte: number): number => {
  const part = byte / 255;
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const toByte = (linear: number): number =>
  255 * (linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);

/** @param round towards more contrast */
function formatColor(color: Linear, round: (value: number) => number): string {
  const bytes = color.map((part) => Math.min(255, Math.max(0, round(toByte(part)))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const luminanceOf = ([red, green, blue]: Linear): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** From 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(parseColor(one)), luminanceOf(parseColor(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour, or a darker one of the same hue that can be read on a light background. */
export function darkenFor(background: string, color: string): string {
  if (contrastOf(color, background) >= READABLE_CONTRAST) return color;
  const linear = parseColor(color);
  const most = (luminanceOf(parseColor(background)) + 0.05) / READABLE_CONTRAST - 0.05;
  const factor = Math.max(0, most) / luminanceOf(linear);
  return formatColor(scale(linear, factor), Math.floor);
}

/** The colour, or one with more white that can be read on a dark background. */
export function lightenFor(background: string, color: string): string {
  if (contrastOf(color, background) >= READABLE_CONTRAST) return color;
  const linear = parseColor(color);
  const luminance = luminanceOf(linear);
  const least = (luminanceOf(parseColor(background)) + 0.05) * READABLE_CONTRAST - 0.05;
  const white = Math.min(1, (least - luminance) / (1 - luminance));
  const [red, green, blue] = scale(linear, 1 - white);
  return formatColor([red + white, green + white, blue + white], Math.ceil);
}

/** As the pages for readers show a colour. */
export const readableAccent = (color: string): { light: string; dark: string } => ({
  light: darkenFor(BACKGROUNDS.light, color),
  dark: lightenFor(BACKGROUNDS.dark, color),
});

const scale = ([red, green, blue]: Linear, factor: number): Linear => [
  red * factor,
  green * factor,
  blue * factor,
];
