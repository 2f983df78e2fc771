import { describe, expect, it } from "vitest";
import { createContact, findFilledFields } from "../../src/services/contacts/consent-ledger.ts";

const form = { email: "sara@example.org", firstName: "Sara", lastName: "", phone: "", country: "" };

describe("a new contact", () => {
  it("has the fields of the form, and can be found by name, e-mail and phone", () => {
    const contact = createContact("id", { ...form, lastName: "Núñez", phone: "+34 1" }, 5);
    expect(contact).toEqual({
      publicId: "id",
      email: "sara@example.org",
      firstName: "Sara",
      lastName: "Núñez",
      phone: "+34 1",
      country: "",
      firstDownloadAt: 5,
      lastDownloadAt: 5,
      totalDownloads: 1,
      searchText: "sara nunez\nsara@example.org\n+34 1\n341",
      countryText: "",
    });
  });
});

describe("a known contact", () => {
  it("is completed in empty fields only", () => {
    const known = { id: 1, ...createContact("id", form, 5), lastName: "Díaz" };
    const unexpected = { email: form.email, firstName: "M", lastName: "M", phone: "1", country: "Spain" };
    expect(findFilledFields(known, unexpected)).toEqual({
      firstName: "Sara",
      lastName: "Díaz",
      phone: "1",
      country: "Spain",
      searchText: "sara diaz\nsara@example.org\n1\nspain",
      countryText: "spain",
    });
  });

  it("isn't changed by a form with missing or different fields", () => {
    const known = {
      id: 1,
      ...createContact("id", { ...form, lastName: "Díaz", phone: "1", country: "Spain" }, 5),
    };
    expect(findFilledFields(known, form)).toBeUndefined();
    expect(findFilledFields(known, { ...form, lastName: "M", phone: "2", country: "Mali" })).toBeUndefined();
  });
});
