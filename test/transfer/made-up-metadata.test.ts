/** What programs write in place of titles and names, and how they write several names and keywords. */
import { expect, it } from "vitest";
import { isMadeUpTitle, isPerson } from "../../src/operation/transfer/metadata/made-up.ts";
import { splitNames, splitWords } from "../../src/operation/transfer/metadata/metadata.ts";

it.each([
  "Untitled",
  "Untitled-2",
  "Untitled Document",
  "[No Title]",
  "New Page 1",
  "Unbenanntes Dokument",
  "Ohne Titel",
  "Sans titre 1",
  "Document sans nom",
  "Sin título",
  "Documento sin título",
  "Documento sem título",
  "Documento senza titolo",
  "Bez tytułu",
  "Без имени 1",
  "Документ без названия",
  "بدون عنوان",
  "无标题文档",
  "未命名",
  "無題ドキュメント",
  "Document1",
  "Документ1",
  "文書 1",
  "Folie 1",
  "Diapositive 12",
  "Слайд 1",
  "幻灯片 1",
  "PowerPoint Presentation",
  "PowerPoint-Präsentation",
  "Présentation PowerPoint",
  "Presentación de PowerPoint",
  "Presentazione standard di PowerPoint",
  "Apresentação do PowerPoint",
  "Презентация PowerPoint",
  "PowerPoint 演示文稿",
  "PowerPoint プレゼンテーション",
  "عرض تقديمي في PowerPoint",
  "Microsoft Word - draft",
  "file:///C:/books/well.html",
  "https://example.org/well",
  "well final.docx",
  "Microsoft Office Word - draft",
  "C:\\books\\well",
  "9780306406157_int.indd 3",
  "page 12.tif",
  "IMG_0042",
  "Scanned Document",
  "Full page photo",
  "(null)",
  "-",
  "Track 01",
  "Piste 1",
  "Дорожка 1",
  "Unknown Album",
  "Unbekanntes Album",
  "Album inconnu",
  "Неизвестный альбом",
  "?????",
])("a program has made up the title %s", (title) => {
  expect(isMadeUpTitle(title)).toBe(true);
});

it.each([
  "Untitled Poems of Ana",
  "Sans titre ni loi",
  "Document of Barbarism",
  "Track 01 and Other Stories",
  "The Slide",
  "Scandal",
  "Img",
  "Null Island",
  "PowerPoint for Teachers",
  "Presentación de los libros",
  "1984",
  "?",
  "Who? What? Why???",
  "https://example.org/well and other addresses",
  "Книга без названия и без имени",
])("a person has given the title %s", (title) => {
  expect(isMadeUpTitle(title)).toBe(false);
});

it.each([
  "User",
  "Microsoft Office User",
  "Windows User",
  "Administrator",
  "Utilisateur Windows",
  "Utilisateur de Microsoft Office",
  "Usuario de Windows",
  "Windows-Benutzer",
  "Microsoft Office-Benutzer",
  "Пользователь",
  "Пользователь Windows",
  "Администратор",
  "用户",
  "Microsoft Office",
  "Unknown",
  " неизвестный автор ",
])("%s isn't a person", (name) => {
  expect(isPerson(name)).toBe(false);
});

it.each(["Ana Núñez", "Usher", "Владимир Пользователев", "Microsoft Press", "User Friendly Ltd"])(
  "%s can be a person",
  (name) => {
    expect(isPerson(name)).toBe(true);
  },
);

it("separates names by semicolons of any script, and none by the end of a character reference", () => {
  expect(splitNames("Ana; Ben；王丽؛ منى")).toEqual(["Ana", " Ben", "王丽", " منى"]);
  expect(splitNames("Jos&eacute; Pe&#241;a; <b>Tom</b> &amp; Jerry")).toEqual(["José Peña", " Tom & Jerry"]);
  expect(splitNames("Núñez, Ana")).toEqual(["Núñez, Ana"]);
});

it("separates keywords by the commas of any script, too", () => {
  expect(splitWords("water, wells;海，灯、河؛ ماء، بئر")).toEqual([
    "water",
    " wells",
    "海",
    "灯",
    "河",
    " ماء",
    " بئر",
  ]);
});
