/** The named characters of HTML 4 and XHTML 1, and the letters of Latin alphabets in HTML 5, which metadata of books uses without declaring them. */

/** Runs of names: each begins with the number of its first character in hexadecimal, and the next names follow it. */
const NAMES = `
  a0: nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml
  Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde
  Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig
  ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
  oslash ugrave uacute ucirc uuml yacute thorn yuml 100: Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc
  ccirc Cdot cdot Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr emacr 116: Edot edot Eogon eogon Ecaron ecaron
  Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil 124: Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr 12e: Iogon
  iogon Idot inodot IJlig ijlig Jcirc jcirc Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot
  lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron napos ENG eng Omacr omacr 150: Odblac odblac OElig
  oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc Scedil scedil Scaron scaron Tcedil
  tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr Ubreve ubreve Uring uring Udblac udblac Uogon uogon
  Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron 192: fnof 2c6:
  circ 2dc: tilde 391: Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho
  3a3: Sigma Tau Upsilon Phi Chi Psi Omega 3b1: alpha beta gamma delta epsilon zeta eta theta iota kappa lambda
  mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega 3d1: thetasym upsih 3d6: piv 2002: ensp
  emsp 2009: thinsp 200c: zwnj zwj lrm rlm 2013: ndash mdash 2018: lsquo rsquo sbquo 201c: ldquo rdquo bdquo
  2020: dagger Dagger bull 2026: hellip 2030: permil 2032: prime Prime 2039: lsaquo rsaquo 203e: oline 2044:
  frasl 20ac: euro 2111: image 2118: weierp 211c: real 2122: trade 2135: alefsym 2190: larr uarr rarr darr harr
  21b5: crarr 21d0: lArr uArr rArr dArr hArr 2200: forall 2202: part exist 2205: empty 2207: nabla isin notin
  220b: ni 220f: prod 2211: sum minus 2217: lowast 221a: radic 221d: prop infin 2220: ang 2227: and or cap cup
  int 2234: there4 223c: sim 2245: cong 2248: asymp 2260: ne equiv 2264: le ge 2282: sub sup nsub 2286: sube
  supe 2295: oplus 2297: otimes 22a5: perp 22c5: sdot 2308: lceil rceil lfloor rfloor 2329: lang rang 25ca: loz
  2660: spades 2663: clubs 2665: hearts diams
`;

let known: ReadonlyMap<string, string> | undefined;

/** The character of a name such as `eacute`, case-sensitive; undefined if there is none. */
export function findNamedCharacter(name: string): string | undefined {
  known ??= new Map([...listNamed(), ["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"]]);
  return known.get(name);
}

function listNamed(): [string, string][] {
  let next = 0;
  return NAMES.trim()
    .split(/\s+/)
    .flatMap((word): [string, string][] => {
      if (word.endsWith(":")) next = Number.parseInt(word, 16);
      else return [[word, String.fromCodePoint(next++)]];
      return [];
    });
}

/** The character of a numeric reference; undefined for what is no character. */
export function findNumberedCharacter(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]\w{1,9}));/gi;

/** With characters in place of references; those that mean none stay. */
export const decodeReferences = (text: string): string =>
  text.replace(REFERENCE, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return findNamedCharacter(name) ?? all;
    return findNumberedCharacter(decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16)) ?? all;
  });
