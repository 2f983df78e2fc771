/** Files of books. */
import { z } from "zod";
import { sessionOrKey } from "../http/access.ts";
import { contentBody, jsonBody, uploadBody, uploadOrJson } from "../http/requests/body.ts";
import { created, json, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { bookParams } from "../schemas/books.schemas.ts";
import {
  type BookFile,
  bookFile,
  cloudFileCreation,
  fileDeleted,
  fileList,
  fileParams,
  fileUpdate,
  fileUpdated,
  fileUploadFields,
} from "../schemas/files.schemas.ts";

const tag = "Files";

const createdFile = (bookId: string, file: BookFile) =>
  created(`/api/admin/books/${bookId}/files/${file.id}`, file);

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
    responses: { 200: json("The files", fileList) },
    problems: [404],
    handle: async ({ params }, { files }) => ok(await files.list(params.bookId)),
  }),
  defineRoute({
    id: "addFile",
    method: "post",
    path: "/api/admin/books/{bookId}/files",
    tag,
    summary: "Upload a file",
    description:
      "Send the file as a form (`multipart/form-data`). The operation still accepts the JSON body of `POST /api/admin/books/{bookId}/cloud-files` (`application/json`), and then adds a link to a file in cloud storage as that operation does. There is one active file per book, language and type: the former one becomes inactive. Without `fileType` an upload's type is found from its content, which must also be of the type that the name's ending promises.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: uploadOrJson(uploadBody(fileUploadFields), cloudFileCreation),
    responses: {
      200: json("The active file, which has these very bytes: nothing has changed", bookFile),
      201: json("The new file", bookFile),
    },
    problems: [404],
    handle: async ({ params: { bookId }, body, actor }, { files }) => {
      if (body.kind === "json") {
        return createdFile(bookId, await files.addCloudLink(actor.author, bookId, body.json));
      }
      const { file, isNew } = await files.addUpload(actor.author, bookId, body.fields, body.file);
      return isNew ? createdFile(bookId, file) : ok(file);
    },
  }),
  defineRoute({
    id: "addCloudFile",
    method: "post",
    path: "/api/admin/books/{bookId}/cloud-files",
    tag,
    summary: "Add a file that lies in a cloud storage",
    description:
      "The former active file of the book, language and type becomes inactive. Links to Google Drive, Dropbox and OneDrive are recognised by their address, whatever `sourceType` says, and turned into direct ones; a link to a folder is refused with `cloud_link_is_a_folder`.",
    access: sessionOrKey("edit_books"),
    params: bookParams,
    body: jsonBody(cloudFileCreation),
    responses: { 201: json("The new file", bookFile) },
    problems: [404],
    handle: async ({ params: { bookId }, body, actor }, { files }) =>
      createdFile(bookId, await files.addCloudLink(actor.author, bookId, body)),
  }),
  defineRoute({
    id: "replaceFile",
    method: "put",
    path: "/api/admin/books/{bookId}/files/{fileId}",
    tag,
    summary: "Upload or replace the content of a file",
    description:
      "The file's id, download count and links stay, and its name unless the form brings another one with the bytes.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: contentBody(z.strictObject({})),
    responses: { 200: json("The file as it is now", fileUpdated) },
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
      "Changes only the fields in the request. A new `cloudUrl` brings its provider with it, and forgets the size unless `fileSizeBytes` is given. An uploaded file takes neither `cloudUrl` nor another `sourceType` (409 `file_is_uploaded`): add the link as a file of its own. The type and size of an uploaded file follow from its content and can't be changed here.",
    access: sessionOrKey("edit_books"),
    params: fileParams,
    body: jsonBody(fileUpdate),
    responses: { 200: json("The file as it is now", fileUpdated) },
    problems: [404, 409],
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
    responses: { 200: json("Deleted", fileDeleted) },
    problems: [404],
    handle: async ({ params: { bookId, fileId }, actor }, { files }) =>
      ok({ success: true, ...(await files.delete(actor.author, bookId, fileId)) }),
  }),
];
