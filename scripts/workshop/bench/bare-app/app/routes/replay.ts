import type { ActionFunctionArgs } from "@remix-run/node";
import { pool } from "../pool.server";

/** One indexed read. */
export async function action({ request }: ActionFunctionArgs) {
  const event = (await request.json()) as { id: string };
  const { rows } = await pool.query({
    name: "replay",
    text: "SELECT status FROM webhook_inbox WHERE provider = 'stripe' AND dedupe_key = $1",
    values: [`id:${event.id}`],
  });
  return Response.json({ deduped: rows.length > 0 });
}
