/** Finds contacts for the palette, by words of their name or address. */
import { api, receive } from "../api/client.ts";
import type { Search } from "../ui/search.ts";
import { nameContact } from "./name-contact.ts";

export const contactSearch: Search = {
  group: "contacts",
  permission: "view_contacts",
  minLetters: 2,
  async find(search) {
    const query = { search, limit: 8 };
    const { contacts } = await receive(api.GET("/api/admin/contacts", { params: { query } }));
    return contacts.map((contact) => ({
      id: contact.id,
      label: nameContact(contact),
      note: contact.email,
      to: `/contacts/${contact.id}`,
    }));
  },
};
