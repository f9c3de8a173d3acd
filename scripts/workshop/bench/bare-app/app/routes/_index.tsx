import { useLoaderData } from "@remix-run/react";

export const loader = () => ({ items: ["one", "two", "three"] });

export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>A page</h1>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </main>
  );
}
