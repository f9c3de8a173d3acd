import { renderToStaticMarkup } from "react-dom/server";
import type { EmailBlock, EmailContent, EmailFrame } from "~/services/emails/email-content";
import { STYLE_SHEET, STYLES } from "~/services/emails/email-styles";

/**
 * Writes an email as an HTML document: readable without images, at any width, in light and dark. It
 * loads nothing and tracks nobody.
 */
export function renderHtml(content: EmailContent, frame: EmailFrame): string {
  return `<!doctype html>${renderToStaticMarkup(<Document content={content} frame={frame} />)}`;
}

/** Follows the preview, so that mail programs don't show the beginning of the page after it. */
const BLANKS = "\u200c\u00a0".repeat(100);

interface DocumentProps {
  content: EmailContent;
  frame: EmailFrame;
}

function Document({ content, frame }: DocumentProps) {
  const { subject, heading, figure, blocks, reason } = content;
  const { lang, product, siteUrl, turnOff, support } = frame;
  const preview = blocks.find((block) => block.type === "text")?.text;
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{STYLE_SHEET}</style>
      </head>
      <body className="page" style={STYLES.page}>
        <div style={STYLES.preview}>
          {preview}
          {BLANKS}
        </div>
        <div className="page outer" style={STYLES.outer}>
          <div style={STYLES.column}>
            <p className="ink" style={STYLES.brand}>
              <span style={STYLES.mark} />
              {product}
            </p>
            <div className="card" style={STYLES.card}>
              {figure ? (
                <p className="figure" style={STYLES.figure}>
                  {figure}
                </p>
              ) : null}
              <h1 className="ink" style={STYLES.heading}>
                {heading}
              </h1>
              {blocks.map((block) => (
                <Block key={JSON.stringify(block)} block={block} linkHint={frame.linkHint} />
              ))}
            </div>
            <p className="faint" style={STYLES.footer}>
              {reason}
              {turnOff ? (
                <>
                  <br />
                  <FooterLink {...turnOff} />
                </>
              ) : null}
              {support ? (
                <>
                  <br />
                  <FooterLink {...support} />
                </>
              ) : null}
              <br />
              <FooterLink label={product} url={siteUrl} />
            </p>
          </div>
        </div>
      </body>
    </html>
  );
}

function Block({ block, linkHint }: { block: EmailBlock; linkHint: string }) {
  switch (block.type) {
    case "text":
      return (
        <p className="muted" style={STYLES.text}>
          {block.text}
        </p>
      );
    case "button":
      return (
        <>
          <p style={STYLES.action}>
            <a className="button" style={STYLES.button} href={block.url}>
              {block.label}
            </a>
          </p>
          <p className="faint" style={STYLES.address}>
            {linkHint}
            <br />
            <a className="faint" style={STYLES.footerLink} href={block.url}>
              {block.url}
            </a>
          </p>
        </>
      );
    case "link":
      return (
        <p className="muted" style={STYLES.text}>
          <a className="muted" style={STYLES.link} href={block.url}>
            {block.label}
          </a>
        </p>
      );
    case "facts":
      return (
        <div className="rule" style={STYLES.facts}>
          {block.title ? (
            <h2 className="ink" style={STYLES.factsTitle}>
              {block.title}
            </h2>
          ) : null}
          <table style={STYLES.factsTable}>
            <tbody>
              {block.rows.map(([label, value]) => (
                <tr key={label}>
                  <th scope="row" className="faint" style={STYLES.label}>
                    {label}
                  </th>
                  <td className="ink" style={STYLES.value}>
                    {value}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function FooterLink({ label, url }: { label: string; url: string }) {
  return (
    <a className="faint" style={STYLES.footerLink} href={url}>
      {label}
    </a>
  );
}
