/** The measured process for a thumbnail: Express' own sender, alone and behind the middlewares that every answer of the service passes. */
import cookieParser from "cookie-parser";
import express, { type RequestHandler } from "express";
import helmet from "helmet";
import { z } from "zod";
import { createLogger } from "../../src/adapters/logger.ts";
import { Traffic } from "../../src/http/metrics.ts";
import { requestLog } from "../../src/http/requests/request-log.ts";
import { Metrics } from "../../src/lib/metrics.ts";
import { listen } from "./listen.ts";
import { reportFacts } from "./measured-process.ts";

export const THUMBNAIL_PROCESS = import.meta.filename;

export const thumbnailFacts = z.object({ port: z.int() });

async function serve(path: string): Promise<void> {
  const send: RequestHandler = (_req, res) => res.sendFile(path);
  const app = express();
  app.get("/alone", send);
  const log = createLogger("info", { pretty: false });
  app.use(
    requestLog({ log, newId: () => crypto.randomUUID(), addressStorage: "full" }, new Traffic(new Metrics())),
  );
  app.use(helmet());
  app.use(cookieParser());
  app.get("/behind", send);
  reportFacts({ port: await listen(app) });
}

if (import.meta.main) await serve(process.argv[2] ?? "");
