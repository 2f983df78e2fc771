/** Words that CONTRIBUTING.md calls riddles. Written so that this line has none of them. */
export const RIDDLES = /\b(?:no(?:body)|(?:what|who)(?:ever))\b/i;
