import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { listVariables } from "~/env.server";
import { openApiDocument } from "~/server/openapi/document.server";
import { runCommand } from "../lib/command";
import { readFolder, readText } from "../lib/read-files";
import { ENV_EXAMPLE, withCatalogNames } from "../starter/env-example";
import { ASVS_DOC, checkAsvs, withTotals } from "./check-asvs";
import { checkLinks } from "./check-links";
import { checkScripts } from "./check-scripts";
import { checkVariables } from "./check-variables";
import { CONFIGURATION_DOC, renderConfigurationDoc } from "./configuration-doc";
import { HTTP_DOC, withOperations } from "./http-doc";
import { currentPart, parseDoc } from "./markdown";
import { SECURITY_DOC, withOutboundList } from "./outbound-doc";
import { formatProblems, type Problem } from "./problem";
import { testTitles } from "./test-titles";

/** Documents outside docs/. */
const TOP_FILES = ["README.md", "CHANGELOG.md", "AGENTS.md", "SECURITY.md", "tests/README.md"];

const API = openApiDocument(new URL("http://localhost:3000"));

await runCommand({
  name: "validate:docs",
  usage: `Checks docs/ and the documents outside it, README.md among them.
Links and anchors must work, every named command and variable must exist and every existing one must be
documented, docs/http-api.md must match OpenAPI, docs/configuration.md the schema, the list of
outbound connections in docs/security.md the code, .env.example must list the catalog's prices, and
docs/asvs.md must have every item once, with tests that exist. Prints one line per problem.`,
  options: {
    write: {
      type: "boolean",
      help: `write ${CONFIGURATION_DOC} and the routes in ${HTTP_DOC}, the lists in ${SECURITY_DOC} and ${ENV_EXAMPLE} and the totals of ${ASVS_DOC} first, instead of comparing them`,
    },
  },
  async run({ values, print }) {
    if (values.write) {
      writeFileSync(CONFIGURATION_DOC, renderConfigurationDoc());
      writeFileSync(HTTP_DOC, withOperations(readFileSync(HTTP_DOC, "utf8"), API));
      writeFileSync(SECURITY_DOC, withOutboundList(readFileSync(SECURITY_DOC, "utf8")));
      writeFileSync(ENV_EXAMPLE, withCatalogNames(readFileSync(ENV_EXAMPLE, "utf8")));
      writeFileSync(ASVS_DOC, withTotals(readFileSync(ASVS_DOC, "utf8")));
    }
    const top = TOP_FILES.filter((file) => existsSync(file)).map(readText);
    const files = [...top, ...readFolder("docs", /\.md$/)];
    const current = files.map(currentPart).map(parseDoc);

    const problems = [
      ...checkLinks({ docs: files.map(parseDoc), exists: existsSync }),
      ...checkScripts({ docs: current, packageJson: readText("package.json") }),
      ...checkVariables({ docs: current, variables: listVariables() }),
      ...checkAsvs({ doc: readText(ASVS_DOC), titlesOf }),
      ...checkConfigurationDoc(),
      ...checkHttpDoc(),
      ...checkOutboundList(),
      ...checkEnvExample(),
    ];
    for (const line of formatProblems(problems)) print(line);
    print(`${files.length} files: ${problems.length} problems`);
    return problems.length > 0 ? 1 : 0;
  },
});

function titlesOf(file: string): string[] | null {
  return existsSync(file) ? testTitles(readText(file)) : null;
}

function checkConfigurationDoc(): Problem[] {
  const written = existsSync(CONFIGURATION_DOC) ? readFileSync(CONFIGURATION_DOC, "utf8") : "";
  const text = "does not match app/env/: run npm run validate:docs -- --write";
  return written === renderConfigurationDoc() ? [] : [{ file: CONFIGURATION_DOC, line: 1, text }];
}

function checkHttpDoc(): Problem[] {
  const written = readFileSync(HTTP_DOC, "utf8");
  const text = "shows other routes than app/server/openapi/: run npm run validate:docs -- --write";
  return written === withOperations(written, API) ? [] : [{ file: HTTP_DOC, line: 1, text }];
}

function checkOutboundList(): Problem[] {
  const written = readFileSync(SECURITY_DOC, "utf8");
  const text =
    "lists other outbound connections than app/services/outgoing/purposes.server.ts: run npm run validate:docs -- --write";
  return written === withOutboundList(written) ? [] : [{ file: SECURITY_DOC, line: 1, text }];
}

function checkEnvExample(): Problem[] {
  const written = readFileSync(ENV_EXAMPLE, "utf8");
  const text = "lists different prices from app/catalog.ts: run npm run validate:docs -- --write";
  return written === withCatalogNames(written) ? [] : [{ file: ENV_EXAMPLE, line: 1, text }];
}
