import { useTranslations } from "use-intl";
import { Icon } from "~/components/ui/icon";

interface PromptHistoryProps {
  prompts: { generationId: string; prompt: string }[];
  /** The generation in the canvas, which stays there. */
  shownId: string | null;
}

/** Earlier prompts, each a link that fills the form with it and its settings. */
export function PromptHistory({ prompts, shownId }: PromptHistoryProps) {
  const t = useTranslations();
  if (prompts.length === 0) return null;
  return (
    <details className="more prompts">
      <summary>
        {t("generator.history.title")} <Icon name="down" size={16} className="chev" />
      </summary>
      <ul className="list">
        {prompts.map(({ generationId, prompt }) => (
          <li key={generationId}>
            <a href={reuseAddress(generationId, shownId)} className="small clamp wrap-anywhere">
              {prompt}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The address that fills the form with a generation's prompt and settings, and keeps the canvas. */
export function reuseAddress(generationId: string, shownId: string | null): string {
  const search = new URLSearchParams({
    ...(shownId ? { generation: shownId } : {}),
    reuse: generationId,
  });
  return `?${search}#generator-prompt`;
}
