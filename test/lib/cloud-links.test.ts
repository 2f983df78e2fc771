/** Which links are accepted when they are saved. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CloudSource, checkCloudUrl, isAllowedHost } from "../../src/lib/cloud-links.ts";

const errorOf = (url: string, source: CloudSource = "url", allowHosts: readonly string[] = []) => {
  const check = checkCloudUrl(url, source, { allowHosts });
  return check.ok ? `accepted as ${check.url}` : check.code;
};

/** Of a path and a query; what other characters mean there is the subject of tests below. */
const characters = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@/?üß井😀"),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`),
    ),
  )
  .map((chosen) => chosen.join(""));
/** fast-check's own for web addresses takes a second before the first one. */
const webAddress = fc
  .tuple(fc.webAuthority({ withPort: true }), characters, fc.option(characters, { nil: undefined }))
  .map(([authority, path, query]) => `https://${authority}/${path}${query === undefined ? "" : `?${query}`}`);

describe("an accepted link", () => {
  it.each([
    ["https://cdn.example.org/books/one.pdf", "https://cdn.example.org/books/one.pdf"],
    ["https://CDN.Example.ORG:443/a b.pdf?x=1#p", "https://cdn.example.org/a%20b.pdf?x=1#p"],
    ["https://bücher.example.org/ü.pdf", "https://xn--bcher-kva.example.org/%C3%BC.pdf"],
    ["HTTPS://example.org", "https://example.org/"],
    ["https://example.org/../../etc/passwd", "https://example.org/etc/passwd"],
    ["https://my_bucket.storage.example.org/a", "https://my_bucket.storage.example.org/a"],
    ["https://@example.org/", "https://example.org/"],
  ])("%s is returned in its normal form", (url, normal) => {
    expect(checkCloudUrl(url, "url")).toEqual({ ok: true, url: normal });
  });

  it("is accepted again in its normal form, unchanged", () => {
    fc.assert(
      fc.property(webAddress, (url) => {
        const check = checkCloudUrl(url, "url");
        if (check.ok) expect(checkCloudUrl(check.url, "url")).toEqual(check);
      }),
    );
  });
});

describe("form", () => {
  it.each(["", " ", "book.pdf", "//example.org/a", "https://", "https://exa mple.org/", "https://a.1/"])(
    "%j isn't a link",
    (url) => expect(errorOf(url)).toBe("url_malformed"),
  );

  it.each([
    ["NUL", "https://example.org/\u0000"],
    ["line break", "https://example.org/a\r\nSet-Cookie: x=1"],
    ["tab inside the scheme", "ht\ttps://example.org/"],
    ["C1 control", "https://example.org/\u0085"],
    ["lone surrogate", "https://example.org/\ud800"],
  ])("a %s isn't ignored", (_name, url) => {
    expect(errorOf(url)).toBe("url_malformed");
  });

  it("is limited in length, as given and as encoded", () => {
    const base = "https://example.org/";
    const filled = (character: string, total: number) =>
      base + character.repeat((total - base.length) / encodeURI(character).length);
    expect(errorOf(filled("a", 2048))).toMatch(/^accepted/);
    expect(errorOf(filled("a", 2049))).toBe("url_too_long");
    expect(errorOf(filled("ü", 2048))).toMatch(/^accepted/);
    expect(errorOf(filled("ü", 2054))).toBe("url_too_long");
    expect(errorOf(`${base}${"a/../".repeat(1000)}`)).toBe("url_too_long"); // though it means the base alone
    expect(checkCloudUrl(filled("a", 5000), "url", { maxLength: 5000 }).ok).toBe(true);
  });

  it("is rejected with a sentence that names the error", () => {
    expect(checkCloudUrl("http://example.org/", "url")).toEqual({
      ok: false,
      code: "url_not_https",
      message: "The link must start with https://.",
    });
  });
});

