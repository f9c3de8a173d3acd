// Plain data, imported by vite.config.ts into `remix(...)`. It lives in its own file so that the
// move to React Router 7 is a rename, and so that tools can read it without running Vite.

/** @type {import("@remix-run/dev").VitePluginConfig} */
export default {
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
