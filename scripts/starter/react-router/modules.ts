import type { Node } from "ts-morph";

/** The modules of Remix, and where React Router has what they export. */
export const MODULES: Record<string, string> = {
  "@remix-run/dev": "@react-router/dev/vite",
  "@remix-run/express": "@react-router/express",
  "@remix-run/fs-routes": "@react-router/fs-routes",
  "@remix-run/node": "react-router",
  "@remix-run/react": "react-router",
  "@remix-run/route-config": "@react-router/dev/routes",
  "@remix-run/serve": "@react-router/serve",
  "@remix-run/server-runtime": "react-router",
  "@remix-run/testing": "react-router",
  "react-router-dom": "react-router",
  "virtual:remix/server-build": "virtual:react-router/server-build",
};

/** Exports that have another name. */
export const NAMES: Record<string, string> = {
  RemixBrowser: "HydratedRouter",
  RemixServer: "ServerRouter",
  createRemixStub: "createRoutesStub",
  json: "data",
  vitePlugin: "reactRouter",
};

/** Exports that are not where the rest of their module went, by their name in React Router. */
export const PLACES: Record<string, string> = {
  HydratedRouter: "react-router/dom",
  RouterProvider: "react-router/dom",
  createFileSessionStorage: "@react-router/node",
  createReadableStreamFromReadable: "@react-router/node",
  readableStreamToString: "@react-router/node",
  writeAsyncIterableToWritable: "@react-router/node",
  writeReadableStreamToWritable: "@react-router/node",
};

const READ_FORMS = "read the form with a library, such as @mjackson/form-data-parser";

/** Exports that React Router doesn't have, and what to do. */
export const GONE: Record<string, string> = {
  DataFunctionArgs: "it is LoaderFunctionArgs or ActionFunctionArgs",
  LiveReload: "delete it: Vite reloads",
  SerializeFrom: "name the type of the data, or use `useLoaderData<typeof loader>`",
  defer: "return the object itself: its promises are sent as they settle",
  installGlobals: "delete it: Node has them",
  MaxPartSizeExceededError: READ_FORMS,
  NodeOnDiskFile: READ_FORMS,
  unstable_composeUploadHandlers: READ_FORMS,
  unstable_createFileUploadHandler: READ_FORMS,
  unstable_createMemoryUploadHandler: READ_FORMS,
  unstable_parseMultipartFormData: READ_FORMS,
};

/** Packages of the scope that need no framework. They work with React Router as they are. */
const STAND_ALONE =
  /^@remix-run\/(?:fetch-proxy|file-storage|form-data-parser|headers|lazy-file|multipart-parser|node-fetch-server|tar-parser)(?:\/|$)/;

/** Returns whether the module or package is part of Remix 2. */
export const isOfRemix = (name: string) =>
  name.startsWith("@remix-run/") && !STAND_ALONE.test(name);

/** Whether names that a module of React Router exports may differ from those of Remix. */
const hasOtherNames = (target: string) =>
  target === "react-router" || target === "@react-router/dev/vite";

/** Returns what to say where every name of a module is taken at once, or null if all of them are the same. */
export const doubtOfNames = (target: string) =>
  hasOtherNames(target)
    ? `look at each name that is taken from here: in ${target} some are others or gone`
    : null;

/** A place that the move did not understand and a person must change. */
export interface Left {
  file: string;
  /** 0 if it is the whole file. */
  line: number;
  what: string;
  /** Words of the place after the move, by which it is found again once the file has its last form. */
  words?: string;
}

/** Notes a place, with its words after the move. */
export type Note = (node: Node, what: string, words: string) => void;
