/** The pages whose records the palette finds, in the order in which they are shown. */
import { bookSearch } from "../books/search.ts";
import { contactSearch } from "../contacts/search.ts";

export const SEARCHES = [bookSearch, contactSearch];
