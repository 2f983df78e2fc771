/** The part of topojson-client that the build uses; its results are parsed. */
declare module "topojson-client" {
  export function feature(topology: unknown, object: unknown): unknown;
}