describe("scheme, user and port", () => {
  it.each(["http:", "ftp:", "ws:", "gopher:", "blob:https:"])("%s is rejected", (scheme) => {
    expect(errorOf(`${scheme}//example.org/a`)).toBe("url_not_https");
  });

  it.each(["file:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "mailto:a@example.org"])(
    "%s is rejected",
    (url) => expect(errorOf(url)).toBe("url_not_https"),
  );

  it.each([
    "https://user@example.org/",
    "https://user:secret@example.org/",
    "https://:secret@example.org/",
    "https://drive.google.com@127.0.0.1/",
    "https://drive.google.com%2f@example.org/",
  ])("%s is rejected for its user", (url) => {
    expect(errorOf(url)).toBe("url_with_credentials");
  });

  it.each(["80", "8443", "22", "0", "65535"])("port %s is rejected", (port) => {
    expect(errorOf(`https://example.org:${port}/`)).toBe("url_port_not_allowed");
  });
});

describe("host", () => {
  it.each([
    ["loopback", "127.0.0.1"],
    ["short", "127.1"],
    ["decimal", "2130706433"],
    ["hexadecimal", "0x7f000001"],
    ["hexadecimal parts", "0x7f.0.0.0x1"],
    ["octal", "0177.0.0.1"],
    ["full-width", "１２７.0.0.1"],
    ["encoded", "%31%32%37.0.0.1"],
    ["with a trailing dot", "127.0.0.1."],
    ["any", "0"],
    ["metadata", "169.254.169.254"],
    ["private", "10.1.2.3"],
    ["a public address too", "8.8.8.8"],
    ["IPv6 loopback", "[::1]"],
    ["mapped", "[::ffff:127.0.0.1]"],
    ["mapped in hexadecimal", "[::ffff:7f00:1]"],
    ["NAT64", "[64:ff9b::127.0.0.1]"],
    ["public IPv6 too", "[2606:4700:4700::1111]"],
  ])("an address is rejected: %s", (_name, host) => {
    expect(errorOf(`https://${host}/book.pdf`)).toBe("url_host_not_public");
  });

  it.each([
    "localhost",
    "LOCALHOST",
    "ⓛocalhost",
    "localhost.",
    "a.localhost",
    "intranet",
    "printer",
    "printer.local",
    "db.internal",
    "metadata.google.internal",
    "router.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "nas.lan",
    "files.corp",
    "wiki.intranet",
    "host.localdomain",
    "x.test",
    "x.invalid",
    "x.onion",
    "x.alt",
    "example.org.",
    "a..example.org",
    `${"a.".repeat(125)}example.org`,
  ])("%s isn't a public name", (host) => {
    expect(errorOf(`https://${host}/book.pdf`)).toBe("url_host_not_public");
  });

  it.each([
    "https://example.org\\@127.0.0.1/",
    "https://example.org#@127.0.0.1/",
    "https://example.org?@127.0.0.1/",
  ])("%s names example.org, as the fetch will resolve it", (url) =>
    expect(errorOf(url)).toMatch(/^accepted as https:\/\/example\.org\//),
  );
});

describe("provider", () => {
  it.each<[CloudSource, string]>([
    ["google_drive", "https://drive.google.com/file/d/1A/view"],
    ["google_drive", "https://docs.google.com/document/d/1A/edit"],
    ["google_drive", "https://drive.usercontent.google.com/download?id=1A"],
    ["dropbox", "https://www.dropbox.com/s/a/b.pdf?dl=0"],
    ["dropbox", "https://dropbox.com/s/a/b.pdf"],
    ["dropbox", "https://dl.dropboxusercontent.com/s/a/b.pdf"],
    ["onedrive", "https://1drv.ms/b/s!Abc"],
    ["onedrive", "https://onedrive.live.com/redir?resid=1"],
    ["onedrive", "https://org-my.sharepoint.com/:b:/g/personal/u/T"],
  ])("%s accepts %s", (source, url) => {
    expect(errorOf(url, source)).toBe(`accepted as ${url}`);
    expect(errorOf(url, "url")).toBe(`accepted as ${url}`);
  });

  it.each<[CloudSource, string]>([
    ["google_drive", "https://drive.google.com.evil.org/file/d/1A"],
    ["google_drive", "https://evil-drive.google.com/file/d/1A"],
    ["google_drive", "https://sites.google.com/a"],
    ["dropbox", "https://notdropbox.com/s/a"],
    ["dropbox", "https://dropbox.com.evil.org/s/a"],
    ["onedrive", "https://sharepoint.com.evil.org/a"],
    ["onedrive", "https://evilsharepoint.com/a"],
    ["onedrive", "https://evil.1drv.ms/a"],
  ])("%s rejects %s", (source, url) => {
    expect(errorOf(url, source)).toBe("url_of_another_provider");
  });
});

describe("allow list", () => {
  const allowHosts = ["127.0.0.1:9000", "storage.internal:443", "[fd00::1]:9000", "Minio.Example.ORG:80"];

  it.each([
    "http://127.0.0.1:9000/book.pdf",
    "https://127.0.0.1:9000/book.pdf",
    "https://storage.internal/book.pdf",
    "http://[fd00::1]:9000/book.pdf",
    "http://minio.example.org/book.pdf",
  ])("%s is accepted for every source", (url) => {
    for (const source of ["url", "google_drive", "dropbox", "onedrive"] as const) {
      expect(errorOf(url, source, allowHosts)).toBe(`accepted as ${url}`);
      expect(errorOf(url, source)).toMatch(/^url_/);
    }
  });

  it.each([
    ["another port", "http://127.0.0.1:9001/", "url_not_https"],
    ["no port", "https://127.0.0.1/", "url_host_not_public"],
    ["another scheme's port", "http://storage.internal/", "url_not_https"],
    ["a host below", "https://a.storage.internal/", "url_host_not_public"],
    ["a host that begins alike", "http://127.0.0.1.evil.org:9000/", "url_not_https"],
    ["a scheme that isn't the web's", "ftp://127.0.0.1:9000/", "url_not_https"],
    ["a user", "http://user@127.0.0.1:9000/", "url_with_credentials"],
    ["a control character", "http://127.0.0.1:9000/\n", "url_malformed"],
  ])("doesn't cover %s", (_name, url, error) => {
    expect(errorOf(url, "url", allowHosts)).toBe(error);
  });

  it("requires host and port: a host alone matches nothing", () => {
    expect(isAllowedHost(new URL("https://storage.internal/"), ["storage.internal", ":443", ""])).toBe(false);
    expect(isAllowedHost(new URL("https://storage.internal/"), ["storage.internal:443"])).toBe(true);
  });
});
