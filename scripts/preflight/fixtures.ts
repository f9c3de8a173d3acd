export type Source = Record<string, string | undefined>;

/** Random as `openssl rand` makes them; not secret any more, which only matters to a real site. */
const AUTH_SECRET = "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uEa5QoKxWiV0tSz";
const CRON_SECRET = "7f3a9c1e5b2d8f604a6c0e9b1d7f3a52";

export const REQUIRED: Source = {
  DATABASE_URL: "postgres://app:zj4Kw8Lq@db.internal:5432/app?sslmode=verify-full",
  AUTH_SECRET,
  NEXT_PUBLIC_SITE_URL: "https://shop.test",
};

const SLOTS = [
  "STARTER_MONTHLY",
  "STARTER_ANNUAL",
  "PRO_MONTHLY",
  "PRO_ANNUAL",
  "CREDITS_SMALL",
  "CREDITS_MEDIUM",
  "CREDITS_LARGE",
];

const prices = (prefix: string, id: string): Source =>
  Object.fromEntries(SLOTS.map((slot) => [`${prefix}_${slot}`, `${id}_${slot.toLowerCase()}`]));

export const STRIPE: Source = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "A",
  PROVIDER_A_SECRET_KEY: "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_live_TYooMQauvdEDq54NiTphI7jx",
  PROVIDER_A_WEBHOOK_SECRET: "whsec_5WbX8fKzGq2nLr7T",
  CRON_SECRET,
  ...prices("PROVIDER_A_PRICE", "price"),
};

export const CREEM: Source = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "creem",
  PROVIDER_B_API_KEY: "creem_8sJd72HfPq0Wm3Xz",
  PROVIDER_B_WEBHOOK_SECRET: "whsec_9LkT3vBn6Yc1Rw5Q",
  CRON_SECRET,
  ...prices("PROVIDER_B_PRODUCT", "prod"),
};

export const STORAGE: Source = {
  S3_ENDPOINT: "https://s3.eu-central-1.amazonaws.com",
  S3_ACCESS_KEY_ID: "AKIA7Q2M4R6T8V0X1Z3B",
  S3_SECRET_ACCESS_KEY: "wJa2rXUtnFE4MIqK7MDENGbPx9RfiCYz3pLK5vQe",
  S3_BUCKET_NAME: "shop-public",
  S3_PRIVATE_BUCKET_NAME: "shop-private",
  S3_PUBLIC_URL: "https://files.shop-cdn.test",
  CRON_SECRET,
};

export const IMAGES: Source = {
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  FAL_KEY: "b6c0f7a2:93d1e84f5a7b2c60",
  CRON_SECRET,
};

export const EMAIL: Source = {
  SMTP_URL: "smtp://shop:vN5xR8bT@mail.internal:587",
  EMAIL_FROM: "Shop <noreply@shop.test>",
};

/** Everything on and in order. */
export const COMPLETE: Source = {
  ...REQUIRED,
  TRUST_PROXY: "1",
  SECURITY_CONTACT: "mailto:security@shop.test",
  ...STRIPE,
  ...STORAGE,
  ...IMAGES,
  ...EMAIL,
  GITHUB_CLIENT_ID: "Iv1.8a61f9b3a7aba766",
  GITHUB_CLIENT_SECRET: "c4e1a7d02b9f",
  GOOGLE_CLIENT_ID: "1234-abc.apps",
  GOOGLE_CLIENT_SECRET: "GOCSPX-7hTq2Wm",
  NEXT_PUBLIC_TURNSTILE_SITE_KEY: "0x4AAAAAAA",
  TURNSTILE_SECRET_KEY: "0x4BBBBBBBsecret",
};

/** The names of `source`, unset. */
export function unset(source: Source): Source {
  return Object.fromEntries(Object.keys(source).map((name) => [name, ""]));
}
