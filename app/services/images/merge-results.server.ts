import type {
  FailureClass,
  ProviderFailure,
  ProviderResult,
} from "~/services/images/image-provider.server";

/** The failure that counts when several calls fail: final ones first, then those that may have cost money. */
const GRAVEST_FIRST: FailureClass[] = ["refused", "invalid", "ambiguous", "auth", "transient"];

const weigh = ({ status }: ProviderFailure) => GRAVEST_FIRST.indexOf(status);

/** Merges several one-image calls into one result: any images count, else the gravest failure. */
export function mergeResults(responses: ProviderResult[]): ProviderResult {
  const requestId = responses.flatMap(({ requestId }) => requestId ?? []).join(" ") || null;
  const images = responses.flatMap((response) =>
    response.status === "generated" ? response.images : [],
  );
  if (images.length > 0) return { status: "generated", images, requestId };
  const gravest = responses
    .filter((response) => response.status !== "generated")
    .reduce((worst, next) => (weigh(next) < weigh(worst) ? next : worst));
  return { ...gravest, requestId };
}
