import { Sheet } from "~/components/dev-ui/sheet";
import { getEnv } from "~/env.server";

/** Serves a page of every part of `app/components/ui` in both themes, in development alone. */
export function loader() {
  if (getEnv().nodeEnv !== "development") throw new Response(null, { status: 404 });
  return { title: "Components" };
}

export default function DevUi() {
  return (
    <main id="main" className="ui-page">
      <h1>Components</h1>
      <div className="ui-cols">
        <Sheet theme="light" />
        <Sheet theme="dark" />
      </div>
    </main>
  );
}
