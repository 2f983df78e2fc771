/** Made by `console/world-map.ts` at the build. */
declare module "virtual:world-map" {
  const world: {
    viewBox: string;
    /** `code` is the ISO 3166 code of two letters; empty for an area that has none. */
    countries: { code: string; path: string }[];
  };
  export default world;
}
