// What exists on the server, as an administrator sees it: from here requests take their ids.

/** With which the keeper asks for links. */
export const KEEPER_CONTACT = { email: "keeper@example.org", firstName: "Keeper" };

/** Of the consent text of each language that the library shows. */
export const CONSENT_VERSION = "fuzz";

export interface KnownFile {
  bookId: string;
  fileId: string;
  languageCode: string;
  fileType: string;
  fileName: string;
  isLocal: boolean;
}

/** A file that readers may ask for. */
export interface Offer {
  bookId: string;
  slug: string;
  fileId: string;
  languageCode: string;
  fileType: string;
}

export class Catalogue {
  /** Where files in a cloud are, for this run. */
  readonly cloud: string;
  books: { id: string; slug: string; isActive: boolean }[] = [];
  translations: { bookId: string; languageId: number }[] = [];
  files: KnownFile[] = [];
  covers: { bookId: string; languageCode: string }[] = [];
  /** What files and covers had before. */
  replacedFiles: { bookId: string; fileId: string; sha256: string }[] = [];
  replacedCovers: { bookId: string; languageCode: string; sha256: string }[] = [];
  languages: { id: number; code: string; isActive: boolean; parentId: number | null }[] = [];
  channels: { id: string; slug: string; isActive: boolean }[] = [];
  /** What is published somewhere, so that readers may ask for it. */
  offers: Offer[] = [];
  contacts: string[] = [];
  jobs: string[] = [];
  imports: string[] = [];
  /** Those that were cancelled: they can be undone. */
  endedImports: string[] = [];
  /** One that was undone: it takes no more files. */
  undoneImport: string | undefined;
  /** Those that a request may change or revoke. */
  users: { id: string; email: string }[] = [];
  keys: string[] = [];
  /** With a delivery that waits: they are inactive. */
  webhooks: { webhookId: string; deliveryId: string }[] = [];
  /** Deliveries that can be sent again, each once: then they wait. */
  endedDeliveries: { webhookId: string; deliveryId: string }[] = [];
  /** Of the administrator, beside the one in use: requests may end them. */
  sessions: string[] = [];
  /** Where the library shows that a download begins. */
  ready: { code: string; slug: string; token: string }[] = [];
  readyWhole: { code: string; token: string }[] = [];
  /** Of the library, by their hashes. */
  logos: string[] = [];
  /** Of links to a file, to a cloud's file and to a ZIP. */
  tokens: string[] = [];
  cloudTokens: string[] = [];
  /** A link that was good once. */
  readonly expiredToken: string;
  /** The administrator who looks after the catalogue, and the accounts with which requests log in. */
  readonly admin: Account;
  readonly members: readonly Account[];
  /** Whose password requests change. */
  readonly changer: Account;

  constructor(given: Pick<Catalogue, "cloud" | "expiredToken" | "admin" | "members" | "changer">) {
    this.cloud = given.cloud;
    this.expiredToken = given.expiredToken;
    this.admin = given.admin;
    this.members = given.members;
    this.changer = given.changer;
  }
}

export interface Account {
  id: string;
  email: string;
  password: string;
}
