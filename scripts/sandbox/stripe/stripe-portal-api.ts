import { Router } from "express";
import { z } from "zod";
import { createId } from "../payments/sandbox-id";
import { parseParams } from "./stripe-params";
import { noSuch } from "./stripe-refusal";
import { nowInSeconds, type StripePortalConfiguration, type StripeState } from "./stripe-state";

const webAddress = z.url({ protocol: /^https?$/ });
const on = z.strictObject({ enabled: z.literal("true").transform(() => true) });
const off = z.strictObject({ enabled: z.literal("false").transform(() => false) });

/** Our command must send the safe settings, and nothing else. */
const params = {
  name: z.string().min(1).max(255),
  features: z.strictObject({
    customer_update: on.extend({
      allowed_updates: z.array(z.enum(["address", "email", "name", "phone", "shipping", "tax_id"])),
    }),
    invoice_history: on,
    payment_method_update: on,
    subscription_cancel: on.extend({
      mode: z.literal("at_period_end"),
      proration_behavior: z.literal("none"),
    }),
    subscription_pause: off,
    subscription_update: off,
  }),
  default_return_url: webAddress,
  business_profile: z.strictObject({
    privacy_policy_url: webAddress,
    terms_of_service_url: webAddress,
  }),
  metadata: z.record(z.string().max(40), z.string().max(500)),
};
const creation = z.strictObject(params);
const update = z.strictObject({ ...params, active: z.literal("true") });
const noParams = z.strictObject({});
const list = z.strictObject({
  limit: z.string().regex(/^([1-9]\d?|100)$/),
  is_default: z.literal("true").optional(),
});

/** Configurations of the customer portal. */
export function createStripePortalApi(state: StripeState): Router {
  const portal = Router();
  const path = "/billing_portal/configurations";

  portal.get(path, ({ query }, response) => {
    const { limit, is_default: onlyDefault } = parseParams(list, query);
    const found = Object.values(state.portalConfigurations)
      .filter(({ isDefault }) => isDefault || !onlyDefault)
      .toReversed();
    response.json({
      object: "list",
      data: found.slice(0, Number(limit)).map(render),
      has_more: found.length > Number(limit),
      url: `/v1${path}`,
    });
  });

  portal.get(`${path}/:id`, ({ params: { id }, query }, response) => {
    parseParams(noParams, query);
    response.json(render(requireConfiguration(state, id)));
  });

  portal.post(path, ({ body }, response) => {
    const values = parseParams(creation, body);
    const id = createId("bpc_");
    const configuration = { id, created: nowInSeconds(), isDefault: false, ...fieldsOf(values) };
    state.portalConfigurations[id] = configuration;
    response.json(render(configuration));
  });

  portal.post(`${path}/:id`, ({ params: { id }, body }, response) => {
    const configuration = requireConfiguration(state, id);
    Object.assign(configuration, fieldsOf(parseParams(update, body)));
    response.json(render(configuration));
  });

  return portal;
}

/** The configuration of a new portal session: the named one, or the account's default. It must be active. */
export function chooseConfiguration(state: StripeState, id: string | undefined): string {
  const all = Object.values(state.portalConfigurations);
  const chosen = all.find((one) => (id === undefined ? one.isDefault : one.id === id));
  if (!chosen?.active) throw noSuch("configuration", id ?? "default", "configuration");
  return chosen.id;
}

function requireConfiguration(state: StripeState, id: string): StripePortalConfiguration {
  const configuration = state.portalConfigurations[id];
  if (!configuration) throw noSuch("configuration", id, "configuration", 404);
  return configuration;
}

/** A feature that is turned off gets Stripe's defaults, not its earlier settings. */
function fieldsOf({ features, ...values }: z.output<typeof creation>) {
  return {
    active: true,
    name: values.name,
    defaultReturnUrl: values.default_return_url,
    businessProfile: values.business_profile,
    metadata: values.metadata,
    features: {
      ...features,
      subscription_update: {
        ...features.subscription_update,
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        proration_behavior: "none",
        schedule_at_period_end: { conditions: [] },
      },
    },
  };
}

function render({
  isDefault,
  defaultReturnUrl,
  businessProfile,
  ...rest
}: StripePortalConfiguration) {
  return {
    ...rest,
    object: "billing_portal.configuration",
    business_profile: businessProfile,
    default_return_url: defaultReturnUrl,
    is_default: isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
  };
}
