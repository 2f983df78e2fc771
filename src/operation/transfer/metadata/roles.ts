/** The roles of people in the metadata of books: MARC relators, ONIX codes and words. */
import { MAX_WORD, toLine } from "./metadata.ts";

/** The usual ones; others stay as they are written. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["aut", "author"],
  ["cre", "author"],
  ["a01", "author"],
  // Not certainly the author, and the only one that is known.
  ["att", "author"],
  ["dub", "author"],
  ["ctb", "contributor"],
  ["trl", "translator"],
  ["b06", "translator"],
  ["ill", "illustrator"],
  ["a12", "illustrator"],
  ["edt", "editor"],
  ["b01", "editor"],
  ["nrt", "narrator"],
  ["e07", "narrator"],
  ["art", "artist"],
  ["a35", "artist"],
  ["pht", "photographer"],
  ["a13", "photographer"],
  ["bkp", "producer"],
  ["aui", "author of introduction"],
  ["a24", "author of introduction"],
]);

/** Words that mean an author. */
const AUTHORS = new Set(["author", "authors", "creator", "writer", "main author"]);

/** All codes of the MARC relators. */
const RELATORS = new Set(
  `
  abr acp act adi adp aft anc anl anm ann ant ape apl app aqt arc ard arr art asg asn ato att auc aud aue aui aup aus
  aut bdd bjd bka bkd bkp blw bnd bpd brd brl bsl cad cas ccp chr cli cll clr clt cmm cmp cmt cnd cng cns coe col com
  con cop cor cos cot cou cov cpc cpe cph cpl cpt cre crp crr crt csl csp cst ctb cte ctg ctr cts ctt cur cwt dbd dbp
  dfd dfe dft dgc dgg dgs dis djo dln dnc dnr dpc dpt drm drt dsr dst dtc dte dtm dto dub edc edd edm edt egr elg elt
  eng enj etr evp exp fac fds fld flm fmd fmk fmo fmp fnd fon fpy frg gdv gis grt his hnr hst ill ilu ink ins inv isb
  itr ive ivr jud jug kad lbr lbt ldr led lee lel len let lgd lie lil lit lsa lse lso ltg ltr lyr mcp mdc med mfp mfr
  mka mod mon mrb mrk msd mte mtk mup mus mxe nan nrt onp opn org orm orr osp oth own pad pan pat pbd pbl pdr pfr pht
  plt pma pmn pnc pop ppm ppt pra prc prd pre prf prg prm prn pro prp prs prt prv pta pte ptf pth ptt pup rap rbr rcd
  rce rcp rdd red ren res rev rpc rps rpt rpy rse rsg rsp rsr rst rth rtm rxa sad sce scl scr sde sds sec sfx sgd sgn
  sht sll sng spk spn spy srv std stg stl stm stn str swd tad tau tcd tch ths tld tlg tlh tlp trc trl tyd tyg uvp vac
  vdg vfx vid voc wac wal wam wat waw wdc wde wfs wft win wit wpr wst wts
  `
    .trim()
    .split(/\s+/),
);

export interface Role {
  name: string;
  /** Whether it is a code or word of a list; otherwise it says nothing certain. */
  isKnown: boolean;
}

/** A relator can be a URI, `http://id.loc.gov/vocabulary/relators/aut`. Undefined for an empty one. */
export function findRole(given: string): Role | undefined {
  const text = given.trim().replace(/^.*[/#:]/, "");
  const code = text.toLowerCase();
  if (AUTHORS.has(code)) return { name: "author", isKnown: true };
  const name = ROLES.get(code) ?? (WORDS.has(code) ? code : toLine(text, MAX_WORD));
  return name === undefined
    ? undefined
    : { name, isKnown: ROLES.has(code) || RELATORS.has(code) || WORDS.has(code) };
}

const WORDS = new Set(ROLES.values());
