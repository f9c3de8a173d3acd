/**
 * Everything this product sells. A new pack or plan is one entry here plus its texts in
 * app/i18n/locales. Environment variables, prices, forms, grants, the payment sandbox and the
 * documentation derive from it. docs/make-it-yours.md lists the steps.
 */

/** The product's name on pages, in emails and in the API's description. */
export const PRODUCT_NAME = "Remix Credits Starter";

/** The currency of all amounts below, which are integers in its minor unit (cents). */
export const CURRENCY = "usd";

/**
 * Whether `npm run dev` sells images where neither the environment nor `.env` says so. Everywhere else
 * `NEXT_PUBLIC_ENABLE_IMAGE_GENERATION` decides.
 */
export const IMAGES_IN_DEVELOPMENT: boolean = true;

/** The unit in which an action's runs are counted. */
export type Unit = "image" | "token" | "second" | "call";

export interface ActionEntry {
  /** The page where it is used, without its locale. */
  page: `/${string}`;
  /** The message key of the button that leads there: "Create images". */
  startKey: string;
  unit: Unit;
  /** So many credits per so many units, rounded up once per run; `least` is the least that a result costs. */
  price: { credits: number; per: number; least: number };
  /** The most units of one run. */
  mostUnits: number;
  /** Runs that a user may begin in a minute. */
  runsPerMinute: number;
  /** Seconds that a run may take whose end nobody waits for. */
  asynchronousSeconds: number;
  /**
   * Our own cost of a unit, in millionths of a US dollar, by provider and model. The cost of a model that
   * isn't here is unknown.
   */
  costs: Record<string, Record<string, number>>;
}

/** The actions that are sold by the credit. A run keeps the price of its time: a change touches none that exists. */
export const ACTIONS = {
  image: {
    page: "/demo/image-generator",
    startKey: "actions.image.start",
    unit: "image",
    price: { credits: 10, per: 1, least: 10 },
    mostUnits: 4,
    runsPerMinute: 60,
    asynchronousSeconds: 600,
    // The providers' list prices of a picture of a megapixel. Write what you pay.
    costs: {
      fal: { "fal-ai/flux/schnell": 3_000 },
      replicate: { "black-forest-labs/flux-schnell": 3_000 },
    },
  },
  text: {
    page: "/demo/text-generator",
    startKey: "actions.text.start",
    unit: "token",
    // Tokens of the prompt and of the text alike.
    price: { credits: 1, per: 1_000, least: 1 },
    mostUnits: 200_000,
    runsPerMinute: 60,
    asynchronousSeconds: 600,
    // By provider and model, a token of the prompt costing as much as one of the text. Write what you pay.
    costs: {},
  },
} as const satisfies Record<Lowercase<string>, ActionEntry>;

export type ActionKey = keyof typeof ACTIONS;

export const ACTION_KEYS = Object.keys(ACTIONS) as ActionKey[];

/** The credits that so many units of an action cost. */
export const creditsFor = (action: ActionKey, units: number): number =>
  creditsAt(ACTIONS[action].price, units);

/** The credits that so many units cost at a price. */
export const creditsAt = ({ credits, per, least }: ActionEntry["price"], units: number): number =>
  Math.max(least, Math.ceil((units * credits) / per));

/** Returns our own cost of so many units at a provider's model, in millionths of a US dollar; null if unknown. */
export function costUsdMicrosOf(
  action: ActionKey,
  { provider, model, units }: { provider: string; model: string; units: number },
): number | null {
  const costs: ActionEntry["costs"] = ACTIONS[action].costs;
  const cost = costs[provider]?.[model];
  return cost === undefined ? null : cost * units;
}

/** Credits that one generated image costs. */
export const CREDITS_PER_IMAGE = creditsFor("image", 1);

export const PERIODS = ["month", "year"] as const;
export type Period = (typeof PERIODS)[number];

