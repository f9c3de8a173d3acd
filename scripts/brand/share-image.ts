import path from "node:path";
import sharp from "sharp";
import { PACKS, PRODUCT_NAME } from "~/catalog";
import type { ShareImage } from "~/public-pages";

/** The size that previews of links show without cutting. */
const WIDTH = 1200;
const HEIGHT = 630;
const TILE = 212;
const TILE_GAP = 20;

/** Pictures of `public/samples/`, in two columns. */
export const SAMPLES: Record<ShareImage, string[]> = {
  home: ["lighthouse", "fox", "lemons", "dunes"],
  pricing: [],
  page: [],
};

/** Draws the picture for one kind of page, as PNG. No language is in it but the product's name. */
export async function drawShareImage(
  image: ShareImage,
  mark: string,
  samples: string[],
): Promise<Buffer> {
  const tiles = await Promise.all(samples.map(drawTile));
  const base = sharp(Buffer.from(background(image, mark)));
  return base.composite(tiles).png({ palette: true, colours: 128, effort: 9 }).toBuffer();
}

async function drawTile(name: string, index: number) {
  const corner = `<svg><rect width="${TILE}" height="${TILE}" rx="20"/></svg>`;
  const input = await sharp(path.resolve("public/samples", `${name}.svg`))
    .resize(TILE, TILE, { fit: "cover" })
    .composite([{ input: Buffer.from(corner), blend: "dest-in" }])
    .png()
    .toBuffer();
  const step = TILE + TILE_GAP;
  const left = WIDTH - 80 - 2 * TILE - TILE_GAP + (index % 2) * step;
  const top = (HEIGHT - 2 * TILE - TILE_GAP) / 2 + Math.floor(index / 2) * step;
  return { input, left, top };
}

function background(image: ShareImage, mark: string): string {
  const words = PRODUCT_NAME.split(" ");
  const first = 350 - (words.length - 1) * 14;
  const lines = words.map(
    (word, line) => `<text x="80" y="${first + line * 78}">${escapeXml(word)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#0c0c12"/>
    <svg x="80" y="110" width="128" height="128" viewBox="0 0 32 32">${inner(mark)}</svg>
    <g font-family="Inter, Segoe UI, DejaVu Sans, sans-serif" font-size="68" font-weight="700" fill="#f4f4f8">
      ${lines.join("")}
    </g>
    ${image === "pricing" ? packs() : ""}
  </svg>`;
}

/** Each pack as a coin and its credits. */
function packs(): string {
  const rows = PACKS.map(({ credits }, row) => {
    const y = 175 + row * 140;
    return `<circle cx="800" cy="${y}" r="38" fill="#f5b344"/>
      <circle cx="800" cy="${y}" r="26" fill="none" stroke="#a8690b" stroke-width="4"/>
      <text x="870" y="${y + 26}">${credits.toLocaleString("en")}</text>`;
  });
  const font = 'font-family="Inter, Segoe UI, DejaVu Sans, sans-serif" font-size="72"';
  return `<g ${font} font-weight="700" fill="#f8cb7c">${rows.join("")}</g>`;
}

function inner(svg: string): string {
  return svg.replace(/^\s*<svg[^>]*>/, "").replace(/<\/svg>\s*$/, "");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
