import { API_LOCALE, LOCALES } from "~/i18n/locale";
import { runCommand } from "../lib/command";
import { readFolder, readText } from "../lib/read-files";
import { checkMessages, compareLocales } from "./compare-locales";
import { findComponentText } from "./component-text";
import { checkKeyUsage } from "./key-usage";
import { readMessages } from "./messages";
import { formatProblems } from "./problem";

/** The app's sources, without generated files and tests. */
const SOURCE = /^app\/(?!generated\/)(?!.*\.test\.tsx?$).*\.tsx?$/;

/** Pages that only developers see, in English. */
const DEVELOPERS_PAGE = /^app\/(components\/dev-ui\/|routes\/dev\.(ui|emails)\.tsx$)/;

/*
 * Why not a library: @lingual/i18n-check 0.9.5 (94 packages) missed extra and repeated keys, untranslated
 * texts, and plural forms that a language lacks, and one invalid text hid all others from it. Biome's
 * noJsxLiterals sees neither `{busy ? "Sending" : …}` nor `aria-label="Main"`.
 */
await runCommand({
  name: "validate:i18n",
  usage: `Checks the texts in app/i18n/locales and their use in app/.
Every language must have the same keys with the same arguments, all translated and used, and no
component may hold untranslated text. Prints one line per problem.`,
  async run({ print }) {
    const languages = LOCALES.map((locale) =>
      readMessages(locale, readText(`app/i18n/locales/${locale}.json`)),
    );
    const messages = languages.map((language) => language.messages);
    const reference = messages.find(({ locale }) => locale === API_LOCALE);
    if (!reference) throw new Error(`${API_LOCALE} is not one of the languages`);
    const sources = readFolder("app", SOURCE);

    const problems = [
      ...languages.flatMap((language) => language.problems),
      ...messages.flatMap(checkMessages),
      ...messages.flatMap((other) => (other === reference ? [] : compareLocales(reference, other))),
      ...checkKeyUsage(sources, reference),
      ...sources
        .filter(({ file }) => file.endsWith(".tsx") && !DEVELOPERS_PAGE.test(file))
        .flatMap(findComponentText),
    ];
    for (const line of formatProblems(problems)) print(line);
    print(
      `${reference.byKey.size} keys in ${LOCALES.join(", ")}, ${sources.length} source files: ${problems.length} problems`,
    );
    return problems.length > 0 ? 1 : 0;
  },
});
