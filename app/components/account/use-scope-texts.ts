import { useTranslations } from "use-intl";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";

/** Returns what a key of each scope may do, in words. */
export function useScopeTexts(): Record<ApiKeyScope, string> {
  const t = useTranslations();
  return {
    generate: t("apiKeys.scopeGenerate"),
    files: t("apiKeys.scopeFiles"),
    read: t("apiKeys.scopeRead"),
  };
}
