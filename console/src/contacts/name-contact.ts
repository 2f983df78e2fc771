/** The name of a contact as it gave it; where it gave none, its address. */
import type { Schemas } from "../api/client.ts";

export const nameContact = ({
  firstName,
  lastName,
  email,
}: Pick<Schemas["Contact"], "firstName" | "lastName" | "email">): string =>
  [firstName, lastName].filter((part) => part !== "").join(" ") || email;
