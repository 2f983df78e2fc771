/** What a User-Agent header says of the device, and whether a person is behind it. */
import { isbot } from "isbot";
import { UAParser } from "ua-parser-js";
import { Lru } from "../lib/lru.ts";
import type { DeviceType } from "../schemas/analytics.schemas.ts";

export interface Device {
  deviceType: DeviceType;
  browserName: string;
  browserVersion: string;
  osName: string;
  osVersion: string;
  isBot: boolean;
}

/** Longer headers are cut: the parser's patterns are meant for what browsers send. */
const MAX_CHARACTERS = 500;
const REMEMBERED = 2000;

/** Tools with which people download; isbot counts them among the bots. */
const DOWNLOAD_TOOL = /^(?<name>curl|wget2?|aria2|httpie)(?:\/(?<version>[\d.]*)|\s|$)/i;

const DEVICE_TYPES: Readonly<Record<string, DeviceType>> = {
  mobile: "mobile",
  tablet: "tablet",
  smarttv: "tv",
  console: "console",
};
const DESKTOP_SYSTEMS =
  /^(windows|mac os|linux|chromium os|chrome os|[a-z]+bsd|dragonfly|solaris|haiku|ubuntu|debian|fedora|mint|arch|manjaro|gentoo|centos|redhat|(open)?suse|raspbian)/i;

/** Where the parser sees no type, or the wrong one, by what those devices say of themselves. */
const MISREAD: readonly (readonly [device: RegExp, type: DeviceType])[] = [
  [/Web0S|NetCast|HbbTV|\bTV\b/, "tv"],
  // E-readers are held like tablets and read like them; the parser knows the others.
  [/PocketBook/, "tablet"],
  // Half of the world's cheap telephones read the web through it.
  [/Opera Mini|MIDP/, "mobile"],
];

export class UserAgents {
  readonly #known = new Lru<Device>({ maxWeight: REMEMBERED, weigh: () => 1 });

  /** Reads the device from a User-Agent header; an absent one is an empty text. */
  deviceOf(userAgent: string): Device {
    const header = userAgent.slice(0, MAX_CHARACTERS);
    const known = this.#known.get(header);
    if (known) return known;
    const device = parseDevice(header);
    this.#known.set(header, device);
    return device;
  }
}

function parseDevice(userAgent: string): Device {
  const tool = DOWNLOAD_TOOL.exec(userAgent)?.groups;
  const isBot = isbot(userAgent) && tool === undefined;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  return {
    deviceType: isBot ? "bot" : deviceTypeOf(userAgent, device.type, os.name),
    browserName: browser.name ?? tool?.name ?? "",
    browserVersion: browser.version ?? tool?.version ?? "",
    osName: os.name ?? "",
    osVersion: os.version ?? "",
    isBot,
  };
}

/** The parser names no type for desktops. */
function deviceTypeOf(userAgent: string, type: string | undefined, system: string | undefined): DeviceType {
  const [, misread] = MISREAD.find(([device]) => device.test(userAgent)) ?? [];
  if (misread !== undefined) return misread;
  if (type !== undefined) return DEVICE_TYPES[type] ?? "other";
  return system !== undefined && DESKTOP_SYSTEMS.test(system) ? "desktop" : "other";
}
