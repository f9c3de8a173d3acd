import { dropLines } from "../init/text-edits";
import type { Place } from "./place";

const COMMANDS = /`npm run (?:starter:react-router|react-router:\w+)`/;

/** Documents that tell of direct rendering or of the move. A team may have written them anew: then they stay as they are. */
export const DOCUMENTS: Place[] = [
  {
    file: "README.md",
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
    edit: (text) => dropLines(text, COMMANDS).replace(/ [^.\n]*`DIRECT_RENDERING=false`\./, ""),
  },
  {
    file: "docs/commands.md",
    edit: (text) => dropLines(text, COMMANDS).replace(", tries the move to React Router", ""),
  },
  {
    file: "docs/make-it-yours.md",
    edit: (text) =>
      text.replace(
        / redirect \} from "@remix-run\/node";\nimport \{ useLoaderData \} from "@remix-run\/react";/,
        ' redirect, useLoaderData } from "react-router";',
      ),
  },
  {
    file: "docs/upgrade.md",
    edit: (text) => text.replace(/## To React Router 7\n[\s\S]*?(?=\n## )\n/, ""),
  },
  {
    file: "docs/performance.md",
    edit: (text) =>
      text
        .replace(/Pages on Node [\d.]+, [\d-]+, with direct rendering[\s\S]*?\n\n(?:\|.*\n)+\n/, "")
        .replace(" ([upgrading](upgrade.md#to-react-router-7))", "")
        .replace(/- \*\*A signed-in page without script does not pass[\s\S]*?(?=\n- )\n/, ""),
  },
  {
    file: "docs/decisions/README.md",
    edit: (text) =>
      text.replace(
        /; `DIRECT_RENDERING=false` [^.|]*\./,
        "; superseded by the move to React Router.",
      ),
  },
  {
    file: "docs/security.md",
    edit: (text) =>
      text.replace(
        /Excepted now, because they do no harm, until the move[\s\S]*?(?=\n## )/,
        "None is excepted now.\n",
      ),
  },
  {
    file: "tests/README.md",
    edit: (text) =>
      text
        .replace(/`DIRECT_RENDERING=false`[^\n]*\n\n/, "")
        .replace(", move it to React Router", ""),
  },
  {
    file: "AGENTS.md",
    edit: (text) =>
      dropLines(text, COMMANDS).replace(", extended and moved to React Router", " and extended"),
  },
  ...["0036-direct-rendering", "0068-the-move-to-react-router-is-a-command"].map((name) => ({
    file: `docs/decisions/${name}.md`,
    edit: (text: string) =>
      text.replace("Status: accepted", "Status: superseded by the move to React Router"),
  })),
];
