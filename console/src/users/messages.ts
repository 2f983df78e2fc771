/** The texts of the page in this folder. */
import { defineMessages } from "../messages/index.tsx";
import { countOf } from "../messages/plural.ts";

const count = countOf("en");
const countArabic = countOf("ar");

export const usersMessages = defineMessages(
  {
    users: {
      title: "Users",
      about: "Accounts of those who work here. Readers need none.",
      add: "Add a user",
      user: "User",
      actions: "Actions",
      name: "Name",
      email: "E-mail",
      role: "Role",
      roles: {
        admin: { name: "Administrator", hint: "All of it, with users, keys and settings." },
        editor: { name: "Editor", hint: "Changes books, languages and channels." },
        analyst: {
          name: "Analyst",
          hint: "Sees the catalogue, contacts and downloads, and changes nothing.",
        },
        viewer: { name: "Viewer", hint: "Sees the catalogue, and changes nothing." },
      },
      active: "May log in",
      activeState: "Active",
      inactive: "Deactivated",
      activeHint: "Without it, all sessions end at once.",
      you: "you",
      password: "Password",
      newPassword: "New password",
      newPasswordOf: (name: string) => `New password of ${name}`,
      passwordHint: "12 to 256 characters, and not a common one.",
      passwordEffect: "All sessions of the user end. Tell them the password in person or by a safe way.",
      revokeKeys: "Also revoke all API keys",
      revokeKeysHint: "Keys that only send download forms otherwise stay.",
      passwordSet: "The password was set.",
      keysRevoked: (n: number) => count(n, "# API key was revoked.", "# API keys were revoked."),
      created: "Created",
      removeOf: (name: string) => `Delete ${name}`,
      removeAction: "Delete",
      removeHint: "The account, its sessions and its API keys are deleted. The audit log keeps its name.",
      removed: "The user was deleted.",
    },
  },
  {
    ar: {
      users: {
        title: "المستخدمون",
        about: "حسابات من يعملون هنا. لا يحتاج القرّاء إلى حساب.",
        add: "إضافة مستخدم",
        user: "المستخدم",
        actions: "إجراءات",
        name: "الاسم",
        email: "البريد الإلكتروني",
        role: "الدور",
        roles: {
          admin: { name: "مدير", hint: "كل شيء، مع المستخدمين والمفاتيح والإعدادات." },
          editor: { name: "محرّر", hint: "يغيّر الكتب واللغات والقنوات." },
          analyst: { name: "محلّل", hint: "يرى الفهرس وجهات الاتصال والتنزيلات ولا يغيّر شيئًا." },
          viewer: { name: "مشاهد", hint: "يرى الفهرس ولا يغيّر شيئًا." },
        },
        active: "يمكنه تسجيل الدخول",
        activeState: "نشط",
        inactive: "معطّل",
        activeHint: "بدونه تنتهي كل الجلسات فورًا.",
        you: "أنت",
        password: "كلمة المرور",
        newPassword: "كلمة مرور جديدة",
        newPasswordOf: (name) => `كلمة مرور جديدة لـ ${name}`,
        passwordHint: "من 12 إلى 256 حرفًا، وليست شائعة.",
        passwordEffect: "تنتهي كل جلسات المستخدم. أبلغه كلمة المرور شخصيًا أو بطريقة آمنة.",
        revokeKeys: "أبطِل أيضًا كل مفاتيح الواجهة البرمجية",
        revokeKeysHint: "وإلا بقيت المفاتيح التي لا ترسل إلا نماذج التنزيل.",
        passwordSet: "حُدّدت كلمة المرور.",
        keysRevoked: (n) =>
          countArabic(
            n,
            "لم يُبطَل أي مفتاح.",
            "أُبطل مفتاح واحد.",
            "أُبطل مفتاحان.",
            "أُبطلت # مفاتيح.",
            "أُبطل # مفتاحًا.",
            "أُبطل # مفتاح.",
          ),
        created: "أُنشئ",
        removeOf: (name) => `حذف ${name}`,
        removeAction: "حذف",
        removeHint: "يُحذف الحساب وجلساته ومفاتيحه. يبقى اسمه في سجل التغييرات.",
        removed: "حُذف المستخدم.",
      },
    },
  },
);
