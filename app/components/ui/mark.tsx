/** The product's mark: a ring that a credit closes. Replace it here and in `public/favicon.svg`. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#4f46e0" />
      <path
        d="M20.2 9.1A8.2 8.2 0 1 0 24.2 16"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
      />
      <circle cx="23" cy="10.2" r="3.1" fill="#ffc24d" />
    </svg>
  );
}
