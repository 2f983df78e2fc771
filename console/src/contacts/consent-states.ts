/** What each state of a consent means. */

export const englishStates = {
  none: "This contact has made no statement on marketing: don't send any.",
  agreed: "This contact allows marketing.",
  declined: "This contact doesn't allow marketing.",
  withdrawn: "This contact no longer allows marketing.",
  conflict:
    "A form said yes after a withdrawal. Anyone can fill in a form with this address, so no marketing is sent until an administrator decides.",
  unknown_text:
    "This contact agreed to a text that the service doesn't know (CONSENT_TEXT_VERSIONS): no marketing is sent.",
};

export type KnownState = keyof typeof englishStates;

export const isKnownState = (state: string): state is KnownState => Object.hasOwn(englishStates, state);

export const arabicStates: Record<KnownState, string> = {
  none: "لم تصرّح جهة الاتصال هذه بشيء عن التسويق: لا ترسل شيئًا.",
  agreed: "تسمح جهة الاتصال هذه بالتسويق.",
  declined: "لا تسمح جهة الاتصال هذه بالتسويق.",
  withdrawn: "لم تعد جهة الاتصال هذه تسمح بالتسويق.",
  conflict:
    "ورد «نعم» في نموذج بعد سحب الموافقة. يستطيع أي شخص ملء نموذج بهذا العنوان، لذلك لا يُرسل أي تسويق حتى يقرر مدير.",
  unknown_text: "وافقت جهة الاتصال على نص لا تعرفه الخدمة (CONSENT_TEXT_VERSIONS): لا يُرسل أي تسويق.",
};
