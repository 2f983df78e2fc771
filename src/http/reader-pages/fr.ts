/** The texts of readers' pages in French. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const fr: PageTexts = {
  expired: { heading: "Ce lien a expiré", text: "Un lien de téléchargement ne fonctionne que peu de temps." },
  unknown: { heading: "Ce lien ne fonctionne pas", text: "Il manque peut-être une partie de l’adresse." },
  unavailable: {
    heading: "Ce livre n’est pas disponible",
    text: "Il n’est pas, ou plus, proposé dans cette langue.",
  },
  busy: {
    heading: "Veuillez patienter un instant",
    text: "Il y a trop de demandes en ce moment. Réessayez dans une minute.",
  },
  failed: {
    heading: "Une erreur s’est produite",
    text: "L’erreur vient de nous, pas de vous. Veuillez réessayer plus tard.",
  },
  form: {
    heading: "Veuillez vérifier vos informations",
    text: "Il manque quelque chose dans le formulaire, ou une information n’est pas valable.",
  },
  foreignSite: {
    heading: "Ce formulaire n’est pas accepté",
    text: "Le site d’où il vient n’est pas autorisé à demander des livres ici. Veuillez le signaler aux responsables du site.",
  },
  renew: "Obtenir un nouveau lien",
  again: "Veuillez retourner sur le site où vous avez trouvé le livre et le demander à nouveau.",
  back: "Retour au site",
  fields: {
    email: "L’adresse e-mail manque ou n’est pas valable.",
    firstName: "Le prénom manque.",
    other: "Une autre information manque ou n’est pas valable.",
  },
};
