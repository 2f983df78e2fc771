/** The forms of the library, and the pages after them. */
import type { Clock } from "../../adapters/system.ts";
import { AppError, type FieldError } from "../../errors.ts";
import { isoTime, MINUTE } from "../../lib/time.ts";
import { renderBookPage } from "../../library/book-page.ts";
import { bookPath, listPath } from "../../library/frame.ts";
import { renderWholePage } from "../../library/other-pages.ts";
import { renderExpiredPage, renderReadyPage, renderWithheldPage } from "../../library/ready-page.ts";
import { CONTACT_FIELDS, type FieldName, type RequestForm } from "../../library/request-form.ts";
import { submitAllForm, submitForm } from "../../schemas/download-requests.schemas.ts";
import { parse } from "../../schemas/parse.ts";
import type { DeliveriesService, LinkPreview } from "../downloads/deliveries.service.ts";
import type { DownloadsService } from "../downloads/downloads.service.ts";
import type { Client } from "../shared/actor.ts";
import { Service } from "../shared/service.ts";
import { isPlace, type LibraryPages } from "./library-pages.service.ts";
import type { LibraryPlaces, Missed, PageReply, Place, Visit } from "./library-places.ts";

type Fields = Readonly<Record<string, string>>;

/** The form was right: the path of the next page, relative to `/`. */
interface Ready {
  kind: "ready";
  path: string;
}

export type SubmitReply = Ready | PageReply<400> | Missed;
export type ReadyReply = PageReply<200 | 404 | 410> | Missed;

interface LibraryRequestsDeps {
  places: LibraryPlaces;
  pages: LibraryPages;
  downloads: DownloadsService;
  deliveries: DeliveriesService;
  clock: Clock;
}

export class LibraryRequests extends Service<LibraryRequestsDeps> {
  async submitBook(
    { code, slug }: { code: string; slug: string },
    typed: Fields,
    { visit, client }: { visit: Visit; client: Client },
  ): Promise<SubmitReply> {
    const { places, pages, downloads } = this.deps;
    const place = await places.find(code, `/books/${encodeURIComponent(slug)}`, visit);
    if (!isPlace(place)) return place;
    const page = await pages.findBook(place, slug);
    if (!page) return pages.missBook(place, slug);
    const asked = pickAsked(typed, page.form);
    const fields = { ...asked, bookId: undefined, slug, languageCode: place.language.code };
    const parsed = parse(submitForm, fields, "body");
    const invalid = listInvalid(parsed.ok ? [] : parsed.errors, typed, page.form);
    const refuse = async (names: ReadonlySet<FieldName>) =>
      places.replyOnce(
        place,
        400,
        renderBookPage(await places.frame(place), { ...page, form: { ...page.form, typed, invalid: names } }),
      );
    if (!parsed.ok || invalid.size > 0) return refuse(invalid);
    try {
      const { downloadUrl } = await downloads.submit(parsed.value, visit.campaign, client);
      return readyAt(bookPath(place.language.code, slug), downloadUrl);
    } catch (error) {
      if (!isAboutFormat(error)) throw error;
      return refuse(new Set(["fileType"]));
    }
  }

  async submitWhole(
    code: string,
    typed: Fields,
    { visit, client }: { visit: Visit; client: Client },
  ): Promise<SubmitReply> {
    const { places, pages, downloads } = this.deps;
    const place = await places.find(code, "/all", visit);
    if (!isPlace(place)) return place;
    const page = await pages.findWhole(place);
    if (!page) return pages.missPage(place);
    const asked = pickAsked(typed, page.form);
    const parsed = parse(submitAllForm, { ...asked, languageCode: place.language.code }, "body");
    const invalid = listInvalid(parsed.ok ? [] : parsed.errors, typed, page.form);
    if (!parsed.ok || invalid.size > 0) {
      const form = { ...page.form, typed, invalid };
      return places.replyOnce(place, 400, renderWholePage(await places.frame(place), { ...page, form }));
    }
    const { downloadUrl } = await downloads.submitAll(parsed.value, visit.campaign, client);
    return readyAt(`${listPath(place.language.code)}/all`, downloadUrl);
  }

