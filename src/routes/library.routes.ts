/** Settings, texts and logo of the library: its pages are in library-pages.routes.ts. */
import { session } from "../http/access.ts";
import { contentBody, jsonBody } from "../http/requests/body.ts";
import {
  confirmDeletion,
  content,
  empty,
  json,
  ok,
  okImage,
  versioned,
  withVersion,
} from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import { COVER_UPLOAD_TYPES } from "../schemas/covers.schemas.ts";
import {
  library,
  libraryLogoUpdated,
  libraryTexts,
  libraryTextsParams,
  libraryTextsUpdate,
  libraryTextsUpdated,
  libraryUpdate,
  libraryUpdated,
  MAX_LOGO_BYTES,
} from "../schemas/library.schemas.ts";

const access = session("manage_settings");

export const libraryRoutes = [
  defineRoute({
    id: "getLibrary",
    method: "get",
    path: "/api/admin/library",
    summary: "Get the settings of the library",
    description: "Returns the settings of the pages for readers, with their defaults if nothing was set.",
    access,
    responses: { 200: versioned("The settings", library) },
    handle: async (_, services) => {
      const current = await services.library.get();
      return withVersion(ok(current), current);
    },
  }),
  defineRoute({
    id: "updateLibrary",
    patchId: "patchLibrary",
    method: "put",
    path: "/api/admin/library",
    summary: "Update the settings of the library",
    description:
      "Changes only the fields in the request, also within `contactFields`. Readers see the change with their next request.",
    access,
    body: jsonBody(libraryUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated settings", libraryUpdated) },
    handle: async ({ body, actor, expected }, services) => {
      const updated = await services.library.update(actor.author, body, expected);
      return withVersion(ok({ success: true, library: updated }), updated);
    },
  }),
  defineRoute({
    id: "getLibraryTexts",
    method: "get",
    path: "/api/admin/library/texts/{languageCode}",
    summary: "Get the texts of the library in a language",
    description:
      "A text that isn't set is empty; `fallback` has what readers see in its place. Returns 404 for an unknown language.",
    access,
    params: libraryTextsParams,
    responses: { 200: versioned("The texts", libraryTexts) },
    handle: async ({ params }, services) => {
      const texts = await services.library.readTexts(params.languageCode);
      return withVersion(ok(texts), texts);
    },
  }),
  defineRoute({
    id: "updateLibraryTexts",
    method: "put",
    path: "/api/admin/library/texts/{languageCode}",
    summary: "Update the texts of the library in a language",
    description:
      "Changes only the fields in the request. The texts are plain: markup is shown as it is typed. A consent text needs a `consentVersion`. Each version keeps its text for good, also after the texts were deleted: another text under the same version is 409 `consent_version_needed`. With `CONSENT_TEXT_VERSIONS`, consents to these versions are valid, too.",
    access,
    params: libraryTextsParams,
    body: jsonBody(libraryTextsUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated texts", libraryTextsUpdated) },
    problems: [409],
    handle: async ({ params, body, actor, expected }, services) => {
      const texts = await services.library.updateTexts(actor.author, params.languageCode, body, expected);
      return withVersion(ok({ success: true, texts }), texts);
    },
  }),
  defineRoute({
    id: "deleteLibraryTexts",
    method: "delete",
    path: "/api/admin/library/texts/{languageCode}",
    summary: "Delete the texts of the library in a language",
    description:
      "Readers of the language then see those of its parent language or the English ones. The versions of its consent text are kept.",
    access,
    params: libraryTextsParams,
    takesIfMatch: true,
    responses: { 200: json("Deleted", success) },
    handle: ({ params, actor, expected }, services) =>
      confirmDeletion(services.library.deleteTexts(actor.author, params.languageCode, expected)),
  }),
  defineRoute({
    id: "putLibraryLogo",
    method: "put",
    path: "/api/admin/library/logo",
    summary: "Upload or replace the logo of the library",
    description:
      "Accepts JPEG, PNG, WebP or GIF (its first frame), up to 1 MB and 40 megapixels. The image is drawn anew as PNG, at most 640 × 320 pixels, without its metadata.",
    access,
    body: contentBody({ maxFileBytes: MAX_LOGO_BYTES, mediaTypes: COVER_UPLOAD_TYPES }),
    responses: { 200: json("The stored logo", libraryLogoUpdated) },
    handle: async ({ body, actor }, services) =>
      ok({ success: true, logo: await services.library.putLogo(actor.author, body.file) }),
  }),
  defineRoute({
    id: "getLibraryLogo",
    method: "get",
    path: "/api/admin/library/logo",
    databaseLimit: "record",
    summary: "Get the logo of the library",
    description: "Returns 404 if there is none.",
    access,
    responses: {
      200: content("The image", "image/png"),
      304: empty("The client has this version of the image"),
    },
    problems: [404],
    handle: async (_, services) => okImage(await services.library.openLogo()),
  }),
  defineRoute({
    id: "deleteLibraryLogo",
    method: "delete",
    path: "/api/admin/library/logo",
    summary: "Delete the logo of the library",
    description: "Returns 404 if there is none.",
    access,
    responses: { 200: json("Deleted", success) },
    problems: [404],
    handle: ({ actor }, services) => confirmDeletion(services.library.deleteLogo(actor.author)),
  }),
];
