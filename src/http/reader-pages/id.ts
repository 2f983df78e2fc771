/** The texts of readers' pages in Indonesian. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const id: PageTexts = {
  expired: { heading: "Tautan ini sudah kedaluwarsa", text: "Tautan unduhan hanya berlaku sebentar." },
  unknown: { heading: "Tautan ini tidak berfungsi", text: "Mungkin ada bagian alamat yang hilang." },
  unavailable: {
    heading: "Buku ini tidak tersedia",
    text: "Buku ini tidak, atau tidak lagi, ditawarkan dalam bahasa ini.",
  },
  busy: {
    heading: "Mohon tunggu sebentar",
    text: "Saat ini terlalu banyak permintaan. Coba lagi dalam satu menit.",
  },
  failed: {
    heading: "Terjadi kesalahan",
    text: "Kesalahan ada pada kami, bukan pada Anda. Silakan coba lagi nanti.",
  },
  form: { heading: "Mohon periksa isian Anda", text: "Ada isian yang kosong atau tidak benar." },
  foreignSite: {
    heading: "Formulir ini tidak diterima",
    text: "Situs asalnya tidak diizinkan meminta buku di sini. Mohon beri tahu pengelola situs itu.",
  },
  renew: "Dapatkan tautan baru",
  again: "Silakan kembali ke situs tempat Anda menemukan buku ini dan memintanya lagi.",
  back: "Kembali ke situs",
  fields: {
    email: "Alamat surel kosong atau tidak benar.",
    firstName: "Nama depan kosong.",
    other: "Ada isian lain yang kosong atau tidak benar.",
  },
};
