/** Any path below a language that is no page: 404 inside the site's frame, whatever the method. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
