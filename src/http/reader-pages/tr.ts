/** The texts of readers' pages in Turkish. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const tr: PageTexts = {
  expired: {
    heading: "Bu bağlantının süresi doldu",
    text: "İndirme bağlantısı yalnızca kısa bir süre çalışır.",
  },
  unknown: { heading: "Bu bağlantı çalışmıyor", text: "Adresin bir bölümü eksik olabilir." },
  unavailable: { heading: "Bu kitap mevcut değil", text: "Kitap bu dilde sunulmuyor veya artık sunulmuyor." },
  busy: {
    heading: "Lütfen biraz bekleyin",
    text: "Şu anda çok fazla istek var. Bir dakika sonra tekrar deneyin.",
  },
  failed: { heading: "Bir sorun oluştu", text: "Hata sizde değil, bizde. Lütfen daha sonra tekrar deneyin." },
  form: { heading: "Lütfen bilgilerinizi kontrol edin", text: "Formda eksik veya geçersiz bir bilgi var." },
  foreignSite: {
    heading: "Bu form kabul edilmiyor",
    text: "Formun gönderildiği sitenin buradan kitap isteme izni yok. Lütfen siteyi yönetenlere bildirin.",
  },
  renew: "Yeni bağlantı al",
  again: "Lütfen kitabı bulduğunuz siteye dönün ve kitabı yeniden isteyin.",
  back: "Siteye dön",
  fields: {
    email: "E-posta adresi eksik veya geçersiz.",
    firstName: "Ad eksik.",
    other: "Başka bir bilgi eksik veya geçersiz.",
  },
};
