import { expect, test } from "vitest";
import { libpqEnvironment } from "./libpq-environment";

const read = (url: string) => libpqEnvironment(url, 18);

test("the address's parts become libpq's variables, decoded", () => {
  expect(read("postgres://shop:p%40ss%2Fword@db.test:6432/my%20shop")).toEqual({
    PGHOST: "db.test",
    PGPORT: "6432",
    PGUSER: "shop",
    PGPASSWORD: "p@ss/word",
    PGDATABASE: "my shop",
    PGCONNECT_TIMEOUT: "10",
    PGSSLMODE: "disable",
  });
});

test("parameters of Prisma and of the driver are left out", () => {
  const url = "postgres://shop@db.test/shop?pgbouncer=true&connection_limit=5&schema=public";
  const text = JSON.stringify(read(url));
  for (const name of ["pgbouncer", "limit", "schema"]) expect(text).not.toContain(name);
});

test.each([
  ["", "disable", undefined],
  ["sslmode=disable", "disable", undefined],
  ["sslmode=no-verify", "require", undefined],
  ["sslmode=require", "verify-full", "system"],
  ["sslmode=verify-full", "verify-full", "system"],
  ["sslmode=verify-full&sslrootcert=/etc/own.crt", "verify-full", "/etc/own.crt"],
  ["sslmode=require&uselibpqcompat=true", "require", undefined],
  ["sslmode=verify-ca&uselibpqcompat=true&sslrootcert=/own.crt", "verify-ca", "/own.crt"],
])("with %j the programs protect the connection as the driver does: %s", (query, mode, root) => {
  const { PGSSLMODE, PGSSLROOTCERT } = read(`postgres://shop@db.test/shop?${query}`);
  expect([PGSSLMODE, PGSSLROOTCERT]).toEqual([mode, root]);
});

test("no setting of the shell wins over the address or weakens it", () => {
  const variables = read("postgres://shop@db.test/shop?sslmode=no-verify");
  for (const name of ["PGSERVICE", "PGHOSTADDR", "PGSSLROOTCERT"]) {
    expect(Object.keys(variables)).toContain(name);
    expect(variables[name]).toBeUndefined();
  }
});

test("a socket and an address of IPv6 keep their meaning", () => {
  expect(read("postgres://shop@localhost/shop?host=/run/postgresql").PGHOST).toBe(
    "/run/postgresql",
  );
  expect(read("postgres://shop@[::1]:5433/shop").PGHOST).toBe("::1");
});
