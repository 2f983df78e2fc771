// Bytes of files and covers that are what they say.
import type fc from "fast-check";
import { createText } from "./texts.ts";

/** Types whose content is made easily. */
const FILES: Readonly<Record<string, (text: string) => string>> = {
  txt: (text) => `A book. ${text}`,
  rtf: (text) => `{\\rtf1\\ansi ${encodeURIComponent(text)}}`,
  pdf: (text) => `%PDF-1.7\n% ${encodeURIComponent(text)}\ntrailer<<>>\n%%EOF\n`,
  html: (text) => `<!DOCTYPE html><title>A book</title><p>${encodeURIComponent(text)}`,
};

export const EASY_TYPES = Object.keys(FILES);

/** The file that each book of the run begins with: who sends it again changes nothing. */
export const FIRST_FILE = { fileName: "book.txt", content: "The text of a book." };

export const fileContent = (type: string): fc.Arbitrary<Buffer> =>
  createText(0, 200).map((text) => Buffer.from((FILES[type] ?? String)(text)));

const image = (type: string, base64: string) => ({ type, bytes: Buffer.from(base64, "base64") });

/** Two by three pixels each. */
export const IMAGES = [
  image(
    "image/png",
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWNYZWy8ytiYAYUCAEXPBmHVzpeoAAAAAElFTkSuQmCC",
  ),
  image(
    "image/jpeg",
    "/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAADAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCIAEKG/9k=",
  ),
  image(
    "image/webp",
    "UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoCAAMAAUAmJaACdLoAA5gA/vDEC/G7LOHB7/6tD/1aH/q0P4AAAA==",
  ),
] as const;
