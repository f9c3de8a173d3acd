import type {
  FailureClass,
  ProviderAnswer,
  ProviderFailure,
} from "~/services/images/image-provider.server";

/** Which failure decides when several calls fail: what is final, then what may have cost money. */
const GRAVEST_FIRST: FailureClass[] = ["refused", "invalid", "ambiguous", "auth", "transient"];

const weigh = ({ status }: ProviderFailure) => GRAVEST_FIRST.indexOf(status);

/** One answer out of several calls for one image each: what came counts, else the gravest failure. */
export function mergeAnswers(answers: ProviderAnswer[]): ProviderAnswer {
  const requestId = answers.flatMap(({ requestId }) => requestId ?? []).join(" ") || null;
  const images = answers.flatMap((answer) => (answer.status === "generated" ? answer.images : []));
  if (images.length > 0) return { status: "generated", images, requestId };
  const gravest = answers
    .filter((answer) => answer.status !== "generated")
    .reduce((worst, next) => (weigh(next) < weigh(worst) ? next : worst));
  return { ...gravest, requestId };
}
