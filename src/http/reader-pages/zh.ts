/** The texts of readers' pages in Chinese (simplified). */
import type { PageTexts } from "../../schemas/page-texts.schemas.ts";

export const zh: PageTexts = {
  expired: { heading: "此链接已过期", text: "下载链接只在短时间内有效。" },
  unknown: { heading: "此链接无效", text: "地址可能不完整。" },
  unavailable: { heading: "无法获取这本书", text: "这本书没有或不再以此语言提供。" },
  busy: { heading: "请稍候", text: "目前请求过多，请一分钟后再试。" },
  failed: { heading: "出了点问题", text: "问题在我们这边，请稍后再试。" },
  form: { heading: "请检查您填写的内容", text: "表单中有内容缺失或无效。" },
  foreignSite: {
    heading: "此表单不被接受",
    text: "发送此表单的网站未获准在此申请图书。请告知该网站的管理者。",
  },
  renew: "获取新链接",
  again: "请回到您找到这本书的网站，重新申请。",
  back: "返回网站",
  fields: {
    email: "电子邮件地址缺失或无效。",
    firstName: "名字缺失。",
    other: "其他内容缺失或无效。",
  },
};