  /** @param slug of the book; undefined for the ZIP of the language */
  async showReady(
    { code, slug, token }: { code: string; slug: string | undefined; token: string },
    { visit, client: { userAgent, address } }: { visit: Visit; client: Client },
  ): Promise<ReadyReply> {
    const { places, pages, deliveries, clock } = this.deps;
    const rest = slug === undefined ? "/all" : `/books/${encodeURIComponent(slug)}`;
    const query = `/ready?${new URLSearchParams({ token })}`;
    const place = await places.find(code, rest + query, visit);
    if (!isPlace(place)) return place;
    const path = listPath(place.language.code) + rest;
    const link = await deliveries.preview(token, address).catch(ignoreUnknown);
    if (!link || !(await this.#isOf(link, place, slug))) {
      const missed =
        link?.bookId && slug !== undefined ? await pages.missBook(place, slug, query) : undefined;
      return missed?.kind === "moved" ? missed : hide(await pages.missLink(place, path));
    }
    if (link.isExpired) return hide(await this.#showExpired(place, { path, token, address }));
    const texts = link.withheld && places.findWithheldTexts(place);
    if (texts) {
      const delayed = link.withheld?.isDelayed ? texts.delayed : undefined;
      const page = { path, token, texts: texts.lookIntoMail, delayed };
      return hide(places.replyOnce(place, 200, renderWithheldPage(await places.frame(place), page)));
    }
    const { expiresAt } = link;
    const minutesLeft = Math.max(1, Math.round((expiresAt - clock.now()) / MINUTE));
    const page = { ...link, path, token, userAgent, minutesLeft, expiresAt: isoTime(expiresAt) };
    return hide(places.replyOnce(place, 200, renderReadyPage(await places.frame(place), page)));
  }

  async #isOf(link: LinkPreview, { language }: Place, slug: string | undefined): Promise<boolean> {
    if (link.languageId !== language.row.id) return false;
    if (link.bookId === null || slug === undefined) return link.bookId === null && slug === undefined;
    return this.deps.pages.isBook(link.bookId, slug);
  }

  async #showExpired(
    place: Place,
    { path, token, address }: { path: string; token: string; address: string },
  ): Promise<PageReply<410>> {
    const { places, deliveries } = this.deps;
    const { renewable, languageCode } = await deliveries.describe(token, address);
    const page = {
      path,
      token,
      renewable: renewable && { ...renewable, languageCode },
      texts: places.findLinkTexts(place),
    };
    return places.replyOnce(place, 410, renderExpiredPage(await places.frame(place), page));
  }
}

/** The page isn't for other sites: its address has the token. */
const hide = <Status extends number>(reply: PageReply<Status>): PageReply<Status> => ({
  ...reply,
  page: { ...reply.page, isSecret: true },
});

const readyAt = (path: string, downloadUrl: string): Ready => {
  const token = downloadUrl.slice(downloadUrl.lastIndexOf("/") + 1);
  return { kind: "ready", path: `${path}/ready?${new URLSearchParams({ token })}` };
};

/** A link that was never valid, or whose file is gone. */
function ignoreUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.status === 404) return undefined;
  throw error;
}

const isAboutFormat = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "file_type_needed" || error.code === "file_not_found");

/** Without the fields for which the organisation doesn't ask: what it doesn't want to know isn't stored. */
const pickAsked = (typed: Fields, { contactFields }: RequestForm): Fields =>
  Object.fromEntries(
    Object.entries(typed).filter(([name]) =>
      CONTACT_FIELDS.every((field) => field !== name || contactFields[field] !== "off"),
    ),
  );

const FIELDS: readonly FieldName[] = ["firstName", "email", ...CONTACT_FIELDS];

/** The fields with an error, and required ones that are empty. What the form doesn't have is about the format. */
function listInvalid(
  errors: readonly FieldError[],
  typed: Fields,
  { contactFields }: RequestForm,
): ReadonlySet<FieldName> {
  const wrong = errors.map(({ path }) => FIELDS.find((name) => name === path) ?? "fileType");
  const missing = CONTACT_FIELDS.filter(
    (name) => contactFields[name] === "required" && (typed[name] ?? "").trim() === "",
  );
  return new Set([...wrong, ...missing]);
}
