/** The settings of letters. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { DKIM_KEY, errorsOf, pemOf } from "./support/config-errors.ts";

/** With them, letters would leave without a signature, or with one that counts as none. */
const ODD_KEYS = {
  ed25519: pemOf(generateKeyPairSync("ed25519")),
  short: pemOf(generateKeyPairSync("rsa", { modulusLength: 1016 })),
};

describe("SMTP_URL", () => {
  const mail = {
    SMTP_URL: "smtp://localhost",
    MAIL_FROM: "a@example.org",
    PUBLIC_BASE_URL: "https://a.example",
  };

  it.each<[Record<string, string>, string]>([
    [{ SMTP_URL: "smtp.example.org:25" }, "SMTP_URL: must look like "],
    [{ SMTP_URL: "https://smtp.example.org" }, "SMTP_URL: must look like "],
    [
      { SMTP_URL: "smtp://hunter2@smtp.example.org" },
      "SMTP_URL: must have a user and a password, or neither",
    ],
    [
      { SMTP_URL: "smtp://a:hunter%2@smtp.example.org" },
      "SMTP_URL: must have the signs of user and password",
    ],
    [{ SMTP_URL: "smtp://smtp.example.org/?pool=true" }, "SMTP_URL: must end after host and port"],
    [{ MAIL_FROM: "a@example.org, b@example.org" }, "MAIL_FROM: must be an address such as"],
    [{ MAIL_FROM: "group: a@example.org;" }, "MAIL_FROM: must be an address such as"],
    [{ MAIL_FROM: "" }, "MAIL_FROM: must be set with SMTP_URL"],
    [{ PUBLIC_BASE_URL: "" }, "PUBLIC_BASE_URL: must be set with SMTP_URL"],
    [{ MAIL_REPLY_TO: "editors" }, "MAIL_REPLY_TO: must be an address such as"],
    [{ EMAIL_CONFIRMATION: "yes" }, "EMAIL_CONFIRMATION: "],
    [{ MAIL_PER_HOUR: "0" }, "MAIL_PER_HOUR: "],
    [{ MAIL_DKIM_KEY: "hunter2", MAIL_DKIM_SELECTOR: "a" }, "MAIL_DKIM_KEY: must be a private RSA key"],
    [
      { MAIL_DKIM_KEY: ODD_KEYS.ed25519, MAIL_DKIM_SELECTOR: "a" },
      "MAIL_DKIM_KEY: must be a private RSA key",
    ],
    [{ MAIL_DKIM_KEY: ODD_KEYS.short, MAIL_DKIM_SELECTOR: "a" }, "MAIL_DKIM_KEY: must be a private RSA key"],
    [{ MAIL_DKIM_KEY: DKIM_KEY }, "MAIL_DKIM_SELECTOR: MAIL_DKIM_KEY and MAIL_DKIM_SELECTOR must be set"],
    [{ SMTP_CA: "hunter2" }, "SMTP_CA: must be certificates in PEM"],
    [{ MAIL_DKIM_KEY_FILE: "/nowhere/key", MAIL_DKIM_SELECTOR: "a" }, "MAIL_DKIM_KEY_FILE: can't read"],
  ])("is rejected with %j", (more, message) => {
    const errors = errorsOf({ ...mail, ...more });
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect(errors.join()).not.toContain("hunter");
  });

  it.each([
    { MAIL_FROM: "a@example.org" },
    { MAIL_LINK: "true" },
    { EMAIL_CONFIRMATION: "optional" },
    { EMAIL_CONFIRMATION: "required" },
    { MAIL_REPLY_TO: "a@example.org" },
  ])("is required by %j", (given) => {
    expect(errorsOf(given)).toEqual([`${Object.keys(given)[0]}: requires SMTP_URL`]);
  });

  it.each([
    ["smtp://localhost", 587, true],
    ["smtp://127.0.0.2:25", 25, true],
    ["smtp://[::1]:2525/", 2525, true],
    ["smtps://mail.example.org", 465, false],
    ["smtp://10.0.0.1", 587, false],
  ])("%s", (url, port, isLoopback) => {
    const { mail: read } = readConfig({ ...mail, SMTP_URL: url });
    expect(read?.server).toMatchObject({ port, isLoopback, login: undefined });
  });
});
