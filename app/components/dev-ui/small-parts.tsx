import { Badge, type BadgeTone } from "~/components/ui/badge";
import { Button, ButtonLink, type ButtonLook } from "~/components/ui/button";
import { Chips } from "~/components/ui/chips";
import { Coin } from "~/components/ui/coin";
import { ICON_NAMES, Icon } from "~/components/ui/icon";
import { Mark } from "~/components/ui/mark";
import { Menu, MenuLink } from "~/components/ui/menu";
import { Notice, type NoticeTone } from "~/components/ui/notice";
import { Tabs } from "~/components/ui/tabs";
import { Part } from "./part";

const LOOKS: ButtonLook[] = ["primary", "secondary", "quiet", "danger", "danger-quiet"];
const BADGES: BadgeTone[] = ["neutral", "accent", "coin", "good", "warn", "bad"];
const NOTICES: NoticeTone[] = ["info", "good", "warn", "bad", "coin"];
const PLACES = [
  { href: "#overview", text: "Overview", isHere: true },
  { href: "#credits", text: "Credits", isHere: false },
  { href: "#billing", text: "Billing", isHere: false },
];

/** Shows marks, buttons, badges, notices and ways around. */
export function SmallParts({ id }: { id: string }) {
  return (
    <>
      <Part file="mark, coin">
        <div className="row">
          <span className="ui-mark">
            <Mark />
          </span>
          <span className="ui-coin">
            <Coin />
          </span>
        </div>
      </Part>
      <Part file="button">
        <div className="row">
          {LOOKS.map((look) => (
            <Button key={look} type="button" look={look}>
              {look}
            </Button>
          ))}
          <Button type="button" size="small">
            small
          </Button>
          <ButtonLink href="#link" size="large" look="secondary">
            large link
          </ButtonLink>
          <Button type="button" disabled>
            disabled
          </Button>
        </div>
      </Part>
      <Part file="badge">
        <div className="row">
          {BADGES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Part>
      <Part file="notice">
        <div className="grid gap-3">
          {NOTICES.map((tone) => (
            <Notice key={tone} tone={tone} title={tone}>
              Says what happened, and what to do.
            </Notice>
          ))}
        </div>
      </Part>
      <Part file="tabs">
        <Tabs label={`Tabs, ${id}`} tabs={PLACES} />
      </Part>
      <Part file="chips">
        <Chips label={`Filters, ${id}`} chips={PLACES} />
      </Part>
      <Part file="menu">
        <Menu label={`Menu, ${id}`} summary="Open" group={`sheet-${id}`}>
          <MenuLink href="#profile" icon="user">
            Profile
          </MenuLink>
          <MenuLink href="#billing" icon="card" isHere>
            Billing
          </MenuLink>
        </Menu>
      </Part>
      <Part file="icon">
        <ul className="ui-icons">
          {ICON_NAMES.map((name) => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}
