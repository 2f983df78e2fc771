/** The texts of readers' pages in Swahili. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const sw: PageTexts = {
  expired: {
    heading: "Muda wa kiungo hiki umekwisha",
    text: "Kiungo cha kupakua hufanya kazi kwa muda mfupi tu.",
  },
  unknown: { heading: "Kiungo hiki hakifanyi kazi", text: "Huenda sehemu ya anwani imekosekana." },
  unavailable: {
    heading: "Kitabu hiki hakipatikani",
    text: "Hakitolewi, au hakitolewi tena, kwa lugha hii.",
  },
  busy: {
    heading: "Tafadhali subiri kidogo",
    text: "Kuna maombi mengi sana sasa hivi. Jaribu tena baada ya dakika moja.",
  },
  failed: { heading: "Hitilafu imetokea", text: "Kosa ni letu, si lako. Tafadhali jaribu tena baadaye." },
  form: { heading: "Tafadhali kagua ulichojaza", text: "Kuna kitu kimekosekana au si sahihi kwenye fomu." },
  foreignSite: {
    heading: "Fomu hii haikubaliwi",
    text: "Tovuti iliyoituma hairuhusiwi kuomba vitabu hapa. Tafadhali wajulishe wasimamizi wa tovuti hiyo.",
  },
  renew: "Pata kiungo kipya",
  again: "Tafadhali rudi kwenye tovuti ulipokiona kitabu na ukiombe tena.",
  back: "Rudi kwenye tovuti",
  fields: {
    email: "Anwani ya barua pepe imekosekana au si sahihi.",
    firstName: "Jina la kwanza limekosekana.",
    other: "Kitu kingine kimekosekana au si sahihi.",
  },
};
