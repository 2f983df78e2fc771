/** What a page finds for the palette: each has one, which frame/searches.ts lists. */
import type { Schemas } from "../api/client.ts";

/** A record that was found. */
interface FoundRecord {
  id: string;
  label: string;
  /** Below the label: what tells two of the same name apart. */
  note?: string;
  /** The address of its page. */
  to: string;
}

export interface Search {
  /** Of the palette's groups. */
  group: "books" | "contacts";
  permission: Schemas["Permission"];
  /** With fewer, nearly everything would be found. */
  minLetters: number;
  /** The first records that words find. */
  find(words: string): Promise<FoundRecord[]>;
}
