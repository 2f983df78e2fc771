/** The initial schema: users and credentials, the catalogue, contacts and their downloads. */
import { type Kysely, sql } from "kysely";
import { identity } from "./support/identity.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccess(db);
  await createCatalogue(db);
  await createDistribution(db);
  await createDownloads(db);
}

async function createAccess(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("passwordHash", "text", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("userId", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("ipAddress", "text")
    .addColumn("userAgent", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("userId").execute();
  await db.schema.createIndex("sessions_expiry").on("sessions").column("expiresAt").execute();
  await db.schema
    .createTable("api_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("keyHash", "text", (c) => c.notNull().unique())
    .addColumn("keyPrefix", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("ownerId", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint")
    .addColumn("lastUsedAt", "bigint")
    .addColumn("revokedAt", "bigint")
    .execute();
  await db.schema.createIndex("api_keys_owner").on("api_keys").column("ownerId").execute();
}

async function createCatalogue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("languages")
    // Never reused after a deletion, because events keep the number as a snapshot.
    .addColumn("id", "integer", identity(db))
    .addColumn("code", "text", (c) => c.notNull())
    .addColumn("codeKey", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("nativeName", "text", (c) => c.notNull())
    .addColumn("direction", "text", (c) => c.notNull())
    .addColumn("parentId", "integer", (c) => c.references("languages.id").onDelete("set null"))
    .addColumn("customDomain", "text", (c) => c.unique())
    .addColumn("legacyDownloadCount", "integer", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("languages_parent").on("languages").column("parentId").execute();
  await db.schema
    .createTable("books")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("titleEn", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("coverImagePath", "text")
    .addColumn("sortOrder", "integer", (c) => c.notNull())
    .addColumn("legacyDownloadCount", "integer", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("archivedAt", "bigint")
    .addColumn("archivedBy", "text")
    .addColumn("searchText", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("books_order").on("books").columns(["sortOrder", "id"]).execute();
  await db.schema
    .createTable("translations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("languageId", "integer", (c) => c.notNull().references("languages.id").onDelete("cascade"))
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("description", "text")
    .addColumn("searchText", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .addUniqueConstraint("translations_book_language", ["bookId", "languageId"])
    .execute();
  await db.schema.createIndex("translations_language").on("translations").column("languageId").execute();
  await createFiles(db);
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("book_files")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("languageId", "integer", (c) => c.notNull().references("languages.id").onDelete("cascade"))
    .addColumn("fileType", "text", (c) => c.notNull())
    .addColumn("sourceType", "text", (c) => c.notNull())
    .addColumn("fileName", "text", (c) => c.notNull())
    .addColumn("fileSizeBytes", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text")
    .addColumn("cloudUrl", "text")
    .addColumn("downloadCount", "integer", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .addCheckConstraint("book_files_have_content", sql`("sha256" is null) <> ("cloudUrl" is null)`)
    .execute();
  // One active file per book, language and type, so that a download request is unambiguous.
  await db.schema
    .createIndex("book_files_active")
    .unique()
    .on("book_files")
    .columns(["bookId", "languageId", "fileType"])
    .where(sql.ref("isActive"), "=", sql.lit(1))
    .execute();
  await db.schema.createIndex("book_files_book").on("book_files").column("bookId").execute();
  await db.schema.createIndex("book_files_language").on("book_files").column("languageId").execute();
  await db.schema.createIndex("book_files_sha256").on("book_files").column("sha256").execute();
  await db.schema
    .createTable("covers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("languageId", "integer", (c) => c.references("languages.id").onDelete("cascade"))
    .addColumn("contentType", "text", (c) => c.notNull())
    .addColumn("width", "integer", (c) => c.notNull())
    .addColumn("height", "integer", (c) => c.notNull())
    .addColumn("fileSizeBytes", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .addUniqueConstraint("covers_book_language", ["bookId", "languageId"])
    .execute();
  await db.schema.createIndex("covers_language").on("covers").column("languageId").execute();
  await db.schema.createIndex("covers_sha256").on("covers").column("sha256").execute();
}

async function createDistribution(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("channels")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("sortOrder", "integer", (c) => c.notNull())
    .addColumn("isActive", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("publications")
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("channelId", "text", (c) => c.notNull().references("channels.id").onDelete("cascade"))
    .addColumn("languageId", "integer", (c) => c.notNull().references("languages.id").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("publications_key", ["languageId", "channelId", "bookId"])
    .execute();
  await db.schema.createIndex("publications_book").on("publications").column("bookId").execute();
  await db.schema.createIndex("publications_channel").on("publications").column("channelId").execute();
  await db.schema
    .createTable("book_visibility")
    .addColumn("languageId", "integer", (c) => c.notNull().references("languages.id").onDelete("cascade"))
    .addColumn("bookId", "text", (c) => c.notNull().references("books.id").onDelete("cascade"))
    .addColumn("isVisible", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("book_visibility_key", ["languageId", "bookId"])
    .execute();
  await db.schema.createIndex("book_visibility_book").on("book_visibility").column("bookId").execute();
  await db.schema
    .createTable("catalogue_version")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into "catalogue_version" ("id", "version") values (1, 1)`.execute(db);
}

async function createDownloads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("contacts")
    .addColumn("id", "integer", identity(db))
    .addColumn("publicId", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("firstName", "text", (c) => c.notNull())
    .addColumn("lastName", "text", (c) => c.notNull())
    .addColumn("phone", "text", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("searchText", "text", (c) => c.notNull())
    .addColumn("firstDownloadAt", "bigint", (c) => c.notNull())
    .addColumn("lastDownloadAt", "bigint", (c) => c.notNull())
    .addColumn("totalDownloads", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("archives")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("languageId", "integer", (c) => c.notNull())
    .addColumn("booksCount", "integer", (c) => c.notNull())
    .addColumn("filesCount", "integer", (c) => c.notNull())
    .addColumn("totalBytes", "bigint", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  // No foreign key to books: events are kept when a book is deleted.
  await db.schema
    .createTable("archive_books")
    .addColumn("archiveId", "text", (c) => c.notNull().references("archives.id").onDelete("cascade"))
    .addColumn("bookId", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("archive_books_key", ["archiveId", "bookId"])
    .execute();
  await db.schema.createIndex("archive_books_book").on("archive_books").column("bookId").execute();
  await createEvents(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("download_events")
    .addColumn("id", "integer", identity(db))
    .addColumn("downloadedAt", "bigint", (c) => c.notNull())
    .addColumn("redeemedAt", "bigint")
    .addColumn("contactId", "integer", (c) => c.references("contacts.id").onDelete("set null"))
    .addColumn("isDownloadAll", "integer", (c) => c.notNull())
    .addColumn("booksCount", "integer", (c) => c.notNull())
    .addColumn("bookId", "text")
    .addColumn("fileId", "text")
    .addColumn("archiveId", "text", (c) => c.references("archives.id"))
    .addColumn("languageId", "integer", (c) => c.notNull())
    .addColumn("bookTitle", "text", (c) => c.notNull())
    .addColumn("fileType", "text", (c) => c.notNull())
    .addColumn("fileName", "text", (c) => c.notNull())
    .addColumn("languageName", "text", (c) => c.notNull())
    .addColumn("languageCode", "text", (c) => c.notNull())
    .addColumn("ipAddress", "text")
    .addColumn("countryCode", "text")
    .addColumn("countryName", "text")
    .addColumn("city", "text")
    .addColumn("deviceType", "text", (c) => c.notNull())
    .addColumn("browserName", "text", (c) => c.notNull())
    .addColumn("browserVersion", "text", (c) => c.notNull())
    .addColumn("osName", "text", (c) => c.notNull())
    .addColumn("osVersion", "text", (c) => c.notNull())
    .addColumn("referrer", "text", (c) => c.notNull())
    .addColumn("utmSource", "text")
    .addColumn("utmMedium", "text")
    .addColumn("utmCampaign", "text")
    .addColumn("isBot", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("download_events_time")
    .on("download_events")
    .columns(["downloadedAt", "id"])
    .execute();
  await db.schema.createIndex("download_events_contact").on("download_events").column("contactId").execute();
  await db.schema
    .createIndex("download_events_language")
    .on("download_events")
    .column("languageId")
    .execute();
}
