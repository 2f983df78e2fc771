/** The texts of readers' pages in English. */
interface PageText {
  heading: string;
  text: string;
}

/** One file per language. To add a language, add a file and a line in TEXTS. */
export interface PageTexts {
  expired: PageText;
  unknown: PageText;
  unavailable: PageText;
  busy: PageText;
  failed: PageText;
  form: PageText;
  /** A form on a site that may not use this service. */
  foreignSite: PageText;
  /** What the reader can do if a page doesn't help. */
  again: string;
  /** The text of the link to the public site. */
  back: string;
  /** Errors in the fields of the form. */
  fields: { email: string; firstName: string; other: string };
}
export const en: PageTexts = {
  expired: { heading: "This link has expired", text: "A download link only works for a short time." },
  unknown: { heading: "This link does not work", text: "Perhaps a part of the address is missing." },
  unavailable: {
    heading: "This book is not available",
    text: "It is not, or no longer, offered in this language.",
  },
  busy: {
    heading: "Please wait a moment",
    text: "There are too many requests right now. Try again in a minute.",
  },
  failed: { heading: "Something went wrong", text: "The error is on our side. Please try again later." },
  form: { heading: "Please check your entries", text: "Something in the form is missing or not valid." },
  foreignSite: {
    heading: "This form is not accepted",
    text: "The site that sent it is not allowed to request books here. Please tell the people who run the site.",
  },
  again: "Please go back to the site where you found the book and ask for it again.",
  back: "Back to the site",
  fields: {
    email: "The e-mail address is missing or not valid.",
    firstName: "The first name is missing.",
    other: "Some other entry is missing or not valid.",
  },
};
