/** The application with letters and the console, and the mail server that takes them. */
import { startApp } from "./app.ts";
import { mailSettings, startMailServer } from "./mail-server.ts";

export async function startWithMail(variables: Readonly<Record<string, string>> = {}) {
  const mailServer = await startMailServer();
  // The console has the root of its host.
  const settings = mailSettings(mailServer, { PUBLIC_BASE_URL: "https://books.example.org", ...variables });
  return { ...(await startApp(settings)), mailServer };
}
