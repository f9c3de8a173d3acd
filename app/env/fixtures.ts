import { type Env, parseEnv } from "~/env.server";

export type Source = Record<string, string | undefined>;

export const REQUIRED = {
  DATABASE_URL: "postgres://app:pw@db.internal:5432/app",
  AUTH_SECRET: "a".repeat(32),
  NEXT_PUBLIC_SITE_URL: "https://example.com",
};
export const S3 = {
  S3_ENDPOINT: "https://s3.example.com",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
  S3_BUCKET_NAME: "bucket",
};
export const STRIPE = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "A",
  PROVIDER_A_SECRET_KEY: "sk_test_1",
  NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_1",
  PROVIDER_A_WEBHOOK_SECRET: "whsec_1",
  CRON_SECRET: "c".repeat(32),
};

/** The configuration that these make on a site behind one proxy, as an https site has to be. */
export function parse(source: Source = {}): Env {
  return parseEnv({ ...REQUIRED, TRUST_PROXY: "1", ...source });
}

export function sandbox(site: string): Source {
  return {
    NEXT_PUBLIC_SITE_URL: site,
    PROVIDER_A_SECRET_KEY: "sk_test_sandbox_1",
    PROVIDER_B_API_KEY: "creem_test_sandbox_1",
    FAL_KEY: "SandBox",
  };
}

export function legacy(old: string, monthly?: string): Source {
  return { PROVIDER_A_PRICE_STARTER: old, PROVIDER_A_PRICE_STARTER_MONTHLY: monthly };
}
