/** The texts of readers' pages in English. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

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
  renew: "Get a new link",
  again: "Please go back to the site where you found the book and ask for it again.",
  back: "Back to the site",
  fields: {
    email: "The e-mail address is missing or not valid.",
    firstName: "The first name is missing.",
    other: "Some other entry is missing or not valid.",
  },
};
