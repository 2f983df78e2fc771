/** The texts of the library's pages in one language: a part of the texts of readers' pages. */
import { z } from "zod";

const sentence = z.string().trim().min(1).max(500);

/** By plural category (CLDR); `{}` is the number. */
const plural = z
  .strictObject({
    zero: sentence,
    one: sentence,
    two: sentence,
    few: sentence,
    many: sentence,
    other: sentence,
  })
  .partial()
  .required({ other: true });

export const libraryTexts = z.strictObject({
  skip: sentence,
  /** The name of a library that has none. */
  title: sentence,
  intro: sentence,
  languages: sentence,
  otherLanguages: sentence,
  books: sentence,
  findBook: sentence,
  search: sentence,
  /** `{}` is what was typed. */
  found: sentence,
  showAll: sentence,
  count: plural,
  order: sentence,
  listed: sentence,
  newest: sentence,
  byTitle: sentence,
  pages: sentence,
  previous: sentence,
  next: sentence,
  /** `{page}` and `{pages}` are numbers. */
  pageOf: sentence,
  wholeLanguage: sentence,
  /** `{}` is the name of a language. */
  allBooks: sentence,
  noMatch: sentence,
  noBooks: sentence,
  emptyLanguage: sentence,
  chooseLanguage: sentence,
  pastEnd: sentence,
  lastPage: sentence,
  wrongAddress: sentence,
  unknownLanguage: sentence,
  unknownBook: sentence,
  notInLanguage: sentence,
  unknownPage: sentence,
  series: sentence,
  contributors: sentence,
  publisher: sentence,
  license: sentence,
  about: sentence,
  privacy: sentence,
  /** A feed of new books. */
  news: sentence,
  why: sentence,
  format: sentence,
  firstName: sentence,
  lastName: sentence,
  email: sentence,
  phone: sentence,
  country: sentence,
  optional: sentence,
  download: sentence,
  check: sentence,
  firstNameError: sentence,
  lastNameError: sentence,
  phoneError: sentence,
  countryError: sentence,
  emailError: sentence,
  formatError: sentence,
  started: sentence,
  arrives: sentence,
  /** `{}` is a duration, such as 10 minutes. */
  until: sentence,
  manual: sentence,
  /** `{}` are names of programs. */
  openWith: sentence,
  openAnywhere: sentence,
  openZip: sentence,
  openKindle: sentence,
  back: sentence,
});

export type LibraryTexts = z.output<typeof libraryTexts>;
