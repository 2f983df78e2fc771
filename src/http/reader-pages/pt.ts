/** The texts of readers' pages in Portuguese. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const pt: PageTexts = {
  expired: { heading: "Este link expirou", text: "Um link de download só funciona por pouco tempo." },
  unknown: { heading: "Este link não funciona", text: "Talvez falte uma parte do endereço." },
  unavailable: {
    heading: "Este livro não está disponível",
    text: "Ele não é, ou já não é, oferecido neste idioma.",
  },
  busy: {
    heading: "Aguarde um momento, por favor",
    text: "Há pedidos demais neste momento. Tente novamente em um minuto.",
  },
  failed: { heading: "Algo deu errado", text: "O erro é nosso, não seu. Tente novamente mais tarde." },
  form: {
    heading: "Verifique os seus dados, por favor",
    text: "Falta algo no formulário ou algum dado não é válido.",
  },
  foreignSite: {
    heading: "Este formulário não é aceito",
    text: "O site que o enviou não está autorizado a pedir livros aqui. Avise os responsáveis pelo site.",
  },
  renew: "Obter um novo link",
  again: "Volte ao site onde encontrou o livro e peça-o novamente.",
  back: "Voltar ao site",
  fields: {
    email: "O endereço de e-mail está em falta ou não é válido.",
    firstName: "Falta o nome.",
    other: "Outro dado está em falta ou não é válido.",
  },
};
