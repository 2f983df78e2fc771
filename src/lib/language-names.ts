/** Finds languages by their names in English and in the language itself, from CLDR. */
import { LRUCache } from "lru-cache";
import { findNearest } from "./nearest.ts";
import { foldForSearch } from "./text.ts";

/** A language that was found by its name. */
export interface NamedLanguage {
  code: string;
  /** As CLDR writes it. */
  name: string;
}

/**
 * The languages that CLDR has names for: Intl doesn't list them. Without those whose English names mostly mean something
 * else: Alabama, Dakota, Delaware, Fang, Mari, Mongo, Picard, Seneca and Slave.
 */
const LANGUAGES = `
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
  el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
  is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
  mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se
  sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ty ug uk ur uz ve vi vo wa wo
  xh yi yo za zh zu ace ach ada ady aeb afh agq ain akk ale aln alt ang ann anp arc arn aro arp arq ars arw
  ary arz asa ase ast atj avk awa bal ban bar bas bax bbc bbj bej bem bew bez bfd bfq bgc bgn bho bik bin
  bjn bkm bla blo blt bpy bqi bra brh brx bss bua bug bum byn byv cad car cay cch ccp ceb cgg chb chg chk
  chn cho chp chr chy cic ckb clc cop cps crg crh crj crk crl crm crr crs csb csw dar dav dgr din dje doi
  dsb dtp dua dum dyo dyu dzg ebu efi egl egy eka elx enm esu ewo ext fil fit fon frc frm fro frp frr frs
  fur gaa gag gan gay gba gbz gez gil glk gmh goh gon gor got grb grc gsw guc gur guz gwi hai hak haw hax
  hif hil hit hmn hnj hsb hsn hup hur iba ibb ikt ilo inh izh jam jbo jgo jmc jpr jrb jut kaa kab kac kaj
  kam kaw kbd kbl kcg kde kea kek ken kfo kgp kha kho khq khw kiu kkj kln kmb koi kok kos kpe krc kri krj
  krl kru ksb ksf ksh kum kut kwk kxv lad lag lah lam lez lfn lij lil liv lkt lmo lou loz lrc lsm ltg lua
  lui lun luo lus luy lzh lzz mad maf mag mai mak man mas mde mdf mdr men mer mfe mga mgh mgo mic min mnc
  mni moe moh mos mrj mua mus mwl mwr mwv mye myv mzn nan nap naq nds new nia niu njo nmg nnh nog non nov
  nqo nso nus nwc nym nyn nyo nzi ojb ojc ojs ojw oka osa ota pag pal pam pap pau pcm pdc pdt peo pfl phn
  pis pms pnt pon pqm prg pro quc qug raj rap rar rgn rhg rif rof rom rtm rue rug rup rwk sad sah sam saq
  sas sat saz sba sbp scn sco sdc sdh seh sei sel ses sga sgs shi shn shu sid slh sli sly sma smj smn sms
  snk sog srn srr ssy stq str suk sus sux swb syc syr szl tce tcy tem teo ter tet tgx tht tig tiv tkl tkr
  tlh tli tly tmh tog tok tpi tru trv trw tsd tsi ttm ttt tum tvl twq tyv tzm udm uga umb vai vec vep vls
  vmf vmw vot vro vun wae wal war was wbp wuu xal xmf xnr xog yao yap yav ybb yrl yue zap zbl zea zen zgh
  zun zza
`;

/** The forms of languages that have names of their own: `Brazilian Portuguese` and `Portuguese (Brazil)`. */
const FORMS = `
  ar-001 de-AT de-CH en-AU en-CA en-GB en-US es-419 es-ES es-MX fa-AF fr-CA fr-CH nl-BE pt-BR pt-PT ro-MD
  sw-CD zh-Hans zh-Hant
`;

/**
 * Usual names that CLDR doesn't have: those of ISO 639 and of systems, former ones, and those that speakers use besides.
 * Names with several words have underscores.
 */
