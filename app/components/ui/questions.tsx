import type { ReactNode } from "react";
import { Icon } from "~/components/ui/icon";

/** Questions that open to their answers. */
export function Questions({ questions }: { questions: { question: string; answer: ReactNode }[] }) {
  return (
    <div className="faq">
      {questions.map(({ question, answer }) => (
        <details key={question}>
          <summary>
            {question}
            <Icon name="down" className="chev" />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}
