/** The files that this window sends to books. It goes on while one looks at other pages, and ends with the window. */
import { PATIENCE, repeat } from "../api/retry.ts";
import { createStore, useStore } from "../lib/store.ts";
import { waits } from "../session/session-end.ts";

interface Place {
  bookId: string;
  languageCode: string;
}

export interface SentFile extends Place {
  id: number;
  name: string;
  percent: number;
}

const all = createStore<readonly SentFile[]>([]);
let lastId = 0;

type Send<T> = (report: (part: number) => void) => Promise<T>;

/** A file that was refused because the session had ended is sent once more after the next log-in. */
export async function keepSending<T>(place: Place & { name: string }, send: Send<T>): Promise<T> {
  lastId += 1;
  const id = lastId;
  all.write([...all.read(), { ...place, id, percent: 0 }]);
  const report = (part: number) => {
    const percent = Math.floor(part * 100);
    all.write(all.read().map((each) => (each.id === id ? { ...each, percent } : each)));
  };
  try {
    return await repeat(() => send(report), waits, { patience: PATIENCE.once });
  } finally {
    all.write(all.read().filter((each) => each.id !== id));
  }
}

/** Those to a language of a book. */
export const useSentFiles = ({ bookId, languageCode }: Place): readonly SentFile[] =>
  useStore(all).filter((each) => each.bookId === bookId && each.languageCode === languageCode);
