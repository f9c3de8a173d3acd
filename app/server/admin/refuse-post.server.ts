/**
 * The action of an admin page without a form. Without one, a POST gets 405 before anybody asks who sends it, which says that
 * there is a page. Where there is none, it gets 404.
 * @throws Response 404
 */
export function refusePost(): never {
  throw new Response(null, { status: 404 });
}
