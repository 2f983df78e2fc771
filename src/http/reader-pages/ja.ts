/** The texts of readers' pages in Japanese. */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const ja: PageTexts = {
  expired: { heading: "このリンクは期限切れです", text: "ダウンロードのリンクは短い時間しか使えません。" },
  unknown: { heading: "このリンクは使えません", text: "アドレスの一部が欠けているかもしれません。" },
  unavailable: {
    heading: "この本は入手できません",
    text: "この言語では提供されていないか、提供が終了しました。",
  },
  busy: {
    heading: "しばらくお待ちください",
    text: "現在、リクエストが集中しています。1分後にもう一度お試しください。",
  },
  failed: {
    heading: "エラーが発生しました",
    text: "原因は当方にあります。しばらくしてからもう一度お試しください。",
  },
  form: { heading: "入力内容をご確認ください", text: "フォームに入力漏れまたは誤りがあります。" },
  foreignSite: {
    heading: "このフォームは受け付けられません",
    text: "送信元のサイトには、ここで本を申し込む許可がありません。サイトの運営者にお知らせください。",
  },
  renew: "新しいリンクを取得する",
  again: "本を見つけたサイトに戻り、もう一度お申し込みください。",
  back: "サイトに戻る",
  fields: {
    email: "メールアドレスが入力されていないか、正しくありません。",
    firstName: "名前が入力されていません。",
    other: "ほかの項目が入力されていないか、正しくありません。",
  },
};
