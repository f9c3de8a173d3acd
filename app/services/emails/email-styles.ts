import type { CSSProperties } from "react";

/**
 * Colours for light and dark: those of the site, written out, since mail programs know no variables.
 * Light ones stand inline, for programs that drop the style sheet.
 */
const COLORS = {
  page: ["#f8f8fb", "#0c0c12"],
  card: ["#ffffff", "#15151d"],
  line: ["#e2e2ea", "#2b2b38"],
  ink: ["#16161d", "#f4f4f8"],
  muted: ["#50505e", "#b6b6c4"],
  faint: ["#636373", "#9797a8"],
  accent: ["#4f46e0", "#645bf0"],
  credits: ["#85500a", "#f8cb7c"],
} as const;

const light = (name: keyof typeof COLORS): string => COLORS[name][0];

const FONT =
  "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'PingFang SC','Microsoft YaHei',sans-serif";

export const STYLES = {
  page: { margin: 0, padding: 0, backgroundColor: light("page") },
  outer: { padding: "24px 12px 40px" },
  column: { maxWidth: 600, margin: "0 auto", fontFamily: FONT, fontSize: 16, lineHeight: 1.5 },
  brand: { margin: "0 4px 16px", fontWeight: 700, color: light("ink") },
  mark: {
    display: "inline-block",
    width: 12,
    height: 12,
    marginRight: 8,
    borderRadius: 10,
    backgroundColor: "#f2a51f",
    border: "4px solid #4f46e0",
    verticalAlign: -4,
  },
  card: {
    padding: "36px 40px 20px",
    backgroundColor: light("card"),
    border: `1px solid ${light("line")}`,
    borderRadius: 12,
  },
  figure: {
    margin: "0 0 8px",
    fontSize: 56,
    lineHeight: 1,
    fontWeight: 700,
    letterSpacing: -2,
    color: light("credits"),
  },
  heading: { margin: "0 0 12px", fontSize: 24, lineHeight: 1.25, color: light("ink") },
  text: { margin: "0 0 20px", color: light("muted"), overflowWrap: "anywhere" },
  action: { margin: "28px 0 12px" },
  button: {
    display: "inline-block",
    padding: "13px 28px",
    borderRadius: 8,
    backgroundColor: light("accent"),
    color: "#ffffff",
    fontWeight: 700,
    textAlign: "center",
    textDecoration: "none",
  },
  address: {
    margin: "0 0 28px",
    fontSize: 13,
    color: light("faint"),
    overflowWrap: "anywhere",
    wordBreak: "break-word",
  },
  link: { color: light("muted") },
  facts: { padding: "16px 0 4px", borderTop: `1px solid ${light("line")}` },
  factsTitle: { margin: "0 0 8px", fontSize: 16, color: light("ink") },
  factsTable: { width: "100%", borderCollapse: "collapse", margin: "0 0 16px" },
  label: {
    padding: "3px 16px 3px 0",
    verticalAlign: "top",
    textAlign: "left",
    fontWeight: 400,
    whiteSpace: "nowrap",
    color: light("faint"),
  },
  value: {
    padding: "3px 0",
    verticalAlign: "top",
    textAlign: "right",
    color: light("ink"),
    overflowWrap: "anywhere",
  },
  footer: { margin: "20px 4px 0", fontSize: 13, color: light("faint"), overflowWrap: "anywhere" },
  footerLink: { color: light("faint") },
  preview: { display: "none", maxHeight: 0, overflow: "hidden" },
} satisfies Record<string, CSSProperties>;

/** The style sheet: dark mode and small screens. Its class names stand beside the inline styles. */
export const STYLE_SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .outer { padding: 12px 8px 32px !important; }
  .card { padding: 24px 20px 8px !important; }
  .figure { font-size: 48px !important; }
  .button { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: ${COLORS.page[1]} !important; }
  .card { background-color: ${COLORS.card[1]} !important; border-color: ${COLORS.line[1]} !important; }
  .ink { color: ${COLORS.ink[1]} !important; }
  .muted { color: ${COLORS.muted[1]} !important; }
  .faint { color: ${COLORS.faint[1]} !important; }
  .rule { border-color: ${COLORS.line[1]} !important; }
  .figure { color: ${COLORS.credits[1]} !important; }
  .button { background-color: ${COLORS.accent[1]} !important; }
}`;
