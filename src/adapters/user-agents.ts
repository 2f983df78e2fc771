/** Reads the device from a User-Agent header, and whether it belongs to a person or a bot. */

import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { UAParser } from "ua-parser-js";
import type { DeviceType } from "../schemas/analytics.schemas.ts";

export interface Device {
  deviceType: DeviceType;
  browserName: string;
  browserVersion: string;
  osName: string;
  osVersion: string;
  isBot: boolean;
}

/** Longer headers are truncated: the parser's patterns expect what browsers send. */
const MAX_CHARACTERS = 500;
const REMEMBERED = 2000;

/**
 * Programs with which people download, and with which sites and apps submit their forms. isbot classifies most programs
 * that aren't browsers as bots.
 */
const TOOLS_OF_PEOPLE = [
  // HTTP libraries.
  "node",
  "node-fetch",
  "undici",
  "Deno",
  "Bun",
  "got",
  "axios",
  "superagent",
  "node-superagent",
  "ky",
  "okhttp",
  "Java",
  "Java-http-client",
  "Apache-HttpClient",
  "Apache-HttpAsyncClient",
  "Jersey",
  "ReactorNetty",
  "ktor-client",
  "Ktor client",
  "Dart",
  "Dio",
  "CFNetwork",
  "Alamofire",
  "Dalvik",
  "python-requests",
  "Python-urllib",
  "python-httpx",
  "httpx",
  "Python",
  "aiohttp",
  "Go-http-client",
  "go-resty",
  "reqwest",
  "ureq",
  "hyper",
  "RestSharp",
  "lua-resty-http",
  "hackney",
  "libwww-perl",
  "LWP::Simple",
  "lwp-request",
  "HTTP-Tiny",
  "Mojolicious",
  "Ruby",
  "Faraday",
  "rest-client",
  "http.rb",
  "Typhoeus",
  "HTTPClient",
  "PHP",
  "PHP-Curl-Class",
  "Guzzle",
  "GuzzleHttp",
  "Symfony HttpClient",
  "HTTP_Request2",
  // Sites with a server of their own.
  "WordPress",
  "Drupal",
  "TYPO3",
  "Joomla",
  // Command-line tools.
  "curl",
  "Wget",
  "Wget2",
  "aria2",
  "Axel",
  "HTTPie",
  "xh",
  "lftp",
  "PowerShell",
  "Microsoft BITS",
  // Browsers that isbot doesn't know.
  "Dillo",
  "NetSurf",
  // Download managers.
  "AndroidDownloadManager",
  "Free Download Manager",
  "FDM",
  "JDownloader",
  "Internet Download Manager",
  "IDM",
  "1DM",
  "ADM",
  "Advanced Download Manager",
  "uGet",
  "Motrix",
  "XDM",
  "Xtreme Download Manager",
  "Download Master",
  "Download Accelerator",
  "DownloadManager",
  "DownThemAll",
  "AB Download Manager",
  "Neat Download Manager",
  "Ninja Download Manager",
  "Internet Download Accelerator",
  "EagleGet",
  "FlashGet",
  "Folx",
  "GetRight",
  "Gopeed",
  "Leech",
  "Orbit Downloader",
  "Persepolis",
  "Progressive Downloader",
  "ReGet",
  "Thunder",
  "Turbo Download Manager",
  // Players of audio books.
  "VLC",
  "LibVLC",
  "mpv",
  "MPlayer",
  "Lavf",
  "GStreamer",
  "GStreamer souphttpsrc",
  "stagefright",
  "ExoPlayer",
  "ExoPlayerLib",
  "AppleCoreMedia",
  "iTunes",
  "QuickTime",
  "Windows-Media-Player",
  "NSPlayer",
  "WMPlayer",
  "foobar2000",
  "Winamp",
  "WinampMPEG",
  "AIMP",
  "PotPlayer",
  "Kodi",
  "Audacious",
  "Clementine",
  "Strawberry",
  "Rhythmbox",
  "mpg123",
  "Poweramp",
  "Smart AudioBook Player",
  "SmartAudioBookPlayer",
  "Listen Audiobook Player",
  "Sirin",
  "BookPlayer",
  "Audiobookshelf",
  "Prologue",
  "AntennaPod",
  "gPodder",
  "Pocket Casts",
  "Overcast",
  // Reading apps and devices.
  "KOReader",
  "calibre",
  "Moon+ Reader",
  "Librera",
  "ReadEra",
  "FBReader",
  "CoolReader",
  "Thorium",
  "KyBook",
  "Foliate",
  "com.github.johnfactotum.Foliate",
  "Aldiko",
  "Cantook",
  "eBookDroid",
  "Marvin",
  "Lithium",
  "PocketBook",
  "Kobo",
  "Kindle",
];

/** The name must end there: `curlbot` and `Rubycrawler` are bots. */
const TOOL = new RegExp(
  `^(?<name>${TOOLS_OF_PEOPLE.map((name) => RegExp.escape(name)).join("|")})(?=$|[/;]| [(v\\d-])(?:[/ ]v?(?<version>[\\d.]+))?`,
  "i",
);

const DEVICE_TYPES: Readonly<Record<string, DeviceType>> = {
  mobile: "mobile",
  tablet: "tablet",
  smarttv: "tv",
  console: "console",
};
const DESKTOP_SYSTEMS =
  /^(windows|mac os|linux|chromium os|chrome os|[a-z]+bsd|dragonfly|solaris|haiku|ubuntu|debian|fedora|mint|arch|manjaro|gentoo|centos|redhat|(open)?suse|raspbian)/i;

/** Corrections for devices that the parser doesn't recognise or classifies wrongly. */
const MISREAD: readonly (readonly [device: RegExp, type: DeviceType])[] = [
  [/Web0S|NetCast|HbbTV|\bTV\b/, "tv"],
  // E-readers count as tablets; the parser knows the others.
  [/PocketBook/, "tablet"],
  // Many inexpensive phones use it.
  [/Opera Mini|MIDP/, "mobile"],
];

const devices = new LRUCache<string, Device>({ max: REMEMBERED, memoMethod: parseDevice });

/** Reads the device from a User-Agent header; pass an empty text if it is missing. */
export const detectDevice = (userAgent: string): Device => devices.memo(userAgent.slice(0, MAX_CHARACTERS));

function parseDevice(userAgent: string): Device {
  const tool = TOOL.exec(userAgent)?.groups;
  const isBot = isbot(userAgent) && tool === undefined;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  return {
    deviceType: isBot ? "bot" : detectDeviceType(userAgent, device.type, os.name),
    browserName: browser.name ?? tool?.name ?? "",
    browserVersion: browser.version ?? tool?.version ?? "",
    osName: os.name ?? "",
    osVersion: os.version ?? "",
    isBot,
  };
}

/** The parser has no type for desktops. */
function detectDeviceType(
  userAgent: string,
  type: string | undefined,
  system: string | undefined,
): DeviceType {
  const [, misread] = MISREAD.find(([device]) => device.test(userAgent)) ?? [];
  if (misread !== undefined) return misread;
  if (type !== undefined) return DEVICE_TYPES[type] ?? "other";
  return system !== undefined && DESKTOP_SYSTEMS.test(system) ? "desktop" : "other";
}
