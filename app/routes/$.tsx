import { PageError } from "~/components/page-error";

/** Any other path that is no page: 404. */
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
