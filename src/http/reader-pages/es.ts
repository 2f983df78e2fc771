/** The texts of readers' pages in Spanish. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const es: PageTexts = {
  expired: {
    heading: "Este enlace ha caducado",
    text: "Un enlace de descarga solo funciona durante poco tiempo.",
  },
  unknown: { heading: "Este enlace no funciona", text: "Quizá falte una parte de la dirección." },
  unavailable: {
    heading: "Este libro no está disponible",
    text: "No se ofrece, o ya no se ofrece, en este idioma.",
  },
  busy: {
    heading: "Espere un momento, por favor",
    text: "Hay demasiadas solicitudes en este momento. Inténtelo de nuevo en un minuto.",
  },
  failed: {
    heading: "Algo ha salido mal",
    text: "El error es nuestro, no suyo. Inténtelo de nuevo más tarde.",
  },
  form: {
    heading: "Revise los datos, por favor",
    text: "Falta algo en el formulario o algún dato no es válido.",
  },
  foreignSite: {
    heading: "Este formulario no se acepta",
    text: "El sitio desde el que se envió no está autorizado a solicitar libros aquí. Comuníquelo a los responsables del sitio.",
  },
  renew: "Obtener un enlace nuevo",
  again: "Vuelva al sitio donde encontró el libro y solicítelo de nuevo.",
  back: "Volver al sitio",
  fields: {
    email: "Falta la dirección de correo electrónico o no es válida.",
    firstName: "Falta el nombre.",
    other: "Falta otro dato o no es válido.",
  },
};
