/** The countries of the world as SVG paths by ISO code, made from Natural Earth's shapes when the console is built. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { feature } from "topojson-client";
import type { Plugin } from "vite";
import { z } from "zod";

const NAME = "virtual:world-map";
/** Of the picture, in whole units: about the pixels in which it is shown. */
const WIDTH = 720;

const ring = z.array(z.tuple([z.number(), z.number()]));
const geometry = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Polygon"), coordinates: z.array(ring) }),
  z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(ring)) }),
]);
const collection = z.object({
  features: z.array(
    z.object({ id: z.string().optional(), properties: z.object({ name: z.string() }), geometry }),
  ),
});
const topology = z.looseObject({ objects: z.looseObject({ countries: z.unknown() }) });

export function serveWorldMap(): Plugin {
  return {
    name: "world-map",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: async (id) =>
      id === `\0${NAME}` ? `export default ${JSON.stringify(await drawWorld())};` : undefined,
  };
}

async function drawWorld() {
  const path = createRequire(import.meta.url).resolve("world-atlas/countries-110m.json");
  const shapes = topology.parse(JSON.parse(await readFile(path, "utf8")));
  const { features } = collection.parse(feature(shapes, shapes.objects.countries));
  const countries = features
    // It has no readers, and would take a quarter of the picture.
    .filter(({ id }) => id !== "010")
    .map(({ id, properties, geometry: { type, coordinates } }) => ({
      code: findCode(id, properties.name),
      rings: (type === "Polygon" ? coordinates : coordinates.flat()).map(placeRing),
    }));
  const places = countries.flatMap(({ rings }) => rings.flat());
  const [left, right] = findEnds(places.map(([x]) => x));
  const [top, bottom] = findEnds(places.map(([, y]) => y));
  return {
    viewBox: [left, top, right - left, bottom - top].join(" "),
    countries: countries.map(({ code, rings }) => ({ code, path: rings.map(drawRing).join("") })),
  };
}

const findEnds = (values: readonly number[]) =>
  values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [0, 0] as const);

/** The ISO 3166 code of two letters; empty for an area that has none. @param id of three digits */
function findCode(id: string | undefined, name: string): string {
  if (name === "Kosovo") return "XK";
  const [tag = ""] = id === undefined ? [] : Intl.getCanonicalLocales(`und-${id}`);
  return /^und-([A-Z]{2})$/.exec(tag)?.[1] ?? "";
}

const A = [1.340264, -0.081106, 0.000893, 0.003796] as const;
const HALF_ROOT_3 = Math.sqrt(3) / 2;

/** Equal Earth: areas keep their sizes. @returns 0 at the centre, the width of the world is 2 × 2.70663 */
function project([longitude, latitude]: readonly [number, number]): readonly [number, number] {
  const angle = Math.asin(HALF_ROOT_3 * Math.sin((latitude * Math.PI) / 180));
  const [square, sixth] = [angle ** 2, angle ** 6];
  const slope = A[0] + 3 * A[1] * square + sixth * (7 * A[2] + 9 * A[3] * square);
  const x = ((longitude * Math.PI) / 180 / HALF_ROOT_3) * (Math.cos(angle) / slope);
  return [x, angle * (A[0] + A[1] * square + sixth * (A[2] + A[3] * square))];
}

const SCALE = WIDTH / (2 * 2.70663);

/** A ring that crosses 180° goes on beyond it, instead of around the world. */
function placeRing(points: z.output<typeof ring>): [number, number][] {
  let before = points[0]?.[0] ?? 0;
  return points.map(([longitude, latitude]) => {
    const unwound = longitude - 360 * Math.round((longitude - before) / 360);
    before = unwound;
    const [x, y] = project([unwound, latitude]);
    return [Math.round(x * SCALE), Math.round(-y * SCALE)];
  });
}

/** From each place to the next: small numbers that repeat are half the size when they are compressed. */
function drawRing(places: readonly (readonly [number, number])[]): string {
  const [start = [0, 0], ...others] = places.filter(
    ([x, y], index) => x !== places[index - 1]?.[0] || y !== places[index - 1]?.[1],
  );
  // An island that is a point or a line in this picture.
  if (others.length < 3) return "";
  let [atX, atY] = start;
  const steps = others.map(([x, y]): [number, number] => {
    const step: [number, number] = [x - atX, y - atY];
    [atX, atY] = [x, y];
    return step;
  });
  // The last step goes back to the start, as `z` does.
  const line = joinStraightSteps(steps.slice(0, -1)).map((step) => step.join(","));
  return `M${start.join(",")}l${line.join(" ").replaceAll(/[, ]-/g, "-")}z`;
}

/** Those in the same direction are one: the same line in fewer bytes. */
function joinStraightSteps(steps: readonly [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [x, y] of steps) {
    const last = joined.at(-1);
    const isStraight = last && last[0] * y === last[1] * x && last[0] * x + last[1] * y > 0;
    if (isStraight) joined[joined.length - 1] = [last[0] + x, last[1] + y];
    else joined.push([x, y]);
  }
  return joined;
}
