import { expect, test } from "vitest";
import { controlAttributes, formAttributes, serverForm } from "~/components/ui/server-form";

const refused = {
  status: "error" as const,
  initialValue: { email: "a@example.com" },
  error: { "": ["validation.busy"], password: ["validation.required"] },
};

test("a refused form shows the posted values again, not its defaults, and each field its own errors", () => {
  const { form, field } = serverForm<"email" | "password">({
    id: "sign-in",
    result: refused,
    defaultValue: { email: "default@example.com", password: "default" },
  });
  expect(field("email").value).toBe("a@example.com");
  expect(field("password").value).toBeUndefined();
  expect(field("email").errors).toBeUndefined();
  expect(field("password").errors).toEqual(["validation.required"]);
  expect(formAttributes(form)).toEqual({
    id: "sign-in",
    "aria-invalid": true,
    "aria-describedby": "sign-in-error",
  });
});

test("a faulty control is marked and asks for the focus; a right one isn't and doesn't", () => {
  const { field } = serverForm<"email" | "password">({
    id: "sign-in",
    result: refused,
    constraint: { email: { required: true, maxLength: 254 } },
  });
  expect(controlAttributes(field("password"))).toMatchObject({
    "aria-invalid": true,
    autoFocus: true,
  });
  const email = controlAttributes(field("email"));
  expect(email).toMatchObject({ id: "sign-in-email", required: true, maxLength: 254 });
  expect(email).not.toHaveProperty("autoFocus");
});

test("a new form begins with its defaults and without errors", () => {
  const { form, field } = serverForm<"name">({
    id: "profile",
    result: undefined,
    defaultValue: { name: "Ana" },
  });
  expect(field("name").value).toBe("Ana");
  expect(formAttributes(form)).toEqual({ id: "profile" });
});
