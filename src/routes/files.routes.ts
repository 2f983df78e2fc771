/** Files of books. */
import { z } from "zod";
import { sessionOrKey } from "../http/access.ts";
import { contentBody, jsonBody, jsonByField, uploadBody, uploadOrJson } from "../http/requests/body.ts";
import { confirmDeletion, created, json, ok, versioned, withVersion } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import { bookParams } from "../schemas/books.schemas.ts";
import { examinationQuery, examinedFile } from "../schemas/examinations.schemas.ts";
import {
  type BookFile,
  bookFile,
  cloudFileCreation,
  fileDeleted,
  fileList,
  fileLookup,
  fileParams,
  fileUpdate,
  fileUpdated,
  fileUploadFields,
  knownFiles,
  replacedFileParams,
  storedFileCreation,
  storedFileReplacement,
} from "../schemas/files.schemas.ts";

const replyCreatedFile = (bookId: string, file: BookFile) =>
  withVersion(created(`/api/admin/books/${bookId}/files`, file), file);

const replyAddedFile = (bookId: string, file: BookFile, isNew: boolean) =>
  isNew ? replyCreatedFile(bookId, file) : withVersion(ok(file), file);

const updatedFile = (file: BookFile) => withVersion(ok({ success: true, file }), file);

export const filesRoutes = [
  defineRoute({
    id: "lookUpFiles",
    method: "post",
    path: "/api/admin/files/lookup",
    summary: "Find files by their content",
    description:
      "Returns the files with the given SHA-256, one for each place where the same bytes are already; `replaced` lists those that had them before. Such a file needn't be uploaded again: send its `sha256` to `POST /api/admin/books/{bookId}/files`. `examined` lists those that were examined (`POST /api/admin/files/examine`), by any account.",
    access: sessionOrKey("edit_books"),
    body: jsonBody(fileLookup),
    responses: { 200: json("The files with these bytes", knownFiles) },
    handle: async ({ body }, { files }) => ok(await files.findPlaces(body.sha256)),
  }),
  defineRoute({
    id: "listFiles",
    method: "get",
    path: "/api/admin/books/{bookId}/files",
    summary: "List the files of a book",
    description: "Returns active and inactive files in all languages.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    responses: { 200: json("The files", fileList) },
    handle: async ({ params: { bookId } }, { files, fileRemarks }) =>
      ok({ files: await fileRemarks.addToAll(bookId, (await files.list(bookId)).files) }),
  }),
  defineRoute({
    id: "examineFile",
    method: "post",
    path: "/api/admin/files/examine",
    summary: "Examine a file before adding it to a book",
    description:
      "Says what a file is, and what it says about its book, by the rules of `bookdist import`. No reader gets its bytes. They are kept for an hour, or until newer ones need the space (a quarter of `CACHE_MAX_BYTES`), so that a file of a book can be made from the `sha256`: see `POST /api/admin/books/{bookId}/files`. With `importId` they are kept for that import (404 `import_not_found`), beyond that bound (507 `disk_full` while the disk is short), until it reaches its end or seven days after its last file. An account can examine two files at once (429).",
    access: sessionOrKey("edit_books"),
    maxAtOnce: 2,
    query: examinationQuery,
    body: uploadBody(z.strictObject({})),
    responses: { 200: json("What the file is", examinedFile) },
    problems: [404, 409],
    handle: async ({ query: { importId }, body, actor }, { examinations, imports }) => {
      if (importId === undefined) return ok(await examinations.examine(body.file));
      await imports.assertCollecting(actor, importId);
      const examined = await examinations.examine(body.file);
      await imports.keepExamined(actor, importId, examined.sha256);
      return ok(examined);
    },
  }),
  defineRoute({
    id: "addFile",
    method: "post",
    path: "/api/admin/books/{bookId}/files",
    summary: "Upload a file",
    description:
      "Send the file as `multipart/form-data`. There is one active file per book, language and type: the previous one becomes inactive. If `fileType` is omitted, it is detected from the content, which must also match the file name's extension. Instead of bytes that the service has already, also of another book, send JSON: `{languageCode, fileName, sha256}`, and `fileType` if you like (404 `content_unknown` if no file has these bytes). For compatibility, the operation also accepts the JSON body of `POST /api/admin/books/{bookId}/cloud-files` and then does the same as that operation.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: uploadOrJson(
      uploadBody(fileUploadFields),
      jsonByField("sha256", storedFileCreation, cloudFileCreation),
    ),
    responses: {
      200: versioned("The active file already has this content; nothing has changed", bookFile),
      201: versioned("The new file", bookFile),
    },
    handle: async ({ params: { bookId }, body, actor: { author } }, { files, fileRemarks }) => {
      const { file, isNew } =
        body.kind === "json"
          ? await files.addDescribed(author, bookId, body.json)
          : await files.addUpload(author, bookId, body.fields, body.file);
      return replyAddedFile(bookId, await fileRemarks.addTo(bookId, file), isNew);
    },
  }),
  defineRoute({
    id: "addCloudFile",
    method: "post",
    path: "/api/admin/books/{bookId}/cloud-files",
    summary: "Add a file in cloud storage",
    description:
      "The previous active file of the book, language and type becomes inactive. Links to Google Drive, Dropbox and OneDrive are recognised by their URL, regardless of `sourceType`, and converted to direct links. A link to a folder is rejected with `cloud_link_is_a_folder`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(cloudFileCreation),
    responses: { 201: versioned("The new file", bookFile) },
    handle: async ({ params: { bookId }, body, actor }, { files, fileRemarks }) => {
      const file = await files.addCloudLink(actor.author, bookId, body);
      return replyCreatedFile(bookId, await fileRemarks.addTo(bookId, file));
    },
  }),
  defineRoute({
    id: "replaceFile",
    method: "put",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    summary: "Upload or replace the content of a file",
    description:
      "Keeps the file's id, download count and links. Keeps its name, too, unless the form has a different one. The former content is kept for `REPLACED_FILES_DAYS`, at most 5 for each file: it is in `replaced`. Instead of bytes that the service has already, also in `replaced`, send JSON with their `sha256` and, to change the name, `fileName` (404 `content_unknown` if no file has or had these bytes).",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: uploadOrJson(contentBody(), jsonBody(storedFileReplacement)),
    takesIfMatch: true,
    responses: { 200: versioned("The updated file", fileUpdated) },
    problems: [409],
    handle: async ({ params, body, actor: { author }, expected }, { files, fileRemarks }) => {
      const file =
        body.kind === "json"
          ? await files.replaceWithStored(author, params, body.json, expected)
          : await files.replaceContent(author, params, body.file, expected);
      return updatedFile(await fileRemarks.addTo(params.bookId, file));
    },
  }),
  defineRoute({
    id: "updateFile",
    method: "patch",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    summary: "Update the metadata of a file",
    description:
      "Changes only the fields in the request. A new `cloudUrl` also sets the provider, and resets the size unless `fileSizeBytes` is given. For an uploaded file, `cloudUrl` and a different `sourceType` are rejected (409 `file_is_uploaded`): add the link as a separate file. The type and size of an uploaded file are determined by its content and can't be changed.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: jsonBody(fileUpdate),
    takesIfMatch: true,
    responses: { 200: versioned("The updated file", fileUpdated) },
    problems: [409],
    handle: async ({ params, body, actor, expected }, { files, fileRemarks }) => {
      const file = await files.update(actor.author, params, body, expected);
      return updatedFile(await fileRemarks.addTo(params.bookId, file));
    },
  }),
  defineRoute({
    id: "deleteFile",
    method: "delete",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    summary: "Delete a file",
    description:
      "An hour later, the stored bytes and those in `replaced` are removed, unless another file or cover has or had them.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    takesIfMatch: true,
    responses: { 200: json("Deleted", fileDeleted) },
    handle: async ({ params, actor, expected }, { files }) =>
      ok({ success: true, ...(await files.delete(actor.author, params, expected)) }),
  }),
  defineRoute({
    id: "deleteReplacedFile",
    method: "delete",
    path: "/api/admin/books/{bookId}/files/{fileId}/replaced/{sha256}",
    summary: "Remove former content of a file for good",
    description:
      "Removes an entry of `replaced`, and its bytes at once unless another file or cover has or had them. The content that the file has now is 404.",
    access: sessionOrKey("edit_books"),
    params: replacedFileParams,
    responses: { 200: json("Removed", success) },
    handle: ({ params, actor }, { files }) => confirmDeletion(files.removeReplaced(actor.author, params)),
  }),
];
