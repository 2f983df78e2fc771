/** What a look at a file's content says about its type. */
import type { FileType } from "../schemas/file-types.ts";

export interface Content {
  /** The types that it fits, the likeliest first; none when it is nothing that is distributed here. */
  types: readonly FileType[];
  /** Its name as the end of a sentence: "The file is ...". */
  name: string;
}

export const foreign = (name: string): Content => ({ types: [], name });

/** A noun in capitals with its article: "an" before a vowel, and before letters that are spelt out (an MP4). */
export const withArticle = (noun: string): string =>
  /^(?:[AEIOU]|[FHLMNRSX][^AEIOU ]* )/.test(noun) ? `an ${noun}` : `a ${noun}`;

export const isPlainText = ({ types }: Content): boolean => types.includes("txt");
