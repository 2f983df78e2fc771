/** Sends files, and reports what of them was sent. */
import { createSilence, LONG_WORK_MS, Problem, SILENCE_MS } from "./client.ts";

/**
 * For bodies that the document describes in words only.
 * @param version the only one of a record that is changed; any other is a 412
 * @returns the body of the response
 * @throws Problem
 */
export const sendJson = (method: string, path: string, value: unknown, version?: string): Promise<unknown> =>
  sendForm(
    method,
    path,
    new Blob([JSON.stringify(value)], { type: "application/json" }),
    () => undefined,
    version,
  );

/**
 * By XMLHttpRequest, because fetch doesn't report what was sent.
 * @param report gets the part that was sent, 0 to 1
 * @param version the only one of a record that is changed; any other is a 412
 * @returns the body of the response, if it is JSON
 * @throws Problem
 */
export function sendForm(
  method: string,
  path: string,
  form: FormData | Blob,
  report: (part: number) => void,
  version?: string,
): Promise<unknown> {
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const limit = createLimit(() => request.abort());
  limit.start(SILENCE_MS);
  request.open(method, path);
  if (version !== undefined) request.setRequestHeader("If-Match", `"${version}"`);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    limit.start(SILENCE_MS);
    report(total > 0 ? loaded / total : 0);
  });
  // Now the service examines and stores it.
  request.upload.addEventListener("load", () => limit.start(LONG_WORK_MS));
  request.addEventListener("loadend", limit.end);
  request.addEventListener("abort", () => reject(createSilence()));
  request.addEventListener("error", () => reject(new Problem(0, {})));
  request.addEventListener("load", () => {
    const { status } = request;
    const body = parseJson(request.responseText);
    if (status < 400) return resolve(body);
    reject(new Problem(status, body, (name) => request.getResponseHeader(name)));
  });
  request.send(form);
  return promise;
}

/** Calls back unless it is started again or ended in time. */
function createLimit(callBack: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const start = (ms: number) => {
    end();
    timer = setTimeout(callBack, ms);
  };
  return { start, end };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
