/** Returns 404 inside the site's frame, for any method, if a path below a language isn't a page. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
