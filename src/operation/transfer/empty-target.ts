/** What a dry run compares with before there is a database: a service without languages and books. */
import type { StoredBook, StoredPlace, Target } from "./target.ts";

export class EmptyTarget implements Target {
  readonly createsLanguages = true;
  readonly createLanguage = rejectCall;
  readonly upsert = rejectCall;
  readonly addFile = rejectCall;
  readonly replaceFile = rejectCall;
  readonly putCover = rejectCall;

  async findExisting(): Promise<string[]> {
    return [];
  }

  async findIds(_slugs: readonly string[]): Promise<Map<string, string>> {
    return new Map();
  }

  async findPlaces(_hashes: readonly string[]): Promise<StoredPlace[]> {
    return [];
  }

  readDetails(_bookId: string): Promise<StoredBook> {
    return rejectCall();
  }

  listCovers(_bookId: string): Promise<string[]> {
    return rejectCall();
  }
}

/** A dry run writes nothing, and looks up only what exists. */
const rejectCall = (): Promise<never> => Promise.reject(new Error("A dry run has called an empty service."));
