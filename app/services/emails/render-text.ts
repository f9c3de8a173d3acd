import type { EmailBlock, EmailContent, EmailFrame } from "~/services/emails/email-content";

/** Writes an email as plain text. */
export function renderText(
  content: EmailContent,
  { lang, product, turnOff, support, siteUrl }: EmailFrame,
): string {
  // Chinese has a wide colon, without a blank after it.
  const colon = lang === "zh" ? "：" : ": ";
  const { figure, heading, blocks, reason } = content;
  const links = [turnOff, support].filter((link) => link !== null);
  const footer = [reason, ...links.map(({ label, url }) => `${label}${colon}${shown(url)}`)];
  const parts = [
    figure ? `${figure} ${heading}` : heading,
    ...blocks.map((block) => writeBlock(block, colon)),
    `-- \n${[...footer, `${product}, ${siteUrl}`].join("\n")}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** An address to write to is no link in a plain text. */
const shown = (url: string) => url.replace(/^mailto:/, "");

function writeBlock(block: EmailBlock, colon: string): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "button":
    case "link":
      // On a line of its own: mail programs make a link of it, however long it is.
      return `${block.label}${colon.trim()}\n${block.url}`;
    case "facts": {
      const rows = block.rows.map(([label, value]) => `${label}${colon}${value}`);
      return [...(block.title ? [block.title] : []), ...rows].join("\n");
    }
  }
}
