import { z } from "zod";
import { accountVariables } from "~/env/accounts";
import { aliasOf } from "~/env/aliases";
import { imageVariables } from "~/env/images";
import { paymentVariables } from "~/env/payments";
import { isExtensionPoint, priceId, productId } from "~/env/prices";
import { serviceVariables } from "~/env/service";
import { storageVariables } from "~/env/storage";
import { textVariables } from "~/env/text";

const groups = {
  service: serviceVariables,
  storage: storageVariables,
  images: imageVariables,
  text: textVariables,
  payments: paymentVariables,
  accounts: accountVariables,
};

export const environmentSchema = z.object({
  ...serviceVariables,
  ...storageVariables,
  ...imageVariables,
  ...textVariables,
  ...paymentVariables,
  ...accountVariables,
});

interface Variable {
  name: string;
  /** The feature it belongs to. */
  group: keyof typeof groups;
  description: string;
  required: boolean;
  /** Its default, if there is a single one. */
  defaultText: string | null;
  alias: string | null;
  /** Must never be shown. */
  secret: boolean;
  /** A credential, which may be one of the sandbox's. */
  key: boolean;
}

/** Every known variable except the extension points, in the order of the documentation. */
export function listVariables(): Variable[] {
  return Object.entries(groups).flatMap(([group, variables]) =>
    Object.entries<z.ZodType>(variables).map(([name, type]) => {
      const meta = type.meta();
      const unset = type.safeParse(undefined);
      return {
        name,
        group: group as keyof typeof groups,
        description: meta?.description ?? "",
        required: !unset.success,
        defaultText: unset.data === undefined ? null : String(unset.data),
        alias: aliasOf(name),
        secret: meta?.secret === true,
        key: meta?.key === true,
      };
    }),
  );
}

/** Checks the catalog's reserved names. A schema cannot list them, because any suffix is allowed. */
export function extensionSchema(names: string[]) {
  return z.object(
    Object.fromEntries(
      names
        .filter(isExtensionPoint)
        .map((name) => [name, name.startsWith("PROVIDER_A_") ? priceId : productId]),
    ),
  );
}
