import path from "node:path";
import sharp from "sharp";

const SIZE = 640;
const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");

/** Uploads a few files as a browser does: pictures and a document, private ones and public ones. */
export async function uploadSamples(siteUrl: string, cookie: string): Promise<void> {
  const picture = (name: string) =>
    sharp(path.resolve("public/samples", `${name}.svg`))
      .resize(SIZE, SIZE)
      .png()
      .toBuffer();
  const files = [
    { filename: "invoice-2041.pdf", contentType: "application/pdf", bytes: PDF, access: "private" },
    ...(await Promise.all(
      ["lighthouse", "lemons", "fox", "dunes", "planet"].map(async (name, index) => ({
        filename: `${name}.png`,
        contentType: "image/png",
        bytes: await picture(name),
        access: index % 2 === 0 ? "public" : "private",
      })),
    )),
  ];
  for (const file of files) await upload(siteUrl, cookie, file);
}

interface Sample {
  filename: string;
  contentType: string;
  bytes: Buffer;
  access: string;
}

async function upload(siteUrl: string, cookie: string, { bytes, ...file }: Sample) {
  const post = async (route: string, body: object) => {
    const response = await fetch(`${siteUrl}/api/storage/${route}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${file.filename}: ${route} returned ${response.status}`);
    return (await response.json()) as Record<string, string>;
  };
  const { fileId, uploadUrl = "" } = await post("upload", {
    ...file,
    contentLength: bytes.length,
  });
  await fetch(uploadUrl, {
    method: "PUT",
    body: new Uint8Array(bytes),
    headers: { "Content-Type": file.contentType },
  });
  await post("confirm", { fileId });
}
