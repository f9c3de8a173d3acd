import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { CardTable } from "~/components/ui/card-table";
import { EmptyState } from "~/components/ui/empty-state";
import { Facts } from "~/components/ui/facts";
import { NextDates } from "~/components/ui/next-dates";
import { Picture } from "~/components/ui/picture";
import { Questions } from "~/components/ui/questions";
import { Ticks } from "~/components/ui/ticks";
import { Part } from "./part";

const MOVEMENTS = [
  { what: "500 credits bought", credits: "+500", balance: "800" },
  { what: "Three lemons on a pale table", credits: "−10", balance: "790" },
];

const SAMPLES = ["lighthouse", "lemons", "fox"];

/** Shows cards, tables, lists and pictures. */
export function ContentParts() {
  return (
    <>
      <Part file="card, facts">
        <Card title="Starter plan">
          <Facts
            facts={[
              { name: "Price", value: "$9 a month" },
              { name: "Next credits", value: "300 on December 5" },
            ]}
          />
        </Card>
      </Part>
      <Part file="card-table">
        <CardTable
          caption="Movements"
          rows={MOVEMENTS}
          keyOf={({ what }) => what}
          columns={[
            { label: "What", kind: "title", cell: ({ what }) => what },
            { label: "Credits", kind: "number", cell: ({ credits }) => credits },
            { label: "Balance", kind: "number", cell: ({ balance }) => balance },
          ]}
        />
      </Part>
      <Part file="ticks">
        <Ticks
          items={[
            { key: "monthly", text: "300 credits every month" },
            { key: "cancel", text: "Cancel at any time" },
          ]}
        />
        <Ticks look="lost" items={[{ key: "lost", text: "No new credits after December 5" }]} />
      </Part>
      <Part file="next-dates">
        <NextDates
          dates={[
            { key: "today", when: "Today", what: "You pay $20", isNow: true },
            { key: "renewal", when: "December 5", what: "1,200 credits arrive" },
          ]}
        />
      </Part>
      <Part file="questions">
        <Questions
          questions={[
            { question: "Do credits expire?", answer: "Those of packs never do." },
            { question: "Can I cancel?", answer: "At any time, on the billing page." },
          ]}
        />
      </Part>
      <Part file="picture">
        <div className="grid grid-cols-3 gap-3">
          {SAMPLES.map((name) => (
            <Picture key={name} src={`/samples/${name}.svg`} alt={name} width={512} height={512} />
          ))}
        </div>
      </Part>
      <Part file="empty-state, art">
        <EmptyState
          art="images"
          title="No images yet"
          action={<Button type="button">Make your first image</Button>}
        >
          Your images will be here.
        </EmptyState>
      </Part>
    </>
  );
}