interface PackEntry {
  skuKey: Lowercase<string>;
  credits: number;
  /** Minor units. */
  amount: number;
}

/** Credits bought once. They never expire. */
export const PACKS = [
  { skuKey: "credits_small", credits: 100, amount: 500 },
  { skuKey: "credits_medium", credits: 500, amount: 1900 },
  { skuKey: "credits_large", credits: 2000, amount: 5900 },
] as const satisfies readonly PackEntry[];

interface PlanEntry {
  planKey: Lowercase<string>;
  /** The message key of the plan's name. */
  nameKey: string;
  /** Granted every month, for either billing period. */
  creditsPerMonth: number;
  /** Minor units per period. */
  amounts: Record<Period, number>;
}

/** Subscriptions, smallest first. */
export const PLANS = [
  {
    planKey: "starter",
    nameKey: "plans.starter",
    creditsPerMonth: 300,
    amounts: { month: 900, year: 9000 },
  },
  {
    planKey: "pro",
    nameKey: "plans.pro",
    creditsPerMonth: 1200,
    amounts: { month: 2900, year: 29_000 },
  },
] as const satisfies readonly PlanEntry[];

export type SkuKey = (typeof PACKS)[number]["skuKey"];
export type PlanKey = (typeof PLANS)[number]["planKey"];
export type Pack = PackEntry & { skuKey: SkuKey };
export type Plan = PlanEntry & (typeof PLANS)[number];

/** A price that once sold a plan. */
export interface RetiredPrice {
  /** Stripe's price or Creem's product. */
  price: string;
  planKey: PlanKey;
  period: Period;
  /** Minor units per period. */
  amount: number;
}

/**
 * Prices of plans that are no longer sold, while subscriptions still pay them. What is paid at a price that
 * is neither here nor in the configuration begins no period and brings no credits.
 */
export const RETIRED: readonly RetiredPrice[] = [];

/** An item with a price: a pack, or a plan paid by the month or year. */
export type CatalogItem =
  | { type: "pack"; skuKey: SkuKey }
  | { type: "plan"; planKey: PlanKey; period: Period };

const PERIOD_SUFFIX = { month: "monthly", year: "annual" } as const;

/** An item's name in the configuration, in lower case. */
export type PriceSlot = SkuKey | `${PlanKey}_${(typeof PERIOD_SUFFIX)[Period]}`;

/** Every item, plans first. */
export const CATALOG_ITEMS: readonly CatalogItem[] = [
  ...PLANS.flatMap(({ planKey }) =>
    PERIODS.map((period) => ({ type: "plan", planKey, period }) as const),
  ),
  ...PACKS.map(({ skuKey }) => ({ type: "pack", skuKey }) as const),
];

export const PRICE_SLOTS: readonly PriceSlot[] = CATALOG_ITEMS.map(slotOf);

export function slotOf(item: CatalogItem): PriceSlot {
  return item.type === "pack" ? item.skuKey : `${item.planKey}_${PERIOD_SUFFIX[item.period]}`;
}

/** Throws for a slot that is not in the catalog. */
export function itemOf(slot: PriceSlot): CatalogItem {
  const item = CATALOG_ITEMS.find((candidate) => slotOf(candidate) === slot);
  if (!item) throw new Error(`the catalog has no item ${slot}`);
  return item;
}

export function findPack(skuKey: string): Pack | null {
  return PACKS.find((pack) => pack.skuKey === skuKey) ?? null;
}

export function findPlan(planKey: string): Plan | null {
  return PLANS.find((plan) => plan.planKey === planKey) ?? null;
}

/** Minor units of `CURRENCY`; for a plan, per period. */
export function amountOf(item: CatalogItem): number {
  const amount =
    item.type === "pack"
      ? findPack(item.skuKey)?.amount
      : findPlan(item.planKey)?.amounts[item.period];
  if (amount === undefined) throw new Error(`the catalog has no item ${slotOf(item)}`);
  return amount;
}
