import { useTranslations } from "use-intl";
import { Time } from "~/components/time";
import { Button } from "~/components/ui/button";

interface ListedPasskey {
  id: string;
  name: string;
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The user's passkeys, each with the forms that rename and remove it. */
export function PasskeyList({ passkeys }: { passkeys: ListedPasskey[] }) {
  const t = useTranslations();
  if (passkeys.length === 0) return <p className="card muted">{t("passkeys.none")}</p>;
  return (
    <ul className="stack">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="card card-form wide-form">
          <Passkey passkey={passkey} />
        </li>
      ))}
    </ul>
  );
}

function Passkey({
  passkey: { id, name, backedUp, createdAt, lastUsedAt },
}: {
  passkey: ListedPasskey;
}) {
  const t = useTranslations();
  return (
    <>
      <h2 className="h-small wrap-anywhere">{name}</h2>
      <p className="small muted">
        {t("passkeys.since")} <Time at={createdAt} />
        {lastUsedAt ? (
          <>
            {" · "}
            {t("passkeys.lastUsed")} <Time at={lastUsedAt} />
          </>
        ) : null}
        {backedUp ? ` · ${t("passkeys.backedUp")}` : null}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <form method="post" className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="passkeyId" value={id} />
          <label className="field small">
            {t("passkeys.name")}
            <input name="name" defaultValue={name} required maxLength={60} className="input" />
          </label>
          <Button look="secondary" name="intent" value="rename">
            {t("passkeys.rename")}
          </Button>
        </form>
        <form method="post">
          <input type="hidden" name="passkeyId" value={id} />
          <Button
            look="danger-quiet"
            name="intent"
            value="remove"
            aria-label={t("passkeys.removeNamed", { name })}
          >
            {t("passkeys.remove")}
          </Button>
        </form>
      </div>
    </>
  );
}
