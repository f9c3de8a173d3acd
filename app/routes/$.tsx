import { PageError } from "~/components/page-error";

/** Returns 404 for any other path that isn't a page. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}

export function ErrorBoundary() {
  return <PageError />;
}