const OTHER_NAMES = `
  ar:Modern_Standard_Arabic arn:Mapudungun az:Azeri bal:Balochi be:Byelorussian be:Беларуская_мова bg:Български_език
  ca:Valencian ca:Valencià cab:Garifuna ckb:Sorani ckb:Sorani_Kurdish de:Standard_German dv:Maldivian dyu:Dioula
  el:Modern_Greek el:Ελληνική en:English_language en-GB:UK_English en-US:US_English es:Castellano es:Castilian
  fa:Farsi fa:Parsi ff:Fulani ff:Fulfulde ff:Pulaar fil:Pilipino fil:Tagalog fy:Frisian ga:Gaelic_Irish
  ga:Irish_Gaelic gd:Gaelic gd:Scottish gd:Scots_Gaelic haz:Hazaragi ht:Kreyòl_ayisyen id:Bahasa_Indonesia
  ilo:Ilocano ilo:Ilokano kg:Kikongo kk:Қазақша kk:Қазақ_тілі kl:Greenlandic km:Cambodian km:Central_Khmer
  ku:Kurmanji ku:Kurmanji_Kurdish ky:Kirghiz ky:Кыргыз_тили lg:Luganda lo:Laotian mn:Монгол_хэл ms:Bahasa_Malaysia
  ms:Bahasa_Melayu ms:Malaysian my:Myanmar_language nah:Nahuatl nan:Hokkien nb:Bokmål nb:Norsk_(bokmål) ne:Nepalese
  nl:Flemish nn:Nynorsk nn:Norsk_(nynorsk) nso:Sepedi ny:Chewa ny:Chichewa nyn:Runyankole om:Afaan_Oromo
  om:Afan_Oromo or:Oriya pa:Panjabi ps:Pushto pt-BR:Português_brasileiro pt-BR:Português_do_Brasil
  pt-PT:Português_de_Portugal rn:Kirundi ro:Moldavian ru:Русский_язык rw:Kinyarwanda si:Sinhalese sl:Slovene
  sr:Српски_језик sr-Cyrl:Serbian_(Cyrillic) sr-Latn:Serbian_(Latin) sr-Latn:Srpski ss:siSwati st:Sesotho st:Sotho
  tg:Tajiki th:ภาษาไทย ti:Tigrigna tk:Turkoman tn:Setswana ug:Uighur uk:Українська_мова ur:Urdū uz:Ўзбекча
  xh:Xhosa_isiXhosa zh:Mandarin zh:Mandarin_Chinese zh:Putonghua zh:汉语 zh:漢語 zh:华语 zh:華語 zh:国语 zh:國語 zh:普通话
  zza:Zazaki
`;

/** A longer text isn't a name. */
const MAX_LENGTH = 60;

/** The language with this very name, without regard to case and accents. */
export function findNamedLanguage(text: string): NamedLanguage | undefined {
  return text.length > MAX_LENGTH
    ? undefined
    : getNamedLanguages().get(foldForSearch(text.replaceAll("_", " ")));
}

/** The language whose name is one of the words. */
export const findLanguageAmong = (text: string): NamedLanguage | undefined =>
  findFirst(splitIntoWords(text, MIN_NAME), findNamedLanguage);

/** The language whose name is nearly one of the words. */
export function findNearLanguage(text: string): NamedLanguage | undefined {
  const names = [...getNamedLanguages().keys()].filter((name) => name.length >= MIN_NEAR);
  return findFirst(splitIntoWords(text, MIN_NEAR), (word) => {
    const nearest = findNearest(foldForSearch(word), names);
    return nearest === undefined ? undefined : getNamedLanguages().get(nearest);
  });
}

/** The language that a text with a wrong name or code probably means. A spreadsheet can have one mistake in each of its rows. */
export const guessLanguage = (text: string): NamedLanguage | undefined => guesses.memo(text).language;

const guesses = new LRUCache<string, { language: NamedLanguage | undefined }>({
  max: 1000,
  memoMethod: (text) => ({
    language: findNamedLanguage(text) ?? findLanguageAmong(text) ?? findNearLanguage(text),
  }),
});

/** `did you mean sw (Swahili)?` */
export const askWhether = ({ code, name }: NamedLanguage): string => `did you mean ${code} (${name})?`;

/** Shorter words are names, or like names, by accident. */
const MIN_NAME = 4;
const MIN_NEAR = 5;

const splitIntoWords = (text: string, minLength: number): string[] =>
  text
    .slice(0, MAX_LENGTH)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word.length >= minLength);

function findFirst<T>(words: readonly string[], find: (word: string) => T | undefined): T | undefined {
  for (const word of words) {
    const found = find(word);
    if (found !== undefined) return found;
  }
  return undefined;
}

let known: ReadonlyMap<string, NamedLanguage> | undefined;

/** By the folded name. Made when a name is first looked for, because it takes some 50 ms. */
function getNamedLanguages(): ReadonlyMap<string, NamedLanguage> {
  known ??= new Map(listAllNames().map(({ code, name }) => [foldForSearch(name), { code, name }]));
  return known;
}

/** English names last: they win where another language calls itself so. */
function listAllNames(): NamedLanguage[] {
  const codes = [...LANGUAGES.trim().split(/\s+/), ...FORMS.trim().split(/\s+/)].reverse();
  const own = Intl.DisplayNames.supportedLocalesOf(codes).flatMap((code) => listNamesIn(code, [code]));
  // Canada's English has Bengali, where others have Bangla.
  return [
    ...listOtherNames(),
    ...own,
    ...listNamesIn("en-CA", codes),
    ...listNamesIn("en", codes, "standard"),
    ...listNamesIn("en", codes),
  ];
}

const listOtherNames = (): { code: string; name: string }[] =>
  OTHER_NAMES.trim()
    .split(/\s+/)
    .map((entry) => entry.split(":"))
    .map(([code = "", name = ""]) => ({ code, name: name.replaceAll("_", " ") }));

function listNamesIn(
  locale: string,
  codes: readonly string[],
  languageDisplay: Intl.DisplayNamesLanguageDisplay = "dialect",
): NamedLanguage[] {
  const names = new Intl.DisplayNames([locale], { type: "language", fallback: "none", languageDisplay });
  return codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [{ code, name }];
  });
}
