import type { ReactNode } from "react";

/** Drawings for empty states and errors, in the theme's colours. */
const ARTS = {
  images: (
    <>
      <rect className="f" x="30" y="8" width="66" height="52" rx="8" transform="rotate(6 63 34)" />
      <rect className="c" x="20" y="20" width="68" height="54" rx="8" />
      <circle className="k" cx="40" cy="39" r="7" />
      <path d="M20 66l20-17 13 11 13-13 22 20" />
      <path d="M100 62v14M93 69h14" />
    </>
  ),
  files: (
    <>
      <path
        className="f"
        d="M18 26a7 7 0 0 1 7-7h20l8 9h38a7 7 0 0 1 7 7v36a7 7 0 0 1-7 7H25a7 7 0 0 1-7-7z"
      />
      <path className="c" d="M44 12h24l10 10v26H44z" />
      <path d="M68 12v10h10" />
      <path className="c" d="M18 42h80v29a7 7 0 0 1-7 7H25a7 7 0 0 1-7-7z" />
      <path d="M58 68V52M51 58l7-7 7 7" />
    </>
  ),
  credits: (
    <>
      <path className="s" d="M12 76h96" />
      <path className="f" d="M22 76V58h16v18M52 76V44h16v32M82 76V30h16v46" />
      <circle className="k" cx="30" cy="44" r="8" />
      <circle className="k" cx="60" cy="30" r="8" />
      <circle className="k" cx="90" cy="16" r="8" />
    </>
  ),
  plan: (
    <>
      <rect className="c" x="22" y="16" width="76" height="62" rx="9" />
      <path className="f" d="M22 25a9 9 0 0 1 9-9h58a9 9 0 0 1 9 9v9H22z" />
      <path d="M40 9v13M80 9v13" />
      <circle className="k" cx="60" cy="56" r="12" />
    </>
  ),
  payments: (
    <>
      <path className="c" d="M32 10h56v68l-9-6-10 6-9-6-9 6-10-6-9 6z" />
      <path d="M44 26h32M44 38h32M44 50h18" />
      <circle className="k" cx="86" cy="62" r="12" />
      <path d="M81 62l4 4 7-8" stroke="#5f3703" />
    </>
  ),
  "short-of-credits": (
    <>
      <circle className="k" cx="60" cy="46" r="26" />
      <path d="M60 34v14M60 57v.1" stroke="#5f3703" strokeWidth="4" />
      <path className="s" d="M14 80h92M22 62l-8 4M98 62l8 4M60 8V2M28 18l-5-5M92 18l5-5" />
    </>
  ),
  "not-found": (
    <>
      <circle className="f" cx="52" cy="40" r="26" />
      <path d="M71 59l18 18" strokeWidth="6" />
      <path d="M43 34a9 9 0 1 1 12 9c-2 1-3 2-3 5M52 56v.1" />
    </>
  ),
  broken: (
    <>
      <rect className="f" x="18" y="14" width="84" height="26" rx="7" />
      <rect className="c" x="18" y="48" width="84" height="26" rx="7" />
      <path d="M32 27h.1M32 61h.1M44 27h26" />
      <path d="M84 55l10 12M94 55L84 67" />
    </>
  ),
  email: (
    <>
      <rect className="c" x="20" y="18" width="80" height="54" rx="9" />
      <path className="f" d="M20 27l40 26 40-26a9 9 0 0 0-9-9H29a9 9 0 0 0-9 9z" />
    </>
  ),
  "email-done": (
    <>
      <rect className="c" x="20" y="18" width="80" height="54" rx="9" />
      <path className="f" d="M20 27l40 26 40-26a9 9 0 0 0-9-9H29a9 9 0 0 0-9 9z" />
      <circle className="c" cx="94" cy="66" r="15" />
      <path d="M87 66l5 5 9-10" />
    </>
  ),
  "failed-image": (
    <>
      <rect className="f" x="14" y="14" width="66" height="58" rx="8" />
      <path className="s" d="M14 60l18-16 12 10 14-14 22 20" />
      <path d="M58 14l-8 20 12 8-10 14 6 16" />
      <circle className="k" cx="90" cy="60" r="20" />
      <path d="M98 60a8 8 0 1 1-3-6.2M95.5 49v5.5H90" stroke="#5f3703" />
    </>
  ),
  "expired-link": (
    <>
      <rect className="c" x="20" y="18" width="80" height="54" rx="9" />
      <path className="f" d="M20 27l40 26 40-26a9 9 0 0 0-9-9H29a9 9 0 0 0-9 9z" />
      <circle className="k" cx="94" cy="66" r="15" />
      <path d="M94 58v8l5 4" stroke="#5f3703" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type ArtName = keyof typeof ARTS;

/** A drawing beside a text that says the same; screen readers pass over it. */
export function Art({ name }: { name: ArtName }) {
  return (
    <svg
      className="art"
      viewBox="0 0 120 88"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {ARTS[name]}
    </svg>
  );
}
