import { listVariables } from "~/env.server";
import { isClientCurrent } from "../../generate-client.mjs";
import { CONFIGURATION_DOC, renderConfigurationDoc } from "../../validate/configuration-doc";
import { namesInExample } from "../env-example";
import { readTextOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

/** Checks that generated files match their current sources. */
export function checkGenerated(tree: Tree): Check {
  const named = new Set(namesInExample(readTextOf(tree, ".env.example") ?? ""));
  const unnamed = listVariables().filter(({ name }) => !named.has(name));
  return checkOf(
    "generated",
    [
      ...(readTextOf(tree, CONFIGURATION_DOC) === renderConfigurationDoc()
        ? []
        : [`${CONFIGURATION_DOC} is out of date: npm run validate:docs -- --write`]),
      ...unnamed.map(
        ({ name }) =>
          `.env.example does not name ${name}: add it by hand, with a comment that says what it is for`,
      ),
      ...(isClientCurrent()
        ? []
        : ["the database client belongs to another schema: node scripts/generate-client.mjs"]),
    ],
    `${CONFIGURATION_DOC}, .env.example and the database client are current`,
  );
}
