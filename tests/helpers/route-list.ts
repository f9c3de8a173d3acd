import { readdirSync, readFileSync } from "node:fs";
import { LOCALES } from "~/i18n/locale";

export interface ListedRoute {
  /** `/{locale}/files/{fileId}/delete` */
  address: string;
  /** Whether a GET responds with a page. */
  isPage: boolean;
  /** Whether the page cache serves it. */
  isSameForAll: boolean;
}

/** `$locale.files_.$fileId.delete.tsx` → `/{locale}/files/{fileId}/delete`; a splat becomes `*`. */
function addressOf(file: string): string {
  const parts = file
    .replace(/\.tsx?$/, "")
    .replaceAll("[.]", "\0")
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => part.replace(/_$/, "").replaceAll("\0", "."))
    .map((part) => (part === "$" ? "*" : part.replace(/^\$(\w+)$/, "{$1}")));
  return `/${parts.join("/")}`;
}

/** Lists the routes by their files; layouts have no address of their own. */
export function listRoutes(): ListedRoute[] {
  const folder = "app/routes";
  return readdirSync(folder)
    .filter((file) => !/\.(test|server)\.tsx?$/.test(file) && file !== "$locale.tsx")
    .map((file) => {
      const source = readFileSync(`${folder}/${file}`, "utf8");
      return {
        address: addressOf(file),
        isPage: source.includes("export default "),
        isSameForAll: source.includes("sameForAll: true"),
      };
    });
}

/** Lists the pages, or the files and JSON, of the routes that say `sameForAll`, in every language. */
export function listCached({ pages }: { pages: boolean }): string[] {
  return listRoutes()
    .filter(({ isSameForAll, isPage }) => isSameForAll && isPage === pages)
    .flatMap(({ address }) =>
      address.startsWith("/{locale}")
        ? LOCALES.map((locale) => address.replace("{locale}", locale))
        : [address],
    );
}

const PLACES: Record<string, string> = {
  locale: "en",
  provider: "github",
  name: "verify_email",
  index: "0",
};
const SOME_ID = "00000000-0000-4000-8000-000000000000";

/** An address with a value for each parameter. */
export function pathTo(address: string, values: Record<string, string> = {}): string {
  return address
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? PLACES[name] ?? SOME_ID)
    .replace("*", "nowhere");
}

/** The methods that the server takes there, HEAD aside. */
export async function methodsAt(url: string, address: string): Promise<string[]> {
  // No route takes PATCH, so the refusal names the methods. A splat of the API refuses them all alike.
  const { headers } = await fetch(url + pathTo(address), { method: "PATCH", redirect: "manual" });
  const allowed = headers.get("Allow")?.split(", ") ?? ["GET", "POST"];
  return allowed.filter((method) => method !== "HEAD");
}
