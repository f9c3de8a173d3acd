/**
 * Describes the page to search engines (schema.org). Browsers run no script of this type, so the
 * content security policy doesn't concern it.
 */
export function StructuredData({ data }: { data: object }) {
  // Inside a script element, only "<" could end the text.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without any "<".
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
