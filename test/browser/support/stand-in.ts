/**
 * A server in the place of the service: the built console, as the service sends it, and the responses that a test gives.
 * An operation for which a test gives none responds with its example in the document. Requests and responses must have
 * the documented shape.
 */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import express, { type Request, type Response } from "express";
import { type ConsoleBuild, readConsoleBuild } from "../../../src/adapters/console-files.ts";
import { AppError, notFound } from "../../../src/errors.ts";
import { createConsole } from "../../../src/http/console.ts";
import { createProblemDocument } from "../../../src/http/responses/problem.ts";
import type { Route } from "../../../src/http/route.ts";
import { addressOf, listen } from "../../../tools/lib/listening.ts";
import {
  type AssertShape,
  findRequestShape,
  findRoute,
  findSuccess,
  type SuccessOf,
} from "../../support/document-check.ts";
import type { BodyOf, OperationName, RequestOf } from "./operations.ts";

/** A request for which a test gives the response. */
export interface Received<Name extends OperationName> {
  /** The values in the path, in their order. */
  params: readonly string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: RequestOf<Name>;
}

/** In place of a response, the connection breaks. */
export const LOST = Symbol("lost");

type Given<Name extends OperationName> = BodyOf<Name> | typeof LOST;

/** @returns the body of a successful response. @throws AppError of the service, for any other one */
type Respond<Name extends OperationName> = (request: Received<Name>) => Given<Name> | Promise<Given<Name>>;

type Success<Name extends OperationName> = SuccessOf<BodyOf<Name>>;

type Serve = (request: Request, params: readonly string[]) => Promise<{ status: number; body: unknown }>;

let reading: Promise<ConsoleBuild> | undefined;
const readBuild = () => {
  reading ??= readConsoleBuild();
  return reading;
};

export class StandIn {
  /** The address of the console. */
  base = "";
  /** What was wrong with requests and responses: a test with one fails. */
  readonly errors: string[] = [];
  readonly #given = new Map<string, Serve>();
  /** What operations of the administration respond with while there is no session. */
  refusal: AppError | undefined;
  /** By operations whose requests wait. */
  readonly #held = new Map<string, () => Promise<void>>();
  /** Whether responses to changes arrive; not the next one, or none. */
  #line: "up" | "breaking" | "down" = "up";
  readonly #server = createServer(this.#createApp());

  async start(): Promise<void> {
    await listen(this.#server);
    this.base = `${addressOf(this.#server)}/console/`;
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A copy of the documented response, for example to change a part of it. */
  example<Name extends OperationName>(name: Name): BodyOf<Name> {
    const success: Success<Name> = findSuccess(routeOf(name));
    const copy: unknown = structuredClone(success.example);
    success.assertBody(copy);
    return copy;
  }

  /**
   * Gives the responses of an operation from now on.
   * @param check throws what the service responds to a body that people can type, and that hasn't the documented shape
   */
  on<Name extends OperationName>(
    name: Name,
    respond: Respond<Name>,
    check: (sent: unknown) => void = () => undefined,
  ): void {
    const route = routeOf(name);
    const assertRequest: AssertShape<RequestOf<Name>> = findRequestShape(route);
    const success: Success<Name> = findSuccess(route);
    this.#given.set(route.id, async (req, params) => {
      const sent: unknown = req.body;
      check(sent);
      assertRequest(sent);
      const query = new URLSearchParams(req.url.split("?")[1]);
      const body = await respond({ params, query, headers: req.headers, body: sent });
      if (body === LOST) req.socket.destroy();
      else success.assertBody(body);
      return { status: success.status, body };
    });
  }

  /**
   * Makes the next change, and breaks the connection in place of its response; then at each change, because a browser sends
   * again what it has sent over a connection that it had used before. @returns a function that mends the line
   */
  loseChange(): () => void {
    this.#line = "breaking";
    return () => {
      this.#line = "up";
    };
  }

  /**
   * Lets the requests of an operation wait.
   * @returns a function that waits until one does, and one that lets them all go on
   */
  hold(name: OperationName): { untilHeld(): Promise<void>; release(): void } {
    const isHeld = Promise.withResolvers<void>();
    const isReleased = Promise.withResolvers<void>();
    this.#held.set(routeOf(name).id, () => {
      isHeld.resolve();
      return isReleased.promise;
    });
    return { untilHeld: () => isHeld.promise, release: isReleased.resolve };
  }

  #createApp() {
    const app = express();
    app.use(createConsole({ host: undefined, readBuild }));
    app.use(express.json());
    app.use((req, res) => this.#respond(req, res));
    return app;
  }

  async #respond(req: Request, res: Response): Promise<void> {
    const route = findRoute(req.method.toLowerCase(), req.path);
    try {
      if (route === undefined) throw new Error(`${req.method} ${req.path} is no operation`);
      if (this.refusal && route.path.startsWith("/api/admin/")) throw this.refusal;
      await this.#held.get(route.id)?.();
      const isLost = req.method !== "GET" && this.#line !== "up";
      if (isLost && this.#line === "down") return void req.socket.destroy();
      const serve = this.#given.get(route.id) ?? serveExample(route);
      const { status, body } = await serve(req, readParameters(route, req.path));
      if (body === LOST) return;
      if (isLost) {
        this.#line = "down";
        return void req.socket.destroy();
      }
      if (body === undefined) res.status(status).end();
      else res.status(status).json(body);
    } catch (error) {
      this.#sendProblem(error, req, res);
    }
  }

  #sendProblem(thrown: unknown, req: Request, res: Response): void {
    if (!(thrown instanceof AppError)) this.errors.push(`${req.method} ${req.path}: ${thrown}`);
    const error = thrown instanceof AppError ? thrown : new AppError(500, "server_error", String(thrown));
    res.status(error.status).set(error.headers).type("application/problem+json");
    res.send(JSON.stringify(createProblemDocument(error, req.path, "stand-in")));
  }
}

function routeOf(name: OperationName): Route {
  const [method = "", path = ""] = name.split(" ");
  const route = findRoute(method, path);
  assert.ok(route, `${name} is no operation`);
  return route;
}

/** What isn't JSON, such as a cover, there is none of. */
const serveExample = (route: Route): Serve => {
  const { status, example } = findSuccess(route);
  if (example === undefined && status !== 204)
    return () => Promise.reject(notFound("not_found", "There is no such file."));
  return async () => ({ status, body: example });
};

function readParameters({ path }: Route, requested: string): string[] {
  const parts = requested.split("/");
  return path.split("/").flatMap((part, index) => (part.startsWith("{") ? [parts[index] ?? ""] : []));
}
