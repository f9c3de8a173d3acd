import { readdirSync } from "node:fs";

const SOME_ID = "00000000-0000-4000-8000-000000000000";

/** The English addresses of all pages, by their routes' file names. What a page is about doesn't exist. */
export const PAGE_PATHS = readdirSync("app/routes")
  .filter((name) => name.startsWith("$locale") && name.endsWith(".tsx"))
  .map((name) => name.replace(/\.tsx$/, "").split("."))
  .map((parts) =>
    parts
      .filter((part) => part !== "_index")
      .map((part) => part.replace(/_$/, ""))
      .map((part) => (part === "$locale" ? "en" : part === "$" ? "nowhere" : part))
      .map((part) => (part.startsWith("$") ? SOME_ID : part)),
  )
  .map((parts) => `/${parts.join("/")}`);

/** The pages that are React in the browser, too. */
export const INTERACTIVE_PATHS = ["/en/files", "/en/demo/image-generator"];
