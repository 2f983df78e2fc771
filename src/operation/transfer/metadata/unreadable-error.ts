/** Why a file can't be read, as a sentence of the service's own. Errors of libraries have other classes. */
export class UnreadableError extends Error {}
