// Plain data, imported by vite.config.ts into `remix(...)`. It lives in its own file so that the
// move to React Router 7 is a rename, and so that tools can read it without running Vite.

/** @type {import("@remix-run/dev").VitePluginConfig} */
export default {
  future: {
    v3_fetcherPersist: true,
    // Off on purpose: its route `/__manifest` matches every path a visitor lists, and one request
    // stalls the process for seconds.
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
