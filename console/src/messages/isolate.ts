/** A name or a path in a sentence, which can have the other direction: neither moves the other one's parts. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;
