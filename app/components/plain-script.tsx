import { useRenderContext } from "~/components/render-context";

/** A script of the folder `public`, which runs once the page is parsed. */
export function PlainScript({ src }: { src: `/${string}.js` }) {
  const { cspNonce } = useRenderContext();
  // Browsers hide the nonce from the page, so React finds another one there than it had.
  return <script type="module" src={src} nonce={cspNonce} suppressHydrationWarning />;
}
