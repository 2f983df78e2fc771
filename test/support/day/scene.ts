/** What reports are held against: the plain list of what the readers of a day did. */
import { expect } from "vitest";
import type { Client } from "../client.ts";
import type { DayCatalogue } from "./catalogue.ts";
import type { Deed } from "./replay.ts";

export interface DayScene {
  admin: Client;
  catalogue: DayCatalogue;
  deeds: readonly Deed[];
}

/** The same without bots or with them, and what a query says to get it. */
export interface CountedScene extends DayScene {
  bots: string;
}

export const countedScenes = (scene: DayScene): CountedScene[] => [
  { ...scene, bots: "includeBots=false", deeds: scene.deeds.filter(({ seat }) => seat.deviceType !== "bot") },
  { ...scene, bots: "includeBots=true" },
];

export async function bodyOf(admin: Client, path: string) {
  const response = await admin.get(path);
  expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBe(200);
  return response.body;
}
