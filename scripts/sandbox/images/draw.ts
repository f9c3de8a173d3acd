import { createHash } from "node:crypto";
import { encodePng } from "./png";

type Colour = [red: number, green: number, blue: number];

/** Returns a picture's seed: the same prompt and number give the same picture. */
export function seedOf(prompt: string, number: number): string {
  return createHash("sha256").update(`${number} ${prompt}`).digest("hex").slice(0, 32);
}

const LAYERS = 5;

/** Draws a landscape with hills under a low sun, as PNG. Colours and shapes depend only on the seed. */
export function drawPicture(seed: string, width: number, height: number): Buffer {
  const random = randomFrom(seed);
  const hue = random() * 360;
  const turn = 30 + random() * 50;
  const high = hsl(hue, 0.55, 0.22 + random() * 0.25);
  const low = hsl(hue + turn, 0.75, 0.74);
  const glow = hsl(hue + turn * 1.3, 0.9, 0.86);
  const near = hsl(hue + 160 + random() * 60, 0.45, 0.12);

  const size = Math.min(width, height);
  const sun = {
    x: width * (0.2 + random() * 0.6),
    y: height * (0.25 + random() * 0.25),
    radius: size * (0.06 + random() * 0.07),
  };
  const ridges = Array.from({ length: LAYERS }, (_, layer) => {
    const depth = layer / (LAYERS - 1);
    return {
      line: drawRidge(random, width, height, depth),
      colour: mix(low, near, 0.25 + depth * 0.75),
    };
  }).reverse();

  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const sky = mix(high, low, Math.min(1, (y / height) * 1.6));
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const hill = ridges.find(({ line }) => y >= (line[x] ?? height));
      if (hill) {
        // Hills fade into haze towards their base, so that each stands out from the one behind.
        const haze = Math.min(0.28, (y - (hill.line[x] ?? height)) / height);
        paint(pixels, at, hill.colour, low, haze);
      } else {
        const distance = Math.sqrt((x - sun.x) ** 2 + (y - sun.y) ** 2);
        const shine =
          distance < sun.radius ? 1 : 0.75 * Math.exp((sun.radius - distance) / (size * 0.14));
        paint(pixels, at, sky, glow, shine);
      }
    }
  }
  return encodePng(width, height, pixels);
}

/**
 * Returns the height of a hill's edge at each x, in pixels from the top; nearer hills are lower and
 * rounder.
 */
function drawRidge(random: () => number, width: number, height: number, depth: number): number[] {
  const waves = [1, 2.3, 5.1].map((frequency) => ({
    frequency: frequency * (1.6 - depth) * Math.PI,
    phase: random() * 2 * Math.PI,
    swing: (height * (0.05 + random() * 0.05)) / frequency,
  }));
  const base = height * (0.5 + depth * 0.36);
  return Array.from({ length: width }, (_, x) =>
    waves.reduce(
      (y, { frequency, phase, swing }) => y + Math.sin((x / width) * frequency + phase) * swing,
      base,
    ),
  );
}

/** Writes a mixture of two colours, without a list for each pixel: a stand-in that draws for long answers nobody. */
function paint(pixels: Uint8Array, at: number, from: Colour, to: Colour, share: number): void {
  pixels[at] = from[0] + (to[0] - from[0]) * share;
  pixels[at + 1] = from[1] + (to[1] - from[1]) * share;
  pixels[at + 2] = from[2] + (to[2] - from[2]) * share;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

function hsl(hue: number, saturation: number, lightness: number): Colour {
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const swing = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - swing * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Returns numbers from 0 to 1, determined by the seed (mulberry32). */
function randomFrom(seed: string): () => number {
  let state = Number.parseInt(seed.slice(0, 8), 16) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
