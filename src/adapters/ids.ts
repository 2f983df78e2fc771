/** Identifiers: UUIDv7, which sort by the time they were made. */
import { v7 } from "uuid";
import type { Clock } from "./clock.ts";

export type NewId = () => string;

export const idsFrom =
  (clock: Clock): NewId =>
  () =>
    v7({ msecs: clock.now() });
