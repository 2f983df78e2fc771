/** The texts of readers' pages in German. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const de: PageTexts = {
  expired: { heading: "Dieser Link ist abgelaufen", text: "Ein Link zum Herunterladen gilt nur kurze Zeit." },
  unknown: { heading: "Dieser Link funktioniert nicht", text: "Vielleicht fehlt ein Teil der Adresse." },
  unavailable: {
    heading: "Dieses Buch ist nicht verfügbar",
    text: "Es wird in dieser Sprache nicht oder nicht mehr angeboten.",
  },
  busy: {
    heading: "Bitte warten Sie einen Moment",
    text: "Im Augenblick gibt es zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.",
  },
  failed: {
    heading: "Etwas ist schiefgegangen",
    text: "Der Fehler liegt bei uns, nicht bei Ihnen. Bitte versuchen Sie es später noch einmal.",
  },
  form: {
    heading: "Bitte prüfen Sie Ihre Angaben",
    text: "Im Formular fehlt etwas, oder eine Angabe ist nicht gültig.",
  },
  foreignSite: {
    heading: "Dieses Formular wird nicht angenommen",
    text: "Die Website, von der es kommt, darf hier keine Bücher anfordern. Bitte sagen Sie es den Betreibern der Website.",
  },
  renew: "Neuen Link erhalten",
  again:
    "Bitte gehen Sie zurück zu der Seite, auf der Sie das Buch gefunden haben, und fordern Sie es noch einmal an.",
  back: "Zurück zur Website",
  fields: {
    email: "Die E-Mail-Adresse fehlt oder ist nicht gültig.",
    firstName: "Der Vorname fehlt.",
    other: "Eine andere Angabe fehlt oder ist nicht gültig.",
  },
};
