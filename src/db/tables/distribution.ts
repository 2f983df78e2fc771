/** Where the books are published: channels, and what sub-languages hide. */
import type { Flag } from "./flag.ts";

export interface ChannelsTable {
  id: string;
  name: string;
  slug: string;
  description: string;
  url: string;
  sortOrder: number;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface PublicationsTable {
  bookId: string;
  channelId: string;
  languageId: number;
  createdAt: number;
}

/** Whether a sub-language shows a book, where that differs from what it inherits. */
export interface BookVisibilityTable {
  languageId: number;
  bookId: string;
  isVisible: Flag;
  createdAt: number;
}
