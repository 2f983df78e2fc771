/** Recognises what programs write in place of a title or a name that was never given, in the languages of their users. */

const UNTITLED = [
  "untitled(?: document)?[- ]?\\d*|\\[?no title\\]?|new (?:page|document) ?\\d*",
  "unbenannt(?:es dokument)?(?: ?\\d+)?|ohne titel|neue seite \\d+",
  "(?:document )?sans (?:titre|nom)(?: ?\\d+)?|nouvelle page \\d+",
  "(?:documento )?sin (?:título|nombre)(?: ?\\d+)?|(?:página nueva|nueva página) \\d+",
  "(?:documento )?sem (?:título|nome)(?: ?\\d+)?|nova página \\d+",
  "(?:documento )?senza (?:titolo|nome)(?: ?\\d+)?|nuova pagina \\d+",
  "naamloos(?: document)?(?: ?\\d+)?|zonder titel|(?:dokument )?bez (?:tytułu|nazwy)(?: ?\\d+)?",
  "(?:документ )?без (?:названия|имени|заголовка)(?: ?\\d+)?|без назви|новая страница \\d+",
  "(?:مستند )?(?:بدون|بلا) عنوان|(?:无标题|未命名|無標題)(?:文档|文件)?|無題(?: ?(?:ドキュメント|文書))?|名称未設定|제목 ?없음",
];

const NUMBERED = [
  "layout|slide|folie|diapositive|diapositiva|slajd|слайд|幻灯片|投影片|スライド|슬라이드",
  "document|dokument|documento|документ|文档|文件|文書|ドキュメント|문서",
  "track|audiotrack|titel|piste|pista|faixa|дорожка|трек|音轨|トラック|트랙",
];

const ALBUMS =
  "unknown album|unbekanntes album|album inconnu|álbum descon(?:oc|hec)ido|album sconosciuto|onbekend album|nieznany album|неизвестный альбом|未知专辑|未知專輯|不明なアルバム|ألبوم غير معروف";

/** "PowerPoint" with the word for a presentation on either side. */
const SLIDES =
  "(?:presentación|presentazione|apresentação|présentation|презентация|презентація|prezentacja|عرض تقديمي)(?: standard)?(?: d[eio]| في)? powerpoint|powerpoint[- ](?:presentation|präsentation|presentatie|presentasjon|præsentation|演示文稿|簡報|プレゼンテーション|프레젠테이션)";

const FILES = [
  "microsoft (?:office )?(?:word|powerpoint|excel|publisher) - .*",
  "(?:file|https?):\\/\\/\\S*|[a-z]:[\\\\/]\\S*",
  ".*\\.(?:docx?|odt|rtf|pages|indd(?: \\d+)?|qxd|pub|pptx?|odp|xlsx?|tex|dvi|pdf|ps|tiff?|jpe?g|png|tmp)",
  "(?:img|scan|dsc|scn)[-_ ]?\\d{3,}|scanned (?:document|image)|full page photo(?: print)?",
].join("|");

/** What a program writes for a value that isn't there. */
const NOTHING = "\\(null\\)|null|undefined|[-–—_.\\s]+";

/** Letters that an encoding didn't have. */
const LOST = "[?\\s]*\\?{3}[?\\s]*";

const TITLE = new RegExp(
  `^(?:${[...UNTITLED, `(?:${NUMBERED.join("|")}) ?\\d+`, ALBUMS, SLIDES, FILES, NOTHING, LOST].join("|")})$`,
  "iu",
);

/** Whether a program has made up the title of an untitled document. @param title on one line, in NFC */
export const isMadeUpTitle = (title: string): boolean => TITLE.test(title);

const UNKNOWN =
  "unknown(?: (?:author|artist))?|unbekannt(?:er (?:autor|interpret|künstler))?|(?:auteur |artiste )?inconnu|(?:autor |artista )?(?:desconocido|desconhecido)|(?:autore |artista )?sconosciuto|onbekend|nieznany|неизвестно|неизвестный(?: (?:автор|исполнитель))?|невідомий(?: автор)?|(?:مؤلف )?غير معروف|未知|不明";

/** Of albums; an anthology can be by "Various". */
const SEVERAL =
  "various artists|(?:verschiedene|diverse) (?:interpreten|künstler)|artistes divers|divers artistes|varios artistas|vários artistas|artisti vari|diverse artiesten|różni wykonawcy|разные исполнители|فنانون متنوعون|群星|合輯|オムニバス";

const NO_NAME = new RegExp(`^(?:${UNKNOWN}|${SEVERAL})$`, "iu");

/** Whether a program has written the name because none is known. */
export const isNoName = (text: string): boolean => NO_NAME.test(text.trim());

/** The one who uses a machine. */
const ACCOUNTS = [
  "user|admin|administrator|owner|author|customer",
  "utente|usuario|usuário|benutzer|utilisateur|gebruiker|użytkownik|uživatel|bruker|användare|felhasználó|kullanıcı",
  "пользователь|користувач|مستخدم|المستخدم|用户|使用者|ユーザー|사용자",
  "administrateur|administrador|amministratore|beheerder|администратор|адміністратор|管理员|管理者|관리자",
].join("|");
const SYSTEM = "(?:microsoft|windows|office|ms)(?:[ -](?:office|word))?";

const NO_PERSON = new RegExp(
  `^(?:(?:${SYSTEM}[ -])?(?:${ACCOUNTS})(?: d[eio])?(?: ${SYSTEM})?|\\w+ user|microsoft office|python-docx)$`,
  "iu",
);

/** Whether a name is that of a person: word processors fill in who uses the machine, and what the template is called. */
export const isPerson = (name: string): boolean => !NO_PERSON.test(name.trim()) && !isNoName(name);
