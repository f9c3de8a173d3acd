// What npm 11 prints, shortened to what matters.

const REMIX = {
  source: 1112345,
  name: "@remix-run/server-runtime",
  dependency: "@remix-run/server-runtime",
  title: "React Router: Unauthenticated Denial of Service via Inefficient Route Matching",
  url: "https://github.com/advisories/GHSA-chx6-hx7r-mcp5",
  severity: "high",
  cwe: ["CWE-407"],
  cvss: { score: 7.5, vectorString: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H" },
  range: ">=2.10.0",
};

const QS = {
  ...REMIX,
  source: 1112346,
  name: "qs",
  dependency: "qs",
  title: "qs: a moderate weakness",
  url: "https://github.com/advisories/GHSA-x5fp-wj9c-mxmx",
  severity: "moderate",
};

/** `npm audit --json` with one severe advisory, seen from three packages, and a moderate one. */
export const AUDIT_REPORT = {
  auditReportVersion: 2,
  vulnerabilities: {
    "@remix-run/express": {
      name: "@remix-run/express",
      severity: "high",
      isDirect: true,
      via: ["@remix-run/node"],
      effects: [],
      range: "*",
      nodes: ["node_modules/@remix-run/express"],
      fixAvailable: false,
    },
    "@remix-run/node": {
      name: "@remix-run/node",
      severity: "high",
      isDirect: true,
      via: ["@remix-run/server-runtime"],
      effects: ["@remix-run/express"],
      range: "*",
      nodes: ["node_modules/@remix-run/node"],
      fixAvailable: false,
    },
    "@remix-run/server-runtime": {
      name: "@remix-run/server-runtime",
      severity: "high",
      isDirect: false,
      via: [REMIX, REMIX],
      effects: ["@remix-run/node"],
      range: ">=2.10.0",
      nodes: ["node_modules/@remix-run/server-runtime"],
      fixAvailable: false,
    },
    qs: {
      name: "qs",
      severity: "moderate",
      isDirect: false,
      via: [QS],
      effects: [],
      range: "<6.14.1",
      nodes: ["node_modules/qs"],
      fixAvailable: true,
    },
  },
  metadata: {
    vulnerabilities: { info: 0, low: 0, moderate: 1, high: 3, critical: 0, total: 4 },
    dependencies: { prod: 411, dev: 745, optional: 175, peer: 12, peerOptional: 0, total: 1156 },
  },
};

export const CLEAN_REPORT = { ...AUDIT_REPORT, vulnerabilities: {} };

/** `npm audit --json` where the registry has no audit. */
export const NO_AUDIT = {
  message: "405 Method Not Allowed - POST https://registry.test/-/npm/v1/security/advisories/bulk",
  method: "POST",
  uri: "https://registry.test/-/npm/v1/security/advisories/bulk",
  headers: { allow: ["GET,HEAD"] },
  statusCode: 405,
  body: "",
  error: { summary: "", detail: "" },
};

/** `npm audit --json` without a network. */
export const NO_NETWORK = {
  message:
    "request to https://registry.test/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED 192.0.2.1:443",
  error: { summary: "", detail: "" },
};

/** `npm audit signatures --json` where the keys cannot be fetched. */
export const NO_KEYS = {
  error: {
    code: "ENOTFOUND",
    summary:
      "request to https://keys.test/15.root.json failed, reason: getaddrinfo ENOTFOUND keys.test",
    detail: "This is a problem related to network connectivity.",
  },
};

/** `npm audit --json` without a lockfile. */
export const NO_LOCKFILE = {
  error: {
    code: "ENOLOCK",
    summary: "This command requires an existing lockfile.",
    detail: "Try creating one first with: npm i --package-lock-only",
  },
};

/** `npm audit --json` with a lockfile that the registry cannot read. */
export const BAD_TREE = {
  message:
    "400 Bad Request - POST https://registry.test/-/npm/v1/security/audits/quick - Invalid package tree",
  statusCode: 400,
  error: { summary: "", detail: "" },
};

/** `npm audit signatures --json` with one package of each fault. */
export const BAD_SIGNATURES = {
  invalid: [
    {
      code: "EINTEGRITYSIGNATURE",
      message: "left-pad@1.3.0 has an invalid registry signature",
      name: "left-pad",
      version: "1.3.0",
      location: "node_modules/left-pad",
      registry: "https://registry.test/",
    },
  ],
  missing: [
    {
      name: "right-pad",
      version: "1.0.0",
      location: "node_modules/right-pad",
      registry: "https://registry.test/",
    },
  ],
};

export const LOCKFILE = {
  lockfileVersion: 3,
  packages: {
    "": { name: "shop", version: "1.0.0" },
    "node_modules/left-pad": { version: "1.3.0" },
    "node_modules/right-pad": { version: "1.0.0" },
    "node_modules/right-pad/node_modules/left-pad": { version: "1.2.0", dev: true },
    "node_modules/left-pad-cjs": { name: "left-pad", version: "1.2.0", dev: true },
    "node_modules/@scope/pad": { version: "2.0.0-beta.1+build.5" },
    "node_modules/shop-admin": { link: true },
  },
};

const component = (purl: string) => ({ type: "library", purl: `pkg:npm/${purl}` });

/** `npm sbom --sbom-format=cyclonedx` of that lockfile. */
export const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: [
    component("left-pad@1.3.0"),
    component("left-pad@1.2.0"),
    component("right-pad@1.0.0"),
    component("%40scope/pad@2.0.0-beta.1%2Bbuild.5"),
  ],
};
