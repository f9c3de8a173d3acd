import type { Case } from "./configuration-cases";

const database = (rest: string) => ({ DATABASE_URL: `postgres://app:zj4Kw8Lq@${rest}` });
const mail = (rest: string) => ({ SMTP_URL: `smtp://shop:vN5xR8bT@${rest}` });

/** Cases about encryption on the way, in the form of `CASES`. */
export const TLS_CASES: Case[] = [
  ["a remote database in the clear", database("db.internal/app"), [], ["tls.database"]],
  [
    "a remote database that may be anybody",
    database("db.internal/app?sslmode=no-verify"),
    [],
    ["tls.database"],
  ],
  [
    "a mode that the next driver weakens",
    database("db.internal/app?sslmode=require"),
    [],
    ["tls.database"],
  ],
  [
    "libpq's own meaning of require",
    database("db.internal/app?sslmode=require&uselibpqcompat=true"),
    [],
    ["tls.database"],
  ],
  ["a checked certificate", database("db.internal/app?sslmode=verify-ca"), []],
  ["a database on this machine", database("localhost/app"), []],
  ["a database behind a socket", database("%2Fvar%2Frun%2Fpostgresql/app"), []],
  [
    "an API over plain http",
    { IMAGE_PROVIDER_1_API_BASE: "http://fal.internal" },
    ["tls.api-bases"],
  ],
  ["an API by its other name", { STRIPE_API_BASE: "http://stripe.internal" }, ["tls.api-bases"]],
  ["an API on this machine", { IMAGE_PROVIDER_1_API_BASE: "http://127.0.0.1:4010" }, []],
  ["mail that may go in the clear", mail("mail.internal:587?requireTLS=false"), ["tls.email"]],
  ["mail that never asks for TLS", mail("mail.internal:587?ignoreTLS=true"), ["tls.email"]],
  [
    "mail to whoever answers",
    mail("mail.internal:587?tls.rejectUnauthorized=false"),
    ["tls.email"],
  ],
  ["mail to this machine", mail("localhost:1025?ignoreTLS=true"), []],
];
