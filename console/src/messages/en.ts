/** The texts of the console in English. Their type is what every other language must have. */
import { countOf } from "./plural.ts";

const count = countOf("en");
const { format } = new Intl.NumberFormat("en");

export const en = {
  appName: "Book Distribution Service",
  loading: "Loading",
  skipToContent: "Skip to content",
  goTo: "Go to",
  navigation: "Navigation",
  openNavigation: "Open or close the navigation",
  save: "Save",
  saving: "Saving",
  cancel: "Cancel",
  close: "Close",
  undo: "Undo",
  add: "Add",
  edit: "Edit",
  remove: "Remove",
  tryAgain: "Try again",
  clearFilters: "Clear the filters",
  saved: "Saved",
  yes: "Yes",
  no: "No",
  state: "State",
  active: "Active",
  inactive: "Inactive",
  description: "Description",
  editOf: (name: string) => `Edit ${name}`,
  nav: {
    overview: "Overview",
    books: "Books",
    import: "Import",
    languages: "Languages",
    channels: "Channels",
    publications: "Publications",
    contacts: "Contacts",
    downloads: "Downloads",
    "api-keys": "API keys",
    users: "Users",
    audit: "Audit log",
    settings: "Settings",
    doctor: "Doctor",
    account: "Account",
  },
  navSections: { catalogue: "Catalogue", readers: "Readers", service: "Service" },
  pages: {
    of: (page: number, pages: number) => `Page ${format(page)} of ${format(pages)}`,
    previous: "Previous page",
    next: "Next page",
  },
  colours: { name: "Colours", auto: "As the system", light: "Light", dark: "Dark" },
  problems: {
    title: "This didn't work",
    unreachable: "The server can't be reached. What you typed is still here; try again.",
    unavailable: "The server is busy or being restarted. What you typed is still here; try again.",
    tooMany: (seconds: number) =>
      `Too many requests. Try again in ${count(seconds, "# second", "# seconds")}.`,
    forbidden: "Your account doesn't have the permission for this.",
    unknown: "The server reported an error.",
  },
  session: {
    title: "Log in",
    email: "E-mail",
    password: "Password",
    logIn: "Log in",
    logOut: "Log out",
    wrong: "E-mail or password is wrong.",
    ended: "Your session has ended",
    endedHint: "Log in again. What you typed on this page is still there.",
    firstHour: "No account yet? Whoever runs the server creates the first one with this command:",
  },
  notFound: {
    title: "Page not found",
    text: "The console has no page at this address.",
    toBooks: "To the books",
  },
  leave: { unsaved: "You have unsaved changes. Leave and lose them?", leave: "Leave", stay: "Stay" },
  forbidden: { text: "Your account doesn't have the permission for this page." },
};

export type CommonMessages = typeof en;
