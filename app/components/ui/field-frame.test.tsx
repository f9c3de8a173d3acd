import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, test } from "vitest";
import { FieldFrame } from "~/components/ui/field-frame";
import en from "~/i18n/locales/en.json";

const render = (errors: string[] | undefined, hint?: string) =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <FieldFrame
        field={{ id: "name", errorId: "name-error", errors }}
        label="Name"
        {...(hint ? { hint } : {})}
      >
        {(description) => <input id="name" {...description} />}
      </FieldFrame>
    </IntlProvider>,
  );

test("a control is described by its hint and its error, which is in the page's language", () => {
  const html = render(["validation.required"], "Optional.");
  expect(html).toContain('aria-describedby="name-hint name-error"');
  expect(html).toMatch(/<p id="name-hint"[^>]*>Optional\.</);
  expect(html).toContain(`>${en.validation.required}</p>`);
});

test("a control without hint and error is described by nothing", () => {
  expect(render(undefined)).not.toContain("aria-describedby");
});
