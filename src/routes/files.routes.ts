/** Files of books. */
import { z } from "zod";
import { sessionOrKey } from "../http/access.ts";
import { created, json, ok } from "../http/answers.ts";
import { contentBody, jsonBody, uploadBody, uploadOrJson } from "../http/body.ts";
import { defineRoute, type Route } from "../http/define-route.ts";
import { success } from "../schemas/atoms.ts";
import { bookParams } from "../schemas/books.schemas.ts";
import {
  bookFile,
  cloudFileCreation,
  fileList,
  fileParams,
  fileUpdate,
  fileUpdated,
  fileUploadFields,
} from "../schemas/files.schemas.ts";

const tag = "Files";

export const filesRoutes: readonly Route[] = [
  defineRoute({
    id: "listFiles",
    method: "get",
    path: "/api/admin/books/{bookId}/files",
    tag,
    summary: "List the files of a book",
    description: "Returns active and inactive files in all languages.",
    access: sessionOrKey("view_books"),
    params: bookParams,
    answers: { 200: json("The files", fileList) },
    problems: [404],
    handle: async ({ params }, { files }) => ok(await files.list(params.bookId)),
  }),
  defineRoute({
    id: "addFile",
    method: "post",
    path: "/api/admin/books/{bookId}/files",
    tag,
    summary: "Add a file: an upload or a cloud link",
    description:
      "There is one active file per book, language and type: the former one becomes inactive. Without `fileType` an upload's type is found from its content, which must also be of the type that the name's ending promises.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: uploadOrJson(uploadBody(fileUploadFields), cloudFileCreation),
    answers: { 201: json("The file", bookFile) },
    problems: [404],
    handle: async ({ params: { bookId }, body, actor }, { files }) => {
      const added =
        body.kind === "upload"
          ? await files.addUpload(actor.author, bookId, body.fields, body.file)
          : await files.addCloudLink(actor.author, bookId, body.json);
      return created(`/api/admin/books/${bookId}/files/${added.id}`, added);
    },
  }),
  defineRoute({
    id: "replaceFile",
    method: "put",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    tag,
    summary: "Upload or replace the content of a file",
    description: "The file's id, name, download count and links stay.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: contentBody(z.strictObject({})),
    answers: { 200: json("The file as it is now", fileUpdated) },
    problems: [404, 409],
    handle: async ({ params: { bookId, fileId }, body, actor }, { files }) =>
      ok({ success: true, file: await files.replaceContent(actor.author, bookId, fileId, body.file) }),
  }),
  defineRoute({
    id: "updateFile",
    method: "patch",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    tag,
    summary: "Update the metadata of a file",
    description:
      "Changes only the fields in the request. The type and size of an uploaded file follow from its content and can't be changed here.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: jsonBody(fileUpdate),
    answers: { 200: json("The file as it is now", fileUpdated) },
    problems: [404],
    handle: async ({ params: { bookId, fileId }, body, actor }, { files }) =>
      ok({ success: true, file: await files.update(actor.author, bookId, fileId, body) }),
  }),
  defineRoute({
    id: "deleteFile",
    method: "delete",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    tag,
    summary: "Delete a file",
    description: "Its bytes go once nothing refers to them.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    answers: { 200: json("Deleted", success) },
    problems: [404],
    handle: async ({ params: { bookId, fileId }, actor }, { files }) => {
      await files.delete(actor.author, bookId, fileId);
      return ok({ success: true });
    },
  }),
];
