import { dropLines } from "../init/text-edits";
import type { Place } from "./place";

const COMMANDS = /`npm run (?:starter:react-router|react-router:\w+)`/;
const WHAT = "drop the move to React Router, and direct rendering";

/** Documents that tell of direct rendering or of the move. */
export const DOCUMENTS: Place[] = [
  {
    file: "README.md",
    what: "name React Router as the framework",
    edit: (text) =>
      text
        .replace(
          /^\| framework \| Remix 2.*$/m,
          "| framework | React Router 7, in framework mode |",
        )
        .replace("server-rendered Remix app", "server-rendered React Router app"),
  },
  {
    file: "CHANGELOG.md",
    what: WHAT,
    edit: (text) => dropLines(text, COMMANDS).replace(/ [^.\n]*`DIRECT_RENDERING=false`\./, ""),
  },
  { file: "docs/commands.md", what: WHAT, edit: (text) => dropLines(text, COMMANDS) },
  {
    file: "docs/upgrade.md",
    what: WHAT,
    edit: (text) => text.replace(/## To React Router 7\n[\s\S]*?(?=\n## )\n/, ""),
  },
  {
    file: "docs/performance.md",
    what: "drop the figures of direct rendering",
    edit: (text) =>
      text.replace(
        /Pages on Node [\d.]+, [\d-]+, with direct rendering[\s\S]*?\n\n(?:\|.*\n)+\n/,
        "",
      ),
  },
  {
    file: "docs/decisions/README.md",
    what: WHAT,
    edit: (text) =>
      text.replace(
        /; `DIRECT_RENDERING=false` [^.|]*\./,
        "; superseded by the move to React Router.",
      ),
  },
  ...["0036-direct-rendering", "0068-the-move-to-react-router-is-a-command"].map((name) => ({
    file: `docs/decisions/${name}.md`,
    what: "say that it is superseded",
    edit: (text: string) =>
      text.replace("Status: accepted", "Status: superseded by the move to React Router"),
  })),
];
