/** The order in which people look for names: a database would put every capital before every small letter. */
export const compareNames = new Intl.Collator("en").compare;
