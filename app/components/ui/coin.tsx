/** Stands for credits, and for nothing else. As large as the text around it. */
export function Coin() {
  return <span className="coin" aria-hidden="true" />;
}
