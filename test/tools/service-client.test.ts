import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { uploadForm } from "../../tools/demo/load.ts";
import { ServiceClient } from "../../tools/lib/service-client.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function clientOf(listener: RequestListener): Promise<ServiceClient> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  closing.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return new ServiceClient(`http://127.0.0.1:${address.port}`);
}

const shape = z.object({ id: z.string() });

describe("ServiceClient", () => {
  it("sends its headers with every request and adds to them without changing the original", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.headers);
      response.end('{"id":"1"}');
    });
    expect(await client.with({ cookie: "a=b" }).get("/x", shape)).toEqual({ id: "1" });
    await client.get("/x", shape);
    expect(seen.map(({ cookie }) => cookie)).toEqual(["a=b", undefined]);
    expect(seen[0]?.["user-agent"]).toContain("Firefox");
  });

  it("posts JSON", async () => {
    const client = await clientOf(async (request, response) => {
      expect(request.headers["content-type"]).toBe("application/json");
      const id = `${request.method} ${(await buffer(request)).toString("utf8")}`;
      response.writeHead(201).end(JSON.stringify({ id }));
    });
    expect(await client.post("/x", { name: "中" }, 201, shape)).toEqual({ id: 'POST {"name":"中"}' });
  });

  it("uploads a form whose fields come before the file, with the name in UTF-8", async () => {
    const client = await clientOf(async (request, response) => {
      response.writeHead(201).end(JSON.stringify({ id: (await buffer(request)).toString("utf8") }));
    });
    const file = {
      languageCode: "ar",
      fileType: "epub",
      fileName: "بئر.epub",
      bytes: Buffer.from("PK"),
    } as const;
    const { id: body } = await client.upload("/files", uploadForm(file), shape);
    const places = ['name="languageCode"\r\n\r\nar', 'name="fileType"\r\n\r\nepub', 'filename="بئر.epub"'];
    const order = places.map((place) => body.indexOf(place));
    expect(order.every((place) => place > 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(body).toContain("Content-Type: application/epub+zip\r\n\r\nPK\r\n");
  });

  it("reports the problem document of an unexpected status", async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(409).end('{"code":"slug_taken","detail":"The slug exists."}');
    });
    await expect(client.get("/x", shape)).rejects.toThrow(
      "GET /x answered 409, not 200: slug_taken The slug exists.",
    );
  });

  it("reports the fields with unexpected values", async () => {
    const client = await clientOf((_, response) => response.end('{"id":7}'));
    await expect(client.get("/x", shape)).rejects.toThrow(/GET \/x answered something unexpected:.*at id/s);
    const page = await clientOf((_, response) => response.end("<html>"));
    await expect(page.get("/x", shape)).rejects.toThrow("something unexpected");
  });
});
