/** The answer to a request whose body nobody reads to its end. */
import type { Request, Response } from "express";
import { systemLater } from "../adapters/timer.ts";
import { hasBody } from "./body.ts";

const UNAUTHENTICATED = 401;
/** Who is still sending after it has had the answer for so long is cut off. */
const LINGER_MS = 2000;

export const isStillSending = (req: Request): boolean => hasBody(req) && !req.complete;

/**
 * Sends the whole answer at once, and ends the connection when the caller has stopped sending: one that is closed with
 * unread bytes is reset by the system, and a caller that meets the reset while sending may never see the answer (RFC
 * 9112, 9.6). What still comes is thrown away. Nobody waits for strangers.
 */
export function answerWhileSending(req: Request, res: Response, bytes: Buffer): void {
  res.setHeader("Connection", "close");
  if (res.statusCode === UNAUTHENTICATED) {
    res.once("finish", () => req.resume());
    res.end(bytes);
    return;
  }
  const end = () => {
    cancel();
    res.end();
  };
  const cancel = systemLater(LINGER_MS, end);
  res.write(bytes);
  req.once("close", end);
  if (req.headers["transfer-encoding"] === undefined) req.resume();
  else discard(req);
}

/**
 * Takes the rest of a connection's bytes without parsing them: a mebibyte in chunks of one byte each would hold the event
 * loop for 200 ms.
 */
function discard({ socket }: Request): void {
  socket.removeAllListeners("data").on("data", () => {});
}
