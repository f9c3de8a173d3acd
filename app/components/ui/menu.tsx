import type { ReactNode } from "react";
import { Icon, type IconName } from "~/components/ui/icon";

interface MenuProps {
  /** The button's name for screen readers. */
  label: string;
  /** Shown in the button. */
  summary: ReactNode;
  /** Menus of one group close each other. */
  group: string;
  className?: string;
  children: ReactNode;
}

/** A panel below a button that opens without JavaScript. */
export function Menu({ label, summary, group, className = "", children }: MenuProps) {
  return (
    // React's types lack the attribute.
    <details className={`menu ${className}`.trim()} {...{ name: group }}>
      <summary aria-label={label}>{summary}</summary>
      <div className="menu-panel">{children}</div>
    </details>
  );
}

interface MenuLinkProps {
  href: string;
  icon: IconName;
  isHere?: boolean;
  children: ReactNode;
}

export function MenuLink({ href, icon, isHere = false, children }: MenuLinkProps) {
  return (
    <a href={href} aria-current={isHere ? "page" : undefined}>
      <Icon name={icon} />
      {children}
    </a>
  );
}
