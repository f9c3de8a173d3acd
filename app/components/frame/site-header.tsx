import { useFormatter, useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import type { FrameData } from "~/components/frame/frame-data";
import { type NavLink, useNavLinks } from "~/components/frame/use-nav-links";
import { buttonClass } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { Icon } from "~/components/ui/icon";
import { Mark } from "~/components/ui/mark";
import { Menu, MenuLink } from "~/components/ui/menu";

type User = NonNullable<FrameData["user"]>;

/** Menus of one group close each other. */
const GROUP = "site-header";

export function SiteHeader({
  locale,
  user,
  features,
}: Pick<FrameData, "locale" | "user" | "features">) {
  const t = useTranslations();
  const links = useNavLinks(locale, features);
  return (
    <header className="site-header">
      <div className="wrap site-header-in">
        <a className="brand" href={`/${locale}`}>
          <Mark />
          <span>{PRODUCT_NAME}</span>
        </a>
        <nav className="site-header-nav" aria-label={t("nav.label")}>
          {links.product.map(({ href, text, isHere }) => (
            <a key={href} href={href} aria-current={isHere ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div className="site-header-end">
          {user ? (
            <SignedIn locale={locale} user={user} links={links} />
          ) : (
            <SignedOut links={links} />
          )}
        </div>
      </div>
    </header>
  );
}

interface EndProps {
  links: ReturnType<typeof useNavLinks>;
}

function SignedOut({ links }: EndProps) {
  const t = useTranslations();
  const { signIn, signUp, product } = links;
  return (
    <>
      <a className={`${buttonClass({ look: "quiet" })} only-wide`} href={signIn.href}>
        {signIn.text}
      </a>
      <a className={buttonClass({})} href={signUp.href}>
        <span className="only-wide">{signUp.text}</span>
        <span className="only-narrow">{t("nav.signUpShort")}</span>
      </a>
      <Menu
        className="only-narrow"
        group={GROUP}
        label={t("nav.menu")}
        summary={<Icon name="menu" size={24} />}
      >
        <MenuLinks links={product} />
        {product.length > 0 ? <hr /> : null}
        <MenuLinks links={[signIn, signUp]} />
      </Menu>
    </>
  );
}

function SignedIn({ locale, user, links }: EndProps & { locale: string; user: User }) {
  const t = useTranslations();
  const format = useFormatter();
  const { balance, email, name, isAdmin } = user;
  const account = (
    <>
      <MenuLinks links={isAdmin ? [...links.account, links.admin] : links.account} />
      <hr />
      <form method="post" action={`/${locale}/sign-out`}>
        <button type="submit">
          <Icon name="out" />
          {t("nav.signOut")}
        </button>
      </form>
    </>
  );
  const who = (
    <p className="menu-who">
      {name ? <b>{name}</b> : null}
      {email}
    </p>
  );
  return (
    <>
      <a className="pill" href={links.credits.href}>
        <Coin />
        {format.number(balance)}{" "}
        <span className="sr-only">{t("nav.openCredits", { count: balance })}</span>
      </a>
      <Menu
        className="only-wide"
        group={GROUP}
        label={t("nav.accountMenu")}
        summary={
          <>
            <span className="avatar" aria-hidden="true">
              {initialOf(name || email)}
            </span>
            <Icon name="down" size={16} className="chev" />
          </>
        }
      >
        {who}
        <hr />
        {account}
      </Menu>
      <Menu
        className="only-narrow"
        group={GROUP}
        label={t("nav.menu")}
        summary={<Icon name="menu" size={24} />}
      >
        {who}
        <hr />
        <MenuLinks links={links.product} />
        {links.product.length > 0 ? <hr /> : null}
        {account}
      </Menu>
    </>
  );
}

function MenuLinks({ links }: { links: NavLink[] }) {
  return links.map(({ href, text, icon, isHere }) => (
    <MenuLink key={href} href={href} icon={icon} isHere={isHere}>
      {text}
    </MenuLink>
  ));
}

function initialOf(name: string): string {
  return Array.from(name)[0]?.toUpperCase() ?? "";
}
