import { useTranslations } from "use-intl";
import { useSupport } from "~/components/support/use-support";
import { supportLink } from "~/utils/support";

interface WriteToUsProps {
  /** The subject of the email, such as a request's number. */
  subject?: string;
  /** The link's words. */
  text?: string;
}

/** A link to whoever runs this service; nothing where nobody can be reached. */
export function WriteToUs({ subject, text }: WriteToUsProps) {
  const t = useTranslations();
  const href = supportLink(useSupport(), subject);
  if (!href) return null;
  return (
    <a href={href} className="link-24">
      {text ?? t("support.write")}
    </a>
  );
}
