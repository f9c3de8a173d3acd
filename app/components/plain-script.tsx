import { useRenderContext } from "~/components/render-context";

interface PlainScriptProps {
  src: `/${string}.js`;
  /** For a script that loads another site's, which only a nonce allows. Such a page is never cached. */
  passesNonce?: boolean;
}

/** A script of the folder `public`, which runs once the page is parsed. The policy allows its address. */
export function PlainScript({ src, passesNonce = false }: PlainScriptProps) {
  const { cspNonce } = useRenderContext();
  // Browsers hide the nonce from the page, so React finds another one there than it had.
  const nonce = passesNonce ? { nonce: cspNonce, suppressHydrationWarning: true } : {};
  return <script type="module" src={src} {...nonce} />;
}
