interface TabsProps {
  /** The navigation's name for screen readers. */
  label: string;
  tabs: { href: string; text: string; isHere: boolean }[];
}

/** Links to the pages of one area; the page shown is marked. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <div className="tabs-bar">
      <nav className="wrap" aria-label={label}>
        <div className="tabs scroll-x">
          {tabs.map(({ href, text, isHere }) => (
            <a key={href} href={href} aria-current={isHere ? "page" : undefined}>
              {text}
            </a>
          ))}
        </div>
      </nav>
    </div>
  );
}
