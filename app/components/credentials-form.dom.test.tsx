// @vitest-environment jsdom
import { parseWithZod } from "@conform-to/zod/v4";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import { CredentialsForm } from "~/components/credentials-form";
import { newAccountSchema } from "~/services/auth/credentials";

const SENT = { email: "ada@example", password: "short" };

/** Responds to the form as the action does; `hideFields` is what keeps values on the server. */
function replyTo(
  sent: Record<string, string>,
  more: { formErrors?: string[]; hidden?: string[] } = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(sent)) body.set(name, value);
  const { formErrors, hidden = ["password"] } = more;
  return parseWithZod(body, { schema: newAccountSchema }).reply({
    hideFields: hidden,
    ...(formErrors ? { formErrors } : {}),
  });
}

function show(result?: ReturnType<typeof replyTo>) {
  renderInPage(
    <CredentialsForm
      schema={newAccountSchema}
      result={result}
      redirectTo="/en/files"
      submitLabel="Create account"
      passwordHint="At least 12 characters."
      newPassword
    />,
  );
}

const email = () => screen.getByRole("textbox", { name: "Email address" });
const password = () => screen.getByLabelText("Password");

test("each field has its name, what the browser checks and its hint for password managers", () => {
  show();
  expect(email()).toBeRequired();
  expect(email()).not.toHaveAttribute("aria-invalid");
  expect(email()).toHaveAttribute("autocomplete", "email");
  expect(password()).toHaveAttribute("autocomplete", "new-password");
  expect(password()).toHaveAccessibleDescription("At least 12 characters.");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("each faulty field is described by its own error, beside its hint", () => {
  show(replyTo(SENT));
  expect(email()).toBeInvalid();
  expect(email()).toHaveAccessibleDescription(/^Enter an e-?mail address, such as/);
  expect(password()).toBeInvalid();
  expect(password()).toHaveAccessibleDescription(
    "At least 12 characters. Use at least 12 characters.",
  );
});

test("what was typed is kept, and a password never comes back", () => {
  show(replyTo(SENT));
  expect(email()).toHaveValue("ada@example");
  expect(password()).toHaveValue("");
});

test("a password that an action forgot to hide isn't shown either", () => {
  show(replyTo(SENT, { hidden: [] }));
  expect(password()).toHaveValue("");
});

test("an error of the whole form is read out, can have the focus and describes the form", () => {
  show(
    replyTo(
      { email: "ada@example.com", password: "correct horse battery" },
      { formErrors: ["validation.credentialsWrong"] },
    ),
  );
  const alert = screen.getByRole("alert");
  expect(alert).toHaveTextContent(/address or the password is wrong/);
  expect(alert.parentElement).toHaveAttribute("tabindex", "-1");
  expect(email().closest("form")).toHaveAccessibleDescription(/address or the password is wrong/);
  expect(email()).not.toHaveAttribute("aria-invalid");
});

test("where the visitor came from goes with the form", () => {
  show();
  expect(email().closest("form")).toHaveFormValues({ redirectTo: "/en/files" });
});
